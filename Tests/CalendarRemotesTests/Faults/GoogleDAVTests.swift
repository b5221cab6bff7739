// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Synchronization
import TestSupport
import Testing

/// Google's CalDAV, by its guide (developers.google.com/workspace/calendar/caldav/v2/guide, October 2026).
///
/// - The principal is `…/CALID/user`, the calendar `…/CALID/events/`. Nothing else leads there.
/// - LOCK, COPY, MOVE, MKCOL and MKCALENDAR are not supported, and of the conditions only `If-Match`.
/// - After the first sync, clients have to use sync reports.
/// - There are no reminders and no journal entries.
private final class GoogleDAV: Sendable {
  static let base = "/caldav/v2/ada%40gmail.com"
  static let origin = "https://apidata.googleusercontent.com"

  private struct State {
    var store = DAVStore(hasTokens: true, path: GoogleDAV.base + "/events/")
    /// Whether a client listed everything, so that it has a token.
    var isListed = false
    var hasForgottenTokens = false
  }

  private let state: Mutex<State>

  init() {
    var state = State()
    state.store.name = "ada@gmail.com"
    state.store.properties =
      "<c:supported-calendar-component-set><c:comp name=\"VEVENT\"/>"
      + "</c:supported-calendar-component-set>"
    self.state = Mutex(state)
  }

  var contents: [String: String] { state.withLock { $0.store.contents } }

  func write(_ uid: String, _ summary: String?) {
    state.withLock { state in
      state.store.write(uid, summary.map { TestItem.text(uid: uid, summary: $0) })
    }
  }

  /// Forgets the tokens that were given.
  func forgetTokens() {
    state.withLock { state in
      state.hasForgottenTokens = true
      state.isListed = false
    }
  }

  func reply(to request: HTTPRequest) -> Reply {
    guard request.url.description.hasPrefix(Self.origin), request.credentials != nil else {
      return Reply("401 Unauthorized", fields: ["WWW-Authenticate: Bearer realm=\"Google\""])
    }
    let supported = ["GET", "PUT", "HEAD", "DELETE", "POST", "OPTIONS", "PROPFIND", "PROPPATCH"]
    let method = request.method.rawValue
    guard supported.contains(method) || method == "REPORT" else {
      let allowed = supported.joined(separator: ", ")
      return Reply("405 Method Not Allowed", fields: ["Allow: \(allowed)"])
    }
    if request.url.path.hasPrefix(Self.base + "/events") { return calendar(request) }
    return account(request)
  }

  private func calendar(_ request: HTTPRequest) -> Reply {
    state.withLock { state in
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      let isListing =
        request.method == .propfind && request.headers["Depth"] == "1"
        || body.contains("calendar-query") && !body.contains("text-match")
      if isListing {
        guard !state.isListed else {
          return Reply(
            "403 Forbidden", fields: ["Content-Type: text/plain"], body: "Use sync-collection")
        }
        (state.isListed, state.hasForgottenTokens) = (true, false)
      }
      if request.method == .report, body.contains("sync-collection"), state.hasForgottenTokens {
        return .xml(
          "<d:error xmlns:d=\"DAV:\"><d:valid-sync-token/></d:error>", status: "403 Forbidden")
      }
      if request.method == .put, !body.contains("BEGIN:VEVENT") {
        return .xml(
          "<d:error xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:caldav\">"
            + "<c:supported-calendar-component/></d:error>", status: "403 Forbidden")
      }
      var known = request
      known.headers = HTTPHeaders(
        request.headers.fields.filter { field in
          !field.name.lowercased().hasPrefix("if-") || field.name.lowercased() == "if-match"
        })
      return state.store.reply(to: known)
    }
  }

  private func account(_ request: HTTPRequest) -> Reply {
    let style = DAVStore.Style()
    let type = "<d:resourcetype><d:collection/>"
    switch (request.url.path, request.headers["Depth"]) {
    case (Self.base + "/user", _), (Self.base + "/user/", _):
      return .multiStatus(
        CalDAVScript.response(
          Self.base + "/user",
          "\(type)<d:principal/></d:resourcetype><d:current-user-principal><d:href>\(Self.base)/user"
            + "</d:href></d:current-user-principal><c:calendar-home-set><d:href>\(Self.base)/</d:href>"
            + "</c:calendar-home-set>"), style)
    case (Self.base + "/", "1"):
      let components = state.withLock { $0.store.properties }
      return .multiStatus(
        CalDAVScript.response(Self.base + "/", "\(type)</d:resourcetype>")
          + CalDAVScript.response(Self.base + "/user", "\(type)<d:principal/></d:resourcetype>")
          + CalDAVScript.response(
            Self.base + "/inbox/", "\(type)<c:schedule-inbox/></d:resourcetype>")
          + CalDAVScript.response(
            Self.base + "/events/",
            "\(type)<c:calendar/></d:resourcetype><d:displayname>ada@gmail.com</d:displayname>"
              + components), style)
    // Neither the root nor the home has a link to the principal.
    case (Self.base + "/", _):
      return .multiStatus(CalDAVScript.response(Self.base + "/", "\(type)</d:resourcetype>"), style)
    default: return Reply("404 Not Found")
    }
  }
}

/// Syncs with Google over CalDAV, by a double with its documented habits.
@Suite struct GoogleDAVTests {
  private func remote(_ double: ServiceDouble, at path: String) throws -> CalDAVRemote {
    CalDAVRemote(
      address: try RemoteURL(parsing: GoogleDAV.origin + path), credentials: Self.credentials,
      transport: double)
  }

  private static let credentials = Credentials(tokens: TokenSource { "marker-t0ken" })

  private func double(_ google: GoogleDAV) -> ServiceDouble {
    ServiceDouble { google.reply(to: $0) }
  }

  @Test(arguments: ["/user", "/user/", "/events/", "/events"])
  func `The principal and the calendar lead to the calendar`(_ end: String) async throws {
    let google = GoogleDAV()
    google.write("there", "There")
    let double = double(google)
    let scene = ServiceScene(try remote(double, at: GoogleDAV.base + end))
    let outcome = await scene.sync()
    #expect(outcome.isComplete, "\(outcome.told)")
    #expect(scene.local.items.mapValues(\.title) == ["there": "There"])
  }

  @Test(arguments: ["/user", "/events/"])
  func `The calendars of the account are listed`(_ end: String) async throws {
    let google = GoogleDAV()
    let found = try await CalendarCollections(
      address: try RemoteURL(parsing: GoogleDAV.origin + GoogleDAV.base + end),
      credentials: Self.credentials, transport: double(google)
    ).list()
    #expect(found.map(\.title) == ["ada@gmail.com"])
    #expect(found.first?.components == ["VEVENT"])
    #expect(found.first?.url.path.hasSuffix("/events/") == true)
  }

  @Test(arguments: ["/", "/caldav/v2/", GoogleDAV.base + "/"])
  func `An address without a calendar says which one is expected`(_ path: String) async throws {
    let google = GoogleDAV()
    let remote = try remote(double(google), at: path)
    let error = try #require(
      await #expect(throws: RemoteError.self) { _ = try await remote.openCalendar() })
    #expect(error.message.contains("/caldav/v2/ID/user"), "\(error.message)")
  }

  @Test func `A sync lists once, and then uses sync reports and If-Match alone`() async throws {
    let google = GoogleDAV()
    let double = double(google)
    let scene = ServiceScene(try remote(double, at: GoogleDAV.base + "/events/"))
    for number in 1...12 {
      scene.local.write(TestItem.make(uid: "i\(number)", summary: "Event \(number)"))
      google.write("j\(number)", "There \(number)")
    }
    var outcome = await scene.sync()
    #expect(outcome.isComplete, "\(outcome.told)")
    #expect(google.contents.count == 24)
    for _ in 1...3 {
      outcome = await scene.sync()
      #expect(outcome.isComplete, "\(outcome.told)")
    }
    double.forget()
    scene.local.write(TestItem.make(uid: "i1", summary: "Edited here"))
    scene.local.remove("i2")
    scene.local.write(TestItem.make(uid: "new", summary: "New here"))
    google.write("j1", "Edited there")
    google.write("j2", nil)
    outcome = await scene.sync()
    #expect(outcome.isComplete, "\(outcome.told)")
    #expect(google.contents["i1"]?.contains("Edited here") == true)
    #expect(google.contents["i2"] == nil && google.contents["new"] != nil)
    #expect(scene.local.items["j1"]?.title == "Edited there")
    #expect(scene.local.items["j2"] == nil)
    let depths = double.requests.filter { $0.method == "PROPFIND" }.map { $0.headers["Depth"] }
    #expect(!depths.contains("1"))
    #expect(double.requests.contains { $0.body.contains("sync-collection") })
    // An addition asks first, because its condition is ignored.
    let place = GoogleDAV.base + "/events/new.ics"
    let asked = double.requests.filter { $0.url.path == place }.map(\.method)
    #expect(asked.prefix(2) == ["PROPFIND", "PUT"])
    for change in double.requests where ["PUT", "DELETE"].contains(change.method) {
      #expect(change.url.path == place || change.headers["If-Match"] != nil)
    }
  }

  @Test func `A token that Google forgot deletes nothing`() async throws {
    let google = GoogleDAV()
    let scene = ServiceScene(try remote(double(google), at: GoogleDAV.base + "/events/"))
    for number in 1...5 { google.write("j\(number)", "There \(number)") }
    _ = await scene.sync()
    google.forgetTokens()
    google.write("j6", "There 6")
    let outcome = await scene.sync()
    #expect(outcome.isComplete, "\(outcome.told)")
    #expect(scene.local.items.count == 6)
    #expect(google.contents.count == 6)
  }

  @Test func `A reminder is refused in words, and the events are synced`() async throws {
    let google = GoogleDAV()
    let double = double(google)
    let scene = ServiceScene(try remote(double, at: GoogleDAV.base + "/events/"))
    scene.local.write(TestItem.make(uid: "event", summary: "Event"))
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:VTODO", "UID:milk",
      "DTSTAMP:20260102T030405Z", "SUMMARY:Milk", "END:VTODO", "END:VCALENDAR",
    ]
    scene.local.write(TestItem.parse(lines.map { $0 + "\r\n" }.joined()))
    let outcome = await scene.sync()
    #expect(outcome.summary?.failed == 1, "\(outcome.told)")
    #expect(outcome.told.contains("supported-calendar-component"), "\(outcome.told)")
    #expect(google.contents.keys.sorted() == ["event"])
    #expect(scene.local.items.count == 2)
  }

  @Test func `A calendar cannot be created, and the reason names the web page`() async throws {
    let google = GoogleDAV()
    let double = double(google)
    let collections = CalendarCollections(
      address: try RemoteURL(parsing: GoogleDAV.origin + GoogleDAV.base + "/user"),
      credentials: Self.credentials, transport: double)
    var properties = CollectionProperties()
    properties[.name] = "Club"
    let error = try #require(
      await #expect(throws: RemoteError.self) { _ = try await collections.create(properties) })
    #expect(error.message.contains("create it on the web page of Google Calendar"))
    #expect(!double.requests.contains { $0.method.hasPrefix("MK") })
  }

  @Test func `A move is refused, and says so`() async throws {
    let google = GoogleDAV()
    google.write("there", "There")
    let calendar = try await remote(double(google), at: GoogleDAV.base + "/events/").openCalendar()
    let item = TestItem.make(uid: "moved", summary: "Moved")
    let source = RemoteEntry(
      href: Href("/caldav/v2/other%40gmail.com/events/moved.ics"), etag: EntityTag("\"1\""))
    guard case .refused(let reason) = try await calendar.move(item, from: source) else {
      Issue.record("it was moved")
      return
    }
    #expect(reason.contains("405"), "\(reason)")
  }
}

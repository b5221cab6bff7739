// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Synchronization
import TestSupport
import Testing

/// An account of iCloud: a common host that leads to the host of the user's calendars, and UIDs that
/// are unique in the account.
///
/// The hosts are those of github.com/python-caldav/caldav/issues/3, and the status 412 for the UID of
/// another calendar is that of github.com/jobisoft/DAV-4-TbSync/issues/187.
private final class ICloudAccount: Sendable {
  /// How the common host leads to the other one.
  enum Lead: Sendable, CaseIterable {
    /// The home set is on the other host.
    case link
    /// Each request is redirected.
    case redirect
  }

  static let front = "caldav.icloud.com"
  static let own = "p42-caldav.icloud.com"

  private let lead: Lead
  /// The host to which the common one leads.
  private let host: String
  private let conflict: String
  private let stores: Mutex<[String: DAVStore]>

  init(_ lead: Lead = .link, to host: String = own, conflict: String = "412 Precondition Failed") {
    (self.lead, self.host, self.conflict) = (lead, host, conflict)
    var stores: [String: DAVStore] = [:]
    for name in ["home", "work"] {
      var store = DAVStore(hasTokens: true, path: "/17/calendars/\(name)/")
      store.name = name
      stores[store.path] = store
    }
    self.stores = Mutex(stores)
  }

  func titles(_ calendar: String) -> Set<String> {
    Set(stores.withLock { $0["/17/calendars/\(calendar)/"]?.contents.keys ?? [:].keys })
  }

  func write(_ uid: String, in calendar: String) {
    stores.withLock { stores in
      stores["/17/calendars/\(calendar)/"]?
        .write(uid, TestItem.text(uid: uid, summary: "There"))
    }
  }

  func reply(to request: HTTPRequest) -> Reply {
    switch request.url.host {
    case Self.front where lead == .redirect:
      return .redirect("301 Moved Permanently", to: "https://\(host)\(request.url.path)")
    case Self.front: return account(request)
    case Self.own:
      let known = stores.withLock { $0.keys.first(where: request.url.path.hasPrefix) }
      guard let known else { return account(request) }
      return item(request, in: known)
    default: return Reply("200 OK")
    }
  }

  private func item(_ request: HTTPRequest, in calendar: String) -> Reply {
    guard request.credentials != nil else { return Reply("401 Unauthorized") }
    return stores.withLock { stores in
      if request.method == .put {
        let text = String(decoding: request.body ?? [], as: UTF8.self)
        let isElsewhere = stores.contains { path, store in
          path != calendar && store.contents.keys.contains { text.contains("UID:\($0)\r\n") }
        }
        if isElsewhere { return Reply(conflict) }
      }
      return stores[calendar]?.reply(to: request) ?? Reply("404 Not Found")
    }
  }

  private func account(_ request: HTTPRequest) -> Reply {
    guard request.credentials != nil else {
      return Reply("401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"MMCalDav\""])
    }
    let origin = "https://\(host):443"
    func answer(_ href: String, _ properties: String) -> String {
      CalDAVScript.response(href, properties)
    }
    let style = DAVStore.Style()
    switch request.url.path {
    case "/", "/.well-known/caldav":
      return .multiStatus(
        answer(
          "/",
          "<d:current-user-principal><d:href>/17/principal/</d:href></d:current-user-principal>"),
        style)
    case "/17/principal/":
      return .multiStatus(
        answer(
          "/17/principal/",
          "<c:calendar-home-set><d:href>\(origin)/17/calendars/</d:href></c:calendar-home-set>"),
        style)
    case "/17/calendars/":
      let type = "<d:resourcetype><d:collection/>"
      let calendars = stores.withLock { $0.values.sorted { $0.path < $1.path } }.map { store in
        answer(
          store.path,
          "\(type)<c:calendar/></d:resourcetype><d:displayname>\(store.name)</d:displayname>")
      }
      return .multiStatus(
        answer("/17/calendars/", "\(type)</d:resourcetype>") + calendars.joined(), style)
    default: return Reply("404 Not Found")
    }
  }
}

/// Syncs with iCloud: the hosts that get the password, and the UIDs that the account has already.
@Suite struct ICloudTests {
  private func remote(_ double: ServiceDouble) throws -> CalDAVRemote {
    CalDAVRemote(
      address: try RemoteURL(parsing: "https://\(ICloudAccount.front)/"), calendar: "work",
      credentials: Credentials(user: "ada@icloud.com", password: FaultScene.password),
      transport: double)
  }

  @Test(arguments: ICloudAccount.Lead.allCases)
  private func `The common host leads to that of the user`(_ lead: ICloudAccount.Lead) async throws
  {
    let account = ICloudAccount(lead)
    let double = ServiceDouble { account.reply(to: $0) }
    let scene = ServiceScene(try remote(double))
    scene.local.write(TestItem.make(uid: "here", summary: "Here"))
    account.write("there", in: "work")
    let first = await scene.sync()
    #expect(first.isComplete, "\(first.told)")
    #expect(account.titles("work") == ["here", "there"])
    #expect(scene.local.items.count == 2)
    let again = await scene.sync()
    #expect(again.summary == RunSummary(), "\(again.told)")
    // The password goes to the two hosts only, and after a redirect by a request of its own.
    let hosts = Set(double.requests.filter(\.hasCredentials).map(\.url.host))
    #expect(hosts == [ICloudAccount.front, ICloudAccount.own])
    #expect(double.requests.allSatisfy { "\($0.url.origin)" == "https://\($0.url.host)" })
  }

  @Test(arguments: [
    "icloud.com.evil.example", "p42-caldav-icloud.com", "evil.example",
    "p42-caldav.icloud.com:8443",
  ])
  func `Another host gets no password`(_ host: String) async throws {
    for lead in ICloudAccount.Lead.allCases {
      let account = ICloudAccount(lead, to: host)
      let double = ServiceDouble { account.reply(to: $0) }
      let scene = ServiceScene(try remote(double))
      scene.local.write(TestItem.make(uid: "here", summary: "Here"))
      let outcome = await scene.sync()
      #expect(outcome.error is RemoteError, "\(lead)")
      #expect(!outcome.told.contains(FaultScene.password))
      #expect(
        double.requests.allSatisfy { !$0.hasCredentials || $0.url.host == ICloudAccount.front })
      #expect(scene.local.items.count == 1)
    }
  }

  @Test(arguments: ["412 Precondition Failed", "409 Conflict", "403 Forbidden"])
  func `A UID of another calendar is reported, and the other items are synced`(
    _ status: String
  ) async throws {
    let account = ICloudAccount(conflict: status)
    account.write("shared", in: "home")
    let double = ServiceDouble { account.reply(to: $0) }
    let scene = ServiceScene(try remote(double))
    for uid in ["shared", "mine"] { scene.local.write(TestItem.make(uid: uid, summary: "Here")) }
    let outcome = await scene.sync()
    #expect(outcome.summary?.failed == 1, "\(outcome.told)")
    #expect(outcome.summary?.deferred == 0)
    #expect(outcome.told.contains("shared: the server refuses it with status \(status.prefix(3))"))
    if status.hasPrefix("412") {
      #expect(outcome.told.contains("another calendar of the account may have an item"))
    }
    #expect(account.titles("work") == ["mine"])
    #expect(account.titles("home") == ["shared"])
    #expect(scene.local.items.count == 2)
    // It is tried once more, and then rests.
    _ = await scene.sync()
    double.forget()
    let third = await scene.sync()
    #expect(third.summary?.failed == 1)
    #expect(!double.requests.contains { $0.method == "PUT" })
  }
}

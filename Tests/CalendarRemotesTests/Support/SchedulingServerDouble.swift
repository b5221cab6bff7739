// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import ICalSyntax
import Synchronization

/// A server in memory that schedules: it mails people about the meetings that are stored on it.
///
/// It mails by the table of RFC 6638 §3.2.1, and like sabre/dav it takes `SCHEDULE-AGENT=NONE` for
/// nothing. It has one calendar, `/cal/`, of alice.
final class SchedulingServerDouble: HTTPTransport {
  private struct State {
    var items: [String: (version: Int, bytes: [UInt8])] = [:]
    var version = 0
    var mails: [String] = []
    var log: [HTTPRequest] = []
    var tellsTags = true
    var tellsAddresses = true
    var isAutomatic = true
    var hasWeakTags = false
    var namesFeatures = true
    var tagsCopies = true
    var name: String?

    func tag(_ version: Int) -> String { (hasWeakTags ? "W/" : "") + "\"\(version)\"" }
  }

  private let state = Mutex(State())

  /// What was mailed, as `REQUEST mailto:bob@x`.
  var mails: [String] { state.withLock { $0.mails } }

  /// The requests that came, as `PUT /cal/a.ics`.
  var log: [String] { state.withLock { $0.log.map { "\($0.method) \($0.url.path)" } } }

  /// The last request of a method.
  func last(_ method: HTTPMethod) -> HTTPRequest? {
    state.withLock { $0.log.last { $0.method == method } }
  }

  /// The stored items as text, by path.
  var items: [String: String] {
    state.withLock { $0.items.mapValues { String(decoding: $0.bytes, as: UTF8.self) } }
  }

  init(
    tellsTags: Bool = true, tellsAddresses: Bool = true, isAutomatic: Bool = true,
    hasWeakTags: Bool = false, namesFeatures: Bool = true, tagsCopies: Bool = true,
    name: String? = nil
  ) {
    state.withLock {
      $0.name = name
      $0.namesFeatures = namesFeatures
      $0.tagsCopies = tagsCopies
      $0.hasWeakTags = hasWeakTags
      $0.tellsTags = tellsTags
      $0.tellsAddresses = tellsAddresses
      $0.isAutomatic = isAutomatic
    }
  }

  /// Stores an item as another program of alice would, with all the mail that comes of it.
  func store(_ item: CalendarItem, as path: String) {
    state.withLock { Self.store(item.serialized(), as: path, in: &$0) }
  }

  /// Forgets what was mailed and asked so far.
  func forget() {
    state.withLock {
      $0.mails = []
      $0.log = []
    }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    state.withLock { state in
      state.log.append(request)
      var response = Self.answer(request, &state)
      response.url = request.url
      return response
    }
  }

  private static func answer(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    let path = request.url.path
    func response(
      _ status: Int, _ headers: HTTPHeaders = [:], _ body: [UInt8] = []
    ) -> HTTPResponse {
      HTTPResponse(status: status, headers: headers, body: body, url: request.url)
    }
    let held = state.items[path]
    let tag = held.map { state.tag($0.version) }
    switch request.method {
    case .options:
      let features = "1, calendar-access" + (state.isAutomatic ? ", calendar-auto-schedule" : "")
      return response(200, state.namesFeatures ? ["DAV": features] : [:])
    case .get:
      guard let held, let tag else { return response(404) }
      guard state.tagsCopies else { return response(200, [:], held.bytes) }
      let tags: HTTPHeaders =
        state.hasWeakTags ? ["ETag": tag] : ["ETag": tag, "Schedule-Tag": tag]
      return response(200, tags, held.bytes)
    case .put:
      guard isMet(request, tag) else { return response(412) }
      store(request.body ?? [], as: path, in: &state)
      let tags: HTTPHeaders = state.tellsTags ? ["ETag": state.tag(state.version)] : [:]
      return response(held == nil ? 201 : 204, tags)
    case .delete:
      guard let held else { return response(404) }
      guard isMet(request, tag) else { return response(412) }
      mail(from: held.bytes, to: nil, isQuiet: request.headers["Schedule-Reply"] == "F", in: &state)
      state.items[path] = nil
      return response(204)
    case .propfind, .report:
      if path.hasSuffix(".ics"), held == nil { return response(404) }
      let headers: HTTPHeaders = state.name.map { ["Server": $0] } ?? [:]
      return response(207, headers, Array(multiStatus(request, state).utf8))
    default: return response(405)
    }
  }

  private static func isMet(_ request: HTTPRequest, _ tag: String?) -> Bool {
    if request.headers["If-None-Match"] == "*" { return tag == nil }
    let condition = request.headers["If-Match"] ?? request.headers["If-Schedule-Tag-Match"]
    return tag != nil && (condition == tag || condition == "*")
  }

  private static func multiStatus(_ request: HTTPRequest, _ state: State) -> String {
    var content = ""
    if request.method == .report {
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      for part in body.split(separator: "<d:href>").dropFirst() {
        let href = String(part.prefix { $0 != "<" })
        guard let item = state.items[href] else { continue }
        content += CalDAVScript.data(
          href, String(decoding: item.bytes, as: UTF8.self), etag: state.tag(item.version))
      }
    } else if let item = state.items[request.url.path] {
      content = CalDAVScript.member(request.url.path, etag: state.tag(item.version))
    } else if request.url.path == "/alice/" {
      let addresses =
        "<c:calendar-user-address-set><d:href>/alice/</d:href>"
        + "<d:href>MAILTO:alice@x</d:href></c:calendar-user-address-set>"
      content = CalDAVScript.response("/alice/", state.tellsAddresses ? addresses : "")
    } else {
      content = CalDAVScript.response(
        "/cal/",
        "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:current-user-principal>"
          + "<d:href>/alice/</d:href></d:current-user-principal>"
          + CalDAVScript.state(ctag: "\(state.version)", token: nil))
      if request.headers["Depth"] == "1" {
        for (path, item) in state.items.sorted(by: { $0.key < $1.key }) {
          content += CalDAVScript.member(path, etag: state.tag(item.version))
        }
      }
    }
    return #"<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">"# + content
      + "</d:multistatus>"
  }

  private static func store(_ bytes: [UInt8], as path: String, in state: inout State) {
    mail(from: state.items[path]?.bytes, to: bytes, isQuiet: false, in: &state)
    state.version += 1
    state.items[path] = (state.version, bytes)
  }

  /// Mails what a change from one version of an item to another makes necessary.
  private static func mail(
    from old: [UInt8]?, to new: [UInt8]?, isQuiet: Bool, in state: inout State
  ) {
    guard state.isAutomatic else { return }
    let before = old.flatMap { try? CalendarItem(parsing: $0) }?.main
    let after = new.flatMap { try? CalendarItem(parsing: $0) }?.main
    guard let organizer = (after ?? before)?[.organizer]?.rawValue.lowercased() else { return }
    guard organizer == "mailto:alice@x" else {
      // An attendee who deletes declines.
      if new == nil, !isQuiet { state.mails.append("REPLY \(organizer)") }
      return
    }
    let (called, calls) = (called(in: before), called(in: after))
    let isChanged = [.summary, .dtStart].contains { name in
      before?[name]?.rawValue != after?[name]?.rawValue
    }
    for person in called.union(calls).sorted() {
      if !calls.contains(person) {
        state.mails.append("CANCEL \(person)")
      } else if !called.contains(person) || isChanged {
        state.mails.append("REQUEST \(person)")
      }
    }
  }

  /// The people whom the server has to tell.
  private static func called(in component: Component?) -> Set<String> {
    let people = component?.properties(named: .attendee) ?? []
    return Set(
      people.filter { $0[.scheduleAgent] != "CLIENT" }.map { $0.rawValue.lowercased() }
    ).subtracting(["mailto:alice@x"])
  }
}

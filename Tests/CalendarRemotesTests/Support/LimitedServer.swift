// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Synchronization
import TestSupport

/// A calendar server without a network that gives only so much at a time.
final class LimitedServer: HTTPTransport {
  /// What becomes of a request for an item that something is wrong with.
  enum Trouble: Sendable {
    /// No answer comes in time.
    case slow
    /// The server fails.
    case poison
  }

  struct State {
    /// The length of each item by its name.
    var lengths: [String: Int] = [:]
    /// How much an answer may hold.
    var limit = 64 << 20
    var troubles: [String: Trouble] = [:]
    /// Whether the server names the lengths of its items.
    var namesLengths = false
    /// Whether items can only be asked for one by one.
    var hasNoReports = false
    /// Whether no request is answered once the calendar is open.
    var isDown = false
    /// The largest item that the server takes; nil if it names none.
    var largest: Int?
    /// The time of every answer; zero if it is not measured.
    var responseTime = Duration.zero
    var log: [String] = []
    var inFlight = 0
    /// The largest number of requests in flight at once.
    var mostInFlight = 0
  }

  let state = Mutex(State())
  let requestsAtOnce: Int

  init(requestsAtOnce: Int = 1, _ change: (inout State) -> Void = { _ in }) {
    self.requestsAtOnce = requestsAtOnce
    state.withLock { change(&$0) }
  }

  /// The requests that came, one line each: the method and how many items it asks for.
  var log: [String] { state.withLock { $0.log } }

  /// Opens the calendar, and forgets the requests for that.
  func open() async throws -> any RemoteCalendar {
    let calendar = try await CalDAVRemote(
      address: try RemoteURL(parsing: "https://h/cal/"), credentials: nil, transport: self
    ).openCalendar()
    state.withLock { state in
      state.log = []
      state.mostInFlight = 0
    }
    return calendar
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    state.withLock { state in
      state.inFlight += 1
      state.mostInFlight = max(state.mostInFlight, state.inFlight)
    }
    defer { state.withLock { $0.inFlight -= 1 } }
    // Others may send theirs meanwhile.
    for _ in 0..<(requestsAtOnce > 1 ? 200 : 4) { await Task.yield() }
    var response = try respond(to: request)
    response.duration = state.withLock { $0.responseTime }
    return response
  }

  private func respond(to request: HTTPRequest) throws -> HTTPResponse {
    let body = String(decoding: request.body ?? [], as: UTF8.self)
    return try state.withLock { state in
      if state.isDown { throw HTTPError(code: .timeout, url: request.url, message: "no answer") }
      switch request.method {
      case .report: return try multiget(body, request, &state)
      case .get:
        let name = String(request.url.path.split(separator: "/").last ?? "")
        state.log.append("GET \(name)")
        return try give([name], request, &state) { Array(Self.text(name).utf8) }
      case .propfind:
        state.log.append("PROPFIND \(request.headers["Depth"] ?? "")")
        return answer(listing(body, request, state), request)
      default:
        state.log.append(request.method.rawValue)
        return HTTPResponse(status: 201, headers: ["ETag": "\"1\""], url: request.url)
      }
    }
  }

  private func multiget(
    _ body: String, _ request: HTTPRequest, _ state: inout State
  ) throws -> HTTPResponse {
    guard !state.hasNoReports else { return HTTPResponse(status: 501, url: request.url) }
    let names = body.split(separator: "<d:href>/cal/").dropFirst().map { part in
      String(part.prefix { $0 != "<" })
    }
    state.log.append("REPORT \(names.count)")
    return try give(names, request, &state) {
      Array(Self.document(names.map { Self.data($0) }.joined()).utf8)
    }
  }

  private func give(
    _ names: [String], _ request: HTTPRequest, _ state: inout State, _ body: () -> [UInt8]
  ) throws -> HTTPResponse {
    for name in names {
      switch state.troubles[name] {
      case .slow: throw HTTPError(code: .timeout, url: request.url, message: "no answer in time")
      case .poison: return HTTPResponse(status: 500, url: request.url)
      case nil: continue
      }
    }
    guard names.reduce(0, { $0 + (state.lengths[$1] ?? 0) }) <= state.limit else {
      throw HTTPError(
        code: .tooLarge, url: request.url, message: "the response is larger than 64 MiB")
    }
    return HTTPResponse(
      status: request.method == .get ? 200 : 207, headers: ["ETag": "\"1\""], body: body(),
      url: request.url)
  }

  private func listing(_ body: String, _ request: HTTPRequest, _ state: State) -> String {
    guard request.headers["Depth"] == "1" else {
      let largest = state.largest.map { "<c:max-resource-size>\($0)</c:max-resource-size>" } ?? ""
      return CalDAVScript.calendarResponse.replacing("</d:prop>", with: "\(largest)</d:prop>")
    }
    let isAsked = state.namesLengths && body.contains("getcontentlength")
    return CalDAVScript.own
      + state.lengths.keys.sorted().map { name in
        let length = state.lengths[name] ?? 0
        return CalDAVScript.response(
          "/cal/\(name)",
          isAsked
            ? "<d:getcontentlength>\(length)</d:getcontentlength>" : "<d:getetag>\"1\"</d:getetag>")
      }.joined()
  }

  private func answer(_ responses: String, _ request: HTTPRequest) -> HTTPResponse {
    HTTPResponse(
      status: 207, headers: ["DAV": "1, calendar-access"],
      body: Array(Self.document(responses).utf8), url: request.url)
  }

  private static func document(_ responses: String) -> String {
    #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" "#
      + #"xmlns:c="urn:ietf:params:xml:ns:caldav">\#(responses)</d:multistatus>"#
  }

  private static func text(_ name: String) -> String { TestItem.text(uid: name, summary: name) }

  private static func data(_ name: String) -> String {
    CalDAVScript.data("/cal/\(name)", text(name))
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Synchronization

/// The state of a calendar for change detection, which is cheap to request.
struct CollectionState: Hashable, Sendable {
  /// The properties of the state: the ctag and the sync token (RFC 6578 §4).
  ///
  /// The ctag is an extension of calendarserver.org that nearly all servers support.
  static let properties: [XMLName] = [tagProperty, .dav("sync-token")]
  /// The property of the ctag.
  static let tagProperty = XMLName.calendarServer("getctag")

  /// The maximum length of a stored ctag or token, in bytes.
  private static let lengthLimit = 2048

  /// The ctag; nil if the server has none.
  var ctag: String?
  /// The sync token; nil if the server does not support sync reports.
  var token: String?
  /// Whether no later state can have the same ctag and token.
  var isSettled = true

  init(ctag: String? = nil, token: String? = nil, isSettled: Bool = true) {
    self.ctag = ctag
    self.token = token
    self.isSettled = isSettled
  }

  /// Reads the state from a response.
  init(_ response: MultiStatus.Response) {
    ctag = Self.text(response.properties[Self.tagProperty])
    token = Self.text(response.properties[.dav("sync-token")])
  }

  /// Returns a ctag or token; nil if it is missing, too long or contains control characters.
  static func text(_ element: XMLElement?) -> String? {
    guard let text = element?.trimmedText, !text.isEmpty, text.utf8.count <= lengthLimit,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return text
  }

  /// Marks the state as unsettled if it may belong to the second of the response.
  ///
  /// SOGo uses seconds for both the ctag and the token: after two changes in one second, the values
  /// do not show the later change. Only the time of day is compared; a second of another day is
  /// unlikely to match.
  mutating func settle(bySecondsOf headers: HTTPHeaders) {
    guard let token = token.flatMap(Int.init) else { return }
    isSettled = false
    let clock = (headers["Date"] ?? "").split(separator: " ").lazy
      .map { $0.split(separator: ":").compactMap { Int($0) } }.first { $0.count == 3 }
    guard let clock, clock.allSatisfy((0...60).contains) else { return }
    let day = 86_400
    let age = (((clock[0] * 60 + clock[1]) * 60 + clock[2] - token) % day + day) % day
    isSettled = (2...(day - 3600)).contains(age)
  }
}

/// The responses from opening the calendar; each is used once instead of another request.
final class OpeningAnswer: Sendable {
  private let state: Mutex<CollectionState?>
  private let properties: Mutex<CollectionProperties?>
  private let initialReport: Mutex<InitialReport?>
  private let probe: Mutex<AgreementProbe?>

  init(
    _ state: CollectionState? = nil, _ properties: CollectionProperties? = nil,
    _ initialReport: InitialReport? = nil, _ probe: AgreementProbe? = nil
  ) {
    self.state = Mutex(state)
    self.properties = Mutex(properties)
    self.initialReport = Mutex(initialReport)
    self.probe = Mutex(probe)
  }

  /// Returns the probe of recently agreed versions on the first call, then nil.
  func takeProbe() -> AgreementProbe? {
    probe.withLock { probe in
      defer { probe = nil }
      return probe
    }
  }

  /// Returns the report of all items on the first call, then nil.
  func takeInitialReport() -> InitialReport? {
    initialReport.withLock { report in
      defer { report = nil }
      return report
    }
  }

  /// Returns the state of the calendar on the first call, then nil.
  func takeState() -> CollectionState? {
    state.withLock { state in
      defer { state = nil }
      return state
    }
  }

  /// Returns the properties of the calendar on the first call, then nil.
  func takeProperties() -> CollectionProperties? {
    properties.withLock { properties in
      defer { properties = nil }
      return properties
    }
  }
}

/// The change cursor of a CalDAV calendar: lines with a name and a value.
///
///     caldav 1
///     path=/calendars/alice/work/
///     count=120
///     ctag=…
///     token=…
struct CalDAVCursor: Hashable, Sendable {
  private static let heading = "caldav 1"

  /// The normalized path of the calendar; a token is valid for this calendar only.
  let path: String
  /// The minimum number of items in the calendar, according to listings and reports.
  let count: Int
  /// The state of the calendar.
  let state: CollectionState

  init(path: String, count: Int, state: CollectionState) {
    self.path = path
    self.count = max(0, count)
    self.state = state
  }

  /// Parses a cursor; nil for one in another format.
  init?(_ cursor: RemoteCursor) {
    let lines = cursor.rawValue.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first.map(String.init) == Self.heading else { return nil }
    var values: [Substring: String] = [:]
    for line in lines.dropFirst() {
      guard let mark = line.firstIndex(of: "=") else { continue }
      values[line[..<mark]] = String(line[line.index(after: mark)...])
    }
    guard let path = values["path"], let count = values["count"].flatMap({ Int($0) }) else {
      return nil
    }
    self.init(
      path: path, count: count,
      state: CollectionState(ctag: values["ctag"], token: values["token"]))
  }

  /// The cursor for the ledger; nil if a later run could not use it.
  ///
  /// The ctag of an unsettled state is omitted. The token is always stored, because it leads to a
  /// report of all later changes.
  var remembered: RemoteCursor? {
    let ctag = state.isSettled ? state.ctag : nil
    guard ctag != nil || state.token != nil else { return nil }
    var lines = [Self.heading, "path=\(path)", "count=\(count)"]
    if let ctag { lines.append("ctag=\(ctag)") }
    if let token = state.token { lines.append("token=\(token)") }
    return RemoteCursor(lines.joined(separator: "\n"))
  }
}

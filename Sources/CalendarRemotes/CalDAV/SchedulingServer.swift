// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Synchronization

/// What is known of how a server schedules: whether storing a meeting there mails people (RFC 6638).
struct SchedulingServer: Hashable, Sendable {
  /// Whether the server acts by itself on what is stored (`calendar-auto-schedule`, RFC 6638 §2).
  var isAutomatic = false
  /// Whether it mails whatever SCHEDULE-AGENT says, as Google does.
  var ignoresAgent = false
  /// The addresses of the user, in lower case; empty if they are not told.
  var addresses: Set<String> = []

  /// Whether an answer's `DAV` field tells the features of the server, and this one among them.
  ///
  /// - Returns: Nil if it does not say what the server can do with calendars.
  static func isAutomatic(_ headers: HTTPHeaders) -> Bool? {
    let classes = headers.values(of: "DAV").joined(separator: ",").lowercased()
      .split(whereSeparator: { $0 == "," || $0 == " " })
    guard classes.contains("calendar-access") else { return nil }
    return classes.contains("calendar-auto-schedule")
  }
}

/// What was found out about a server while a calendar on it was open.
final class CalendarMemory: Sendable {
  /// An item as the server held it just before a write.
  struct Copy: Sendable {
    let href: Href
    let etag: EntityTag?
    let scheduleTag: String?
    let item: CalendarItem
  }

  private struct State {
    var features: HTTPHeaders
    var scheduling: SchedulingServer?
    var copy: Copy?
    var copies: [Href: Copy] = [:]
    var sizeLimit: SizeLimit?
    var lengths: [String: Int]?
  }

  /// The most bytes that the server takes of an item.
  struct SizeLimit {
    /// Nil if the server names no limit.
    let bytes: Int?
  }

  private let state: Mutex<State>

  /// - Parameter features: The header of the answer that told of the calendar.
  init(features: HTTPHeaders) {
    state = Mutex(State(features: features))
  }

  /// The header of the first answer, which may tell the features of the server.
  var features: HTTPHeaders { state.withLock { $0.features } }

  var scheduling: SchedulingServer? {
    get { state.withLock { $0.scheduling } }
    set { state.withLock { $0.scheduling = newValue } }
  }

  /// The limit that the server names for the size of an item; nil before it was asked for.
  var sizeLimit: SizeLimit? {
    get { state.withLock { $0.sizeLimit } }
    set { state.withLock { $0.sizeLimit = newValue } }
  }

  /// How long the items are, by normalized address; nil before it was asked for.
  var lengths: [String: Int]? {
    get { state.withLock { $0.lengths } }
    set { state.withLock { $0.lengths = newValue } }
  }

  /// Keeps a copy for the write that comes next.
  func keep(_ copy: Copy) {
    state.withLock { $0.copy = copy }
  }

  /// Keeps copies for the writes that come next, in place of those that are left of the last.
  func keep(_ copies: [Href: Copy]) {
    state.withLock { $0.copies = copies }
  }

  /// The copy that was read for this place, to be used once.
  func takeCopy(of href: Href) -> Copy? {
    state.withLock { state in
      defer { state.copy = nil }
      let copy = state.copies.removeValue(forKey: href)
      return state.copy?.href == href ? state.copy : copy
    }
  }
}

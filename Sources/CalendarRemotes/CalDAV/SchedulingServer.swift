// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Synchronization

/// The scheduling behaviour of a server: whether storing a meeting sends messages (RFC 6638).
struct SchedulingServer: Hashable, Sendable {
  /// Whether the server schedules automatically (`calendar-auto-schedule`, RFC 6638 §2).
  var isAutomatic = false
  /// Whether the server sends messages regardless of SCHEDULE-AGENT, as Google does.
  var ignoresAgent = false
  /// The addresses of the user in lower case; empty if they are unknown.
  var addresses: Set<String> = []

  /// Whether the `DAV` header field announces automatic scheduling.
  ///
  /// - Parameter headers: The header fields of a response.
  /// - Returns: Nil if the field does not announce CalDAV support.
  static func isAutomatic(_ headers: HTTPHeaders) -> Bool? {
    let classes = headers.values(of: "DAV").joined(separator: ",").lowercased()
      .split(whereSeparator: { $0 == "," || $0 == " " })
    guard classes.contains("calendar-access") else { return nil }
    return classes.contains("calendar-auto-schedule")
  }
}

/// The known facts about a server while one of its calendars is open.
final class CalendarMemory: Sendable {
  /// The server's copy of an item, read immediately before a write.
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

  /// Creates the memory of a server.
  ///
  /// - Parameter features: The header fields of the response that described the calendar.
  init(features: HTTPHeaders) {
    state = Mutex(State(features: features))
  }

  /// The header fields of the first response, which may announce the features of the server.
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

  /// Stores copies for the next writes and discards the remaining previous ones.
  func keep(_ copies: [Href: Copy]) {
    state.withLock { $0.copies = copies }
  }

  /// Returns the copy of an item once.
  func takeCopy(of href: Href) -> Copy? {
    state.withLock { state in
      defer { state.copy = nil }
      let copy = state.copies.removeValue(forKey: href)
      return state.copy?.href == href ? state.copy : copy
    }
  }
}

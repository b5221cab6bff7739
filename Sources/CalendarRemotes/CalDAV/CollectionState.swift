// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Synchronization

/// By what a calendar tells that something in it has changed; asking for it costs a small answer.
struct CollectionState: Hashable, Sendable {
  /// The properties that tell it: the tag of the whole (an extension of calendarserver.org that nearly
  /// all servers have), and the token of a sync report (RFC 6578 §4).
  static let properties: [XMLName] = [.calendarServer("getctag"), .dav("sync-token")]

  /// The longest tag or token that is remembered, in bytes.
  private static let lengthLimit = 2048

  /// The tag of the whole; nil if the server has none.
  var ctag: String?
  /// The token for a sync report; nil if the server has no such report.
  var token: String?
  /// Whether the state is that of a moment which is over, so that nothing else will bear its name.
  var isSettled = true

  init(ctag: String? = nil, token: String? = nil, isSettled: Bool = true) {
    self.ctag = ctag
    self.token = token
    self.isSettled = isSettled
  }

  /// Reads the state out of what a server says about the calendar.
  init(_ response: MultiStatus.Response) {
    ctag = Self.text(response.properties[.calendarServer("getctag")])
    token = Self.text(response.properties[.dav("sync-token")])
  }

  /// A tag or token as it is remembered; nil for none, and for what does not fit on a line.
  static func text(_ element: XMLElement?) -> String? {
    guard let text = element?.trimmedText, !text.isEmpty, text.utf8.count <= lengthLimit,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return text
  }

  /// Whether the state may be that of the second in which the answer was given.
  ///
  /// SOGo counts both tag and token in seconds: of two changes in one second, the later one has no new
  /// name. Only the time of day is compared, because a second of another day is far enough away.
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

/// What was told while the calendar was opened, to be used once instead of asking for it.
final class OpeningAnswer: Sendable {
  private let state: Mutex<CollectionState?>
  private let properties: Mutex<CollectionProperties?>

  init(_ state: CollectionState? = nil, _ properties: CollectionProperties? = nil) {
    self.state = Mutex(state)
    self.properties = Mutex(properties)
  }

  /// The state of the calendar, unless it was taken already.
  func takeState() -> CollectionState? {
    state.withLock { state in
      defer { state = nil }
      return state
    }
  }

  /// What the calendar says of itself, unless it was taken already.
  func takeProperties() -> CollectionProperties? {
    properties.withLock { properties in
      defer { properties = nil }
      return properties
    }
  }
}

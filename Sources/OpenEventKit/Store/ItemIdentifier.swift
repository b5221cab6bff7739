// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import EpactFoundation
import Foundation

/// The identifiers of events and reminders, which depend only on the calendar and the UID.
enum ItemIdentifier {
  /// The separator between the identifier of an event and the original start of a detached
  /// occurrence.
  private static let separator = "/RID="

  /// The local identifier: a digest of the calendar and the UID, in the form of a UUID.
  static func local(_ uid: UID, in calendar: String) -> String {
    StableIdentifier(of: "item", calendar, uid.rawValue).text
  }

  /// The identifier of an event; a detached occurrence has the seconds of its original start.
  static func event(_ uid: UID, in calendar: String, detachedAt start: Instant? = nil) -> String {
    let base = "\(calendar):\(uid.rawValue)"
    guard let start else { return base }
    let seconds = Int64(Date(start).timeIntervalSinceReferenceDate)
    return base + separator + String(seconds)
  }

  /// The parts of the identifier of an event.
  struct Parts: Hashable, Sendable {
    let calendar: String
    let uid: UID
    /// The original start of a detached occurrence.
    let start: Instant?
  }

  /// The possible meanings of the identifier of an event; a UID may look like a detached
  /// occurrence.
  static func parts(of identifier: String) -> [Parts] {
    guard let colon = identifier.firstIndex(of: ":") else { return [] }
    let calendar = String(identifier[..<colon])
    let rest = String(identifier[identifier.index(after: colon)...])
    let whole = Parts(calendar: calendar, uid: UID(rest), start: nil)
    guard let range = rest.range(of: separator, options: .backwards),
      let seconds = Int64(rest[range.upperBound...]),
      let start = Instant(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    else { return [whole] }
    return [
      whole, Parts(calendar: calendar, uid: UID(String(rest[..<range.lowerBound])), start: start),
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

/// All components that share one UID: the unit that is stored, merged and synced.
///
/// A recurring event is one item together with its overrides (RFC 5545 §3.8.4.4, RFC 4791 §4.1).
public struct CalendarItem: Hashable, Sendable {
  /// The UID that all components share.
  public let uid: UID
  /// What the item is.
  public let kind: ItemKind
  /// What the item means, whatever its spelling.
  public let fingerprint: Fingerprint
  /// A title for people: the summary of the main component, or the UID where there is none.
  public let title: String
  let bytes: [UInt8]

  /// Reads an iCalendar object that holds exactly one item.
  ///
  /// - Throws: `ItemError` if the bytes are not an iCalendar object, are cut off, or hold no item or
  ///   several: nothing that is not understood as a whole is ever taken for an item.
  public init(parsing bytes: [UInt8]) throws(ItemError) {
    throw ItemError(code: .notCalendar, message: "")
  }

  /// The item as an iCalendar object of its own: the bytes as they were read, while it is unchanged.
  public func serialized() -> [UInt8] { bytes }
}

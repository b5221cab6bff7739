// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// Something that happens once: an event, a reminder or a journal entry, or one of the times at which
/// it recurs (RFC 5545 §3.8.5).
///
/// ## Topics
///
/// ### What it is
/// - ``uid``
/// - ``recurrenceID``
/// - ``kind``
/// - ``component``
///
/// ### When it is
/// - ``start``
/// - ``end``
/// - ``interval``
/// - ``isAllDay``
public struct Occurrence: Hashable, Sendable {
  /// The component that describes it: that of the series, or an override (RFC 5545 §3.8.4.4).
  ///
  /// It shares the memory of the file that it was read from.
  public let component: Component
  /// The UID of its item; empty if the component has none.
  public let uid: UID
  /// What it is.
  public let kind: ItemKind
  /// When it would have started by its series, which names it there; nil if the item does not recur.
  public let recurrenceID: OccurrenceTime?
  /// When it starts.
  public let start: OccurrenceTime
  /// When it ends, which is not part of it any more: of a whole day, the next one.
  ///
  /// Of a reminder it is when it is due, and that may be a day that is part of it.
  public let end: OccurrenceTime
  /// From when until when it takes place, by the clock of whoever looks; empty if it takes no time.
  public let interval: Range<Instant>
  /// The place of what it was added from, as `OccurrenceQuery.add` was told it.
  public let source: Int
  /// The clock of the start.
  let clock: SeriesClock

  /// Whether it takes whole days.
  public var isAllDay: Bool { start.time.isAllDay }

  /// Whether it takes place at some time in a range.
  ///
  /// What takes no time is in the range if it is not before its start and before its end
  /// (RFC 4791 §9.9).
  func touches(_ range: Range<Instant>) -> Bool {
    guard interval.lowerBound < range.upperBound else { return false }
    return interval.upperBound > range.lowerBound || interval.lowerBound >= range.lowerBound
  }

  /// Whether it comes before another one in the order of ``Occurrences``.
  static func precedes(_ left: Occurrence, _ right: Occurrence) -> Bool? {
    if left.start.instant != right.start.instant { return left.start.instant < right.start.instant }
    if left.isAllDay != right.isAllDay { return left.isAllDay }
    if left.interval.upperBound != right.interval.upperBound {
      return left.interval.upperBound < right.interval.upperBound
    }
    if left.uid != right.uid { return left.uid < right.uid }
    if left.kind != right.kind { return left.kind < right.kind }
    let (leftID, rightID) = (left.recurrenceID?.instant, right.recurrenceID?.instant)
    if leftID != rightID {
      guard let leftID, let rightID else { return leftID == nil }
      return leftID < rightID
    }
    return left.source == right.source ? nil : left.source < right.source
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// A filter at a point in time, which decides whether items are inside, or when they will be.
struct FilterClock: Sendable {
  /// A margin of a day on each side makes the result independent of the viewer's time zone.
  private static let margin: Int64 = 1
  private static let utc = ZoneRules(
    fixed: LocalTimeType(offset: .zero, isDaylight: false, abbreviation: "UTC"), name: "UTC")
  /// The range of calendar dates: the years 1 through 9999.
  private static let always =
    Instant(
      utc: CivilDateTime(.first, .midnight))..<Instant(utc: CivilDateTime(.last, .midnight))

  private let filter: ItemFilter
  private let zones: ZoneResolver
  private let start: Instant
  /// The end of the window; nil if it has none.
  private let end: Instant?

  /// Creates a filter at a point in time.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - form: The normal form with the time zones.
  ///   - now: The point in time.
  init(_ filter: ItemFilter, _ form: NormalForm, at now: Instant) {
    self.filter = filter
    zones = form.zones ?? ZoneResolver(database: ZoneDatabase(folders: []))
    let start = filter.past.flatMap { now.adding(seconds: -Self.seconds($0)) }
    self.start = max(start ?? Self.always.lowerBound, Self.always.lowerBound)
    end = filter.future.flatMap { now.adding(seconds: Self.seconds($0)) }
  }

  private static func seconds(_ days: Int) -> Int64 {
    // A number of days beyond the range of calendar dates is equivalent to no limit.
    (Int64(min(max(days, 0), 4_000_000)) + margin) * 86_400
  }

  /// Applies the filter to an item.
  ///
  /// A series is inside if any of its occurrences is. An item without a time, such as a reminder
  /// without a date, is inside every window. So is a series with too many occurrences to expand.
  func verdict(on item: CalendarItem) -> FilterVerdict {
    if let kinds = filter.kinds, !kinds.contains(item.kind) { return .outside(until: nil) }
    guard filter.hasWindow, start < Self.always.upperBound else { return .inside }
    switch first(of: item, in: start..<Self.always.upperBound) {
    case .unknown: return .inside
    case .never:
      return first(of: item, in: Self.always) == .never ? .inside : .outside(until: nil)
    case .at(let first):
      guard let end, let days = filter.future, first >= end else { return .inside }
      return .outside(until: first.adding(seconds: -Self.seconds(days)))
    }
  }

  private enum First: Hashable {
    case at(Instant), never, unknown
  }

  /// The first occurrence of an item in a range, including one that began earlier and continues.
  private func first(of item: CalendarItem, in range: Range<Instant>) -> First {
    var options = OccurrenceOptions()
    // Cancelled occurrences are synchronized like all others.
    options.includesCancelled = true
    var query = OccurrenceQuery(in: range, viewer: Self.utc, zones: zones, options: options)
    query.add(item)
    var occurrences = query.occurrences().makeIterator()
    if let occurrence = occurrences.next() { return .at(occurrence.start.instant) }
    return occurrences.findings.isEmpty ? .never : .unknown
  }
}

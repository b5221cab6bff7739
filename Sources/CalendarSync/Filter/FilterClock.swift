// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// A filter at one moment: tells of items whether they are inside of it now, or when they will be.
struct FilterClock: Sendable {
  /// A day is added on each side, so that no zone in which somebody reads a day matters.
  private static let margin: Int64 = 1
  private static let utc = ZoneRules(
    fixed: LocalTimeType(offset: .zero, isDaylight: false, abbreviation: "UTC"), name: "UTC")
  /// All that a calendar can tell: the years 1 through 9999.
  private static let always =
    Instant(
      utc: CivilDateTime(.first, .midnight))..<Instant(utc: CivilDateTime(.last, .midnight))

  private let filter: ItemFilter
  private let zones: ZoneResolver
  private let start: Instant
  /// The end of the window; nil if it has none.
  private let end: Instant?

  /// Sets a filter to a moment.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - form: What knows the time zones.
  ///   - now: The moment.
  init(_ filter: ItemFilter, _ form: NormalForm, at now: Instant) {
    self.filter = filter
    zones = form.zones ?? ZoneResolver(database: ZoneDatabase(folders: []))
    let start = filter.past.flatMap { now.adding(seconds: -Self.seconds($0)) }
    self.start = max(start ?? Self.always.lowerBound, Self.always.lowerBound)
    end = filter.future.flatMap { now.adding(seconds: Self.seconds($0)) }
  }

  private static func seconds(_ days: Int) -> Int64 {
    // More days than there are in all years that a calendar can tell are as good as no limit.
    (Int64(min(max(days, 0), 4_000_000)) + margin) * 86_400
  }

  /// Looks at an item.
  ///
  /// A series is inside if any of its occurrences is. What takes place at no time, as a reminder that has
  /// no date, is inside of every window, and so is a series whose occurrences are too many to look through.
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

  /// When an item first takes place in a range, or has begun before and goes on in it.
  private func first(of item: CalendarItem, in range: Range<Instant>) -> First {
    var options = OccurrenceOptions()
    // What was cancelled is kept in step like all else.
    options.includesCancelled = true
    var query = OccurrenceQuery(in: range, viewer: Self.utc, zones: zones, options: options)
    query.add(item)
    var occurrences = query.occurrences().makeIterator()
    if let occurrence = occurrences.next() { return .at(occurrence.start.instant) }
    return occurrences.findings.isEmpty ? .never : .unknown
  }
}

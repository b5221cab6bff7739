// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CivilTime

/// A filter that selects the items that a sync copies from one side to the other.
///
/// A filter applies only to items that exist on one side and never existed on the other. Excluded
/// items stay where they are. Items on both sides remain synchronized, even if they are outside of
/// the filter by now. A filter never causes deletions, and items outside of it are not deleted.
///
/// ```swift
/// var filter = ItemFilter()
/// filter.past = 90
/// filter.kinds = [.event]
/// filter.text   // "past=90;components=VEVENT"
/// ```
public struct ItemFilter: Hashable, Sendable {
  /// The maximum number of days since the end of an item; nil for no limit.
  public var past: Int?
  /// The maximum number of days until the start of an item; nil for no limit.
  public var future: Int?
  /// The kinds of items; nil for all kinds.
  public var kinds: Set<ItemKind>?

  /// Creates a filter that includes all items.
  public init() {}

  /// Whether the filter can exclude items.
  public var isActive: Bool { self != ItemFilter() }

  /// Whether the result depends on the current time.
  var hasWindow: Bool { past != nil || future != nil }

  /// The stored form of the filter, for detecting changes; empty if it includes all items.
  public var text: String {
    let parts = [
      past.map { "past=\($0)" }, future.map { "future=\($0)" },
      kinds.map { "components=" + $0.sorted().map(\.rawValue).joined(separator: ",") },
    ]
    return parts.compactMap(\.self).joined(separator: ";")
  }
}

/// The result of a filter for an item.
enum FilterVerdict: Hashable, Sendable {
  /// The item is copied to the other side.
  case inside
  /// The item is not copied, at least until this time; nil if only an edit can change this.
  case outside(until: Instant?)
}

/// A filter at a point in time, which decides whether items are inside, or when they will be.
struct FilterClock: Sendable {
  /// A margin of a day on each side makes the result independent of the viewer's time zone.
  private static let margin: Int64 = 1
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
    var query = OccurrenceQuery(in: range, viewer: .utc, zones: zones, options: options)
    query.add(item)
    var occurrences = query.occurrences().makeIterator()
    if let occurrence = occurrences.next() { return .at(occurrence.start.instant) }
    return occurrences.findings.isEmpty ? .never : .unknown
  }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The occurrences of an item at all times, for several queries.
///
/// A query of a prepared item reads no values of its components again.
package struct PreparedItem: Sendable {
  fileprivate let singles: [Occurrence]
  fileprivate let stretches: [SeriesStream.Stretch]
  fileprivate let diagnostics: [Diagnostic]
  /// The number of the source, which the occurrences have in all queries.
  package let source: Int
}

extension OccurrenceQuery {
  /// All times that instants can have.
  private static let always =
    Instant(secondsSinceEpoch: .min)..<Instant(secondsSinceEpoch: .max)

  /// Prepares an item for queries with the same viewer, zones and options as this one.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - source: The number of the source.
  /// - Returns: The prepared item, which is not added to this query.
  package mutating func prepare(_ item: CalendarItem, source: Int) -> PreparedItem {
    let builder = build(
      item.components, item.timeZones, in: Self.always, source: source, isNewSource: true)
    return PreparedItem(
      singles: builder.singles, stretches: builder.stretches, diagnostics: builder.diagnostics,
      source: source)
  }

  /// Adds a prepared item.
  package mutating func add(_ item: PreparedItem) {
    for single in item.singles where single.touches(range) {
      take([single], [], [], source: item.source)
    }
    take([], item.stretches, item.diagnostics, source: item.source)
  }
}

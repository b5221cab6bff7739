// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// A query for occurrences or busy time, to which the components of items are added.
public protocol ComponentQuery: Sendable {
  /// The findings about the added items.
  var findings: [OccurrenceFinding] { get }

  /// Adds the components of one item.
  ///
  /// - Parameters:
  ///   - components: All components with the same UID and kind, in any order.
  ///   - timeZones: The VTIMEZONE components of the source. They must be the same for all items
  ///     that are
  ///     added consecutively from one source.
  ///   - source: A number chosen by the caller; results and findings contain it to identify their
  ///     source.
  mutating func add(components: [Component], timeZones: [Component], source: Int)
}

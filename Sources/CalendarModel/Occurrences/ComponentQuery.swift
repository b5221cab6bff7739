// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// A question about what takes place, to which the components of items are added.
public protocol ComponentQuery: Sendable {
  /// What there is to say of what was added.
  var findings: [OccurrenceFinding] { get }

  /// Adds the components of one item.
  ///
  /// - Parameters:
  ///   - components: All that share a UID and a kind, in any order.
  ///   - timeZones: The VTIMEZONE components of the source, which must be the same for all items that
  ///     are added from one source after the other.
  ///   - source: A number of the caller's by which answers and findings tell where they are from.
  mutating func add(components: [Component], timeZones: [Component], source: Int)
}

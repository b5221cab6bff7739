// SPDX-License-Identifier: Apache-2.0

/// A source of time zones for machines without zone files.
public protocol ZoneFallback: Sendable {
  /// A description of the source for people.
  var source: String { get }
  /// The version of the zones, such as `2022e`, or nil if it is unknown.
  var version: String? { get }
  /// The names of all zones.
  var names: [String] { get }

  /// Returns the rules of a zone.
  ///
  /// - Parameter name: One of ``names``.
  /// - Returns: The rules, with that name.
  /// - Throws: `ZoneError` if the zone cannot be loaded.
  func rules(named name: String) throws(ZoneError) -> ZoneRules
}

// SPDX-License-Identifier: Apache-2.0

/// Time zones from somewhere else than files, for machines that have no files of them.
public protocol ZoneFallback: Sendable {
  /// What the zones come from, for people.
  var source: String { get }
  /// The version of the zones, such as `2022e`, or nil if that is not known.
  var version: String? { get }
  /// The names of all zones.
  var names: [String] { get }

  /// The rules of a zone.
  ///
  /// - Parameter name: One of ``names``.
  /// - Returns: The rules, under that name.
  /// - Throws: `ZoneError` if they cannot be told.
  func rules(named name: String) throws(ZoneError) -> ZoneRules
}

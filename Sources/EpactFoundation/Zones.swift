// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
public import Foundation

extension TimeZone {
  /// Creates Foundation's time zone for a resolved TZID.
  ///
  /// Foundation has its own rules, from the Unicode project. They can differ from those of the
  /// system's zone files where a government changed them recently. The result is nil if only a
  /// VTIMEZONE defines the zone, if the TZID is unknown, or if Foundation has no zone of this name
  /// or offset.
  public init?(_ zone: ResolvedZone) {
    switch zone.meaning {
    case .named(let name): self.init(identifier: name)
    case .fixed(let offset): self.init(offset)
    case .embedded, .floating: return nil
    }
  }

  /// Creates Foundation's time zone with the name of some rules; nil if it has none.
  public init?(_ rules: ZoneRules) {
    self.init(identifier: rules.name)
  }

  /// Creates a time zone with a constant offset; nil if Foundation cannot represent it exactly.
  public init?(_ offset: UTCOffset) {
    self.init(secondsFromGMT: Int(offset.seconds))
    guard secondsFromGMT() == Int(offset.seconds) else { return nil }
  }
}

extension ZoneResolver {
  /// Resolves the identifier of Foundation's time zone, such as `Europe/Berlin` or `GMT+0530`.
  public func resolve(_ timeZone: TimeZone) -> ResolvedZone {
    resolve(timeZone.identifier)
  }

  /// The rules for Foundation's time zone, from the time zone database of the resolver.
  ///
  /// ```swift
  /// let rules = try ZoneResolver().rules(of: TimeZone.current)
  /// ```
  ///
  /// - Parameter timeZone: The time zone.
  /// - Returns: The rules, whose name is that of the database.
  /// - Throws: `ZoneResolutionError` if the database has no zone of this name.
  public func rules(of timeZone: TimeZone) throws(ZoneResolutionError) -> ZoneRules {
    try rules(of: resolve(timeZone))
  }
}

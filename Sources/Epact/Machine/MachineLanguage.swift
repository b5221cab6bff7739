// SPDX-License-Identifier: Apache-2.0

public import CalendarLanguage
public import CivilTime
public import ICUServices

/// The clock, the locale and the time zones of a machine for what people write.
extension DatePhrases {
  /// Creates a parser for the clock and the locale of a machine.
  ///
  /// - Parameters:
  ///   - machine: The clock and the locale.
  ///   - zone: The viewer's time zone.
  /// - Throws: `ICUError` if ICU lacks its data.
  public init(machine: Machine, zone: ZoneRules) throws(ICUError) {
    self.init(
      now: machine.now(), zone: zone, language: try DateLanguage(locale: machine.dateLocale),
      zones: PhraseZones(machine.zoneResolver))
  }
}

extension QueryMatcher {
  /// Creates a matcher.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - machine: The time zones and the calendar systems.
  ///   - viewer: The viewer's time zone, for dates and floating times.
  public init(_ query: ItemQuery, machine: Machine = .live(), viewer: ZoneRules) {
    self.init(
      query, zones: machine.zoneResolver, viewer: viewer, recurrence: machine.recurrenceOptions)
  }
}

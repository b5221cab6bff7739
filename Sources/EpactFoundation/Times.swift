// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
public import Foundation

/// The seconds from 1970-01-01T00:00:00Z to 2001-01-01T00:00:00Z, from which a `Date` counts.
private let referenceSeconds: Int64 = 978_307_200

extension Instant {
  /// Creates the instant of a date; a fraction of a second is dropped, towards the past.
  ///
  /// ```swift
  /// Instant(Date(timeIntervalSince1970: -0.5))   // 1969-12-31T23:59:59Z
  /// ```
  ///
  /// It is nil if the date is not a number, or if it is more than 292 billion years away.
  public init?(_ date: Date) {
    // Both counts start at a whole second, so that the fraction is the same in each. The sum of the
    // two could round it up.
    let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
    guard let whole = Int64(exactly: seconds) else { return nil }
    let (sum, overflow) = whole.addingReportingOverflow(referenceSeconds)
    guard !overflow else { return nil }
    self.init(secondsSinceEpoch: sum)
  }

  /// Creates the instant of a date, or returns nil if the date has a fraction of a second.
  public init?(exactly date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.rounded(.down) == seconds else { return nil }
    self.init(date)
  }
}

extension Date {
  /// Creates the date of an instant.
  ///
  /// It is exact for 285 million years around 2001, and the nearest date beyond that.
  public init(_ instant: Instant) {
    let seconds = instant.secondsSinceEpoch
    let (sum, overflow) = seconds.subtractingReportingOverflow(referenceSeconds)
    self.init(
      timeIntervalSinceReferenceDate: overflow
        ? Double(seconds) - Double(referenceSeconds) : Double(sum))
  }
}

extension CivilDate {
  /// Creates a date from its year, month and day, or returns nil if it does not exist.
  ///
  /// The year is counted in the proleptic Gregorian calendar, from 1 through 9999. Other fields,
  /// such as the hour and the time zone, are ignored. It is nil if a field is missing or out of
  /// range, if the year is before the common era, or if the components belong to another calendar,
  /// whose months and years differ.
  public init?(_ components: DateComponents) {
    guard let year = components.year, let month = components.month, let day = components.day,
      components.era ?? 1 == 1, components.isLeapMonth != true, components.isGregorian
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

extension CivilDateTime {
  /// Creates a time from its date, hour and minute, or returns nil if it does not exist.
  ///
  /// The second is zero if it is missing, and 60 for a leap second. The time zone is ignored. It is
  /// nil if a field is missing or out of range, or if there are nanoseconds, which iCalendar cannot
  /// express.
  public init?(_ components: DateComponents) {
    guard let date = CivilDate(components), let hour = components.hour,
      let minute = components.minute, components.nanosecond ?? 0 == 0,
      let time = TimeOfDay(hour: hour, minute: minute, second: components.second ?? 0)
    else { return nil }
    self.init(date, time)
  }
}

extension EventTime {
  /// Creates a time from components, as EventKit reads them.
  ///
  /// | components | time |
  /// |---|---|
  /// | no hour, minute or second | a day |
  /// | no time zone | a floating time |
  /// | the time zone GMT or UTC | a time in UTC |
  /// | another time zone | a local time, whose TZID is the identifier |
  ///
  /// It is nil if the fields are neither a date nor a time.
  public init?(_ components: DateComponents) {
    if components.hour == nil, components.minute == nil, components.second == nil {
      guard components.nanosecond ?? 0 == 0, let date = CivilDate(components) else { return nil }
      self = .date(date)
      return
    }
    guard let time = CivilDateTime(components) else { return nil }
    guard let zone = components.timeZone else {
      self = .floating(time)
      return
    }
    self =
      ["GMT", "UTC"].contains(zone.identifier)
      ? .utc(time) : .zoned(time, tzID: zone.identifier)
  }
}

extension DateComponents {
  /// Creates the year, month and day of a date, in the proleptic Gregorian calendar.
  ///
  /// No calendar is set. Foundation's `.gregorian` counts the days before 15 October 1582 in the
  /// Julian calendar.
  public init(_ date: CivilDate) {
    self.init(year: date.year, month: date.month, day: date.day)
  }

  /// Creates the fields of a time through the second, and optionally the zone of its clock.
  public init(_ time: CivilDateTime, timeZone: TimeZone? = nil) {
    self.init(time.date)
    hour = time.time.hour
    minute = time.time.minute
    second = time.time.second
    self.timeZone = timeZone
  }

  /// Creates the fields of a time, with a time zone unless it is a day or a floating time.
  ///
  /// They are nil if Foundation has no time zone for the TZID.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - zones: The resolver of its TZID.
  public init?(_ time: EventTime, zones: ZoneResolver = .system) {
    switch time {
    case .date(let date): self.init(date)
    case .floating(let wall): self.init(wall)
    case .utc(let wall): self.init(wall, timeZone: .gmt)
    case .zoned(let wall, let tzID):
      guard let zone = TimeZone(zones.resolve(tzID)) else { return nil }
      self.init(wall, timeZone: zone)
    }
  }

  /// Whether the months and years are those of the Gregorian calendar, as without a calendar.
  fileprivate var isGregorian: Bool {
    guard let identifier = calendar?.identifier else { return true }
    return identifier == .gregorian || identifier == .iso8601
  }
}

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

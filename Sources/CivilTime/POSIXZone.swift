// SPDX-License-Identifier: Apache-2.0

/// A zone with the same transitions every year (RFC 9636 §3.3, the footer of a TZif file).
///
/// ```text
/// CET-1CEST,M3.5.0,M10.5.0/3
/// │     │    │      └ daylight time ends on the last Sunday of October at 03:00
/// │     │    └─────── and starts on the last Sunday of March at 02:00
/// │     └──────────── its name
/// └────────────────── standard time is one hour east, which POSIX writes as a minus
/// ```
package struct POSIXZone: Hashable, Sendable {
  /// A yearly transition: a day and a time of day.
  package struct Change: Hashable, Sendable {
    /// The ways to specify a day.
    package enum Day: Hashable, Sendable {
      /// The `week`-th weekday of a month, or the last one if `week` is 5.
      case weekday(month: Int, week: Int, weekday: Weekday)
      /// A day from 1 through 365 that never counts February 29.
      case julian(Int)
      /// A day from 0 through 365 that counts February 29.
      case zeroBased(Int)
    }

    /// The day.
    package let day: Day
    /// The wall-clock time before the transition, in seconds from midnight (-604,799 to 604,799).
    package let seconds: Int

    package init(day: Day, seconds: Int) {
      self.day = day
      self.seconds = seconds
    }

    /// The wall-clock seconds of the transition in a year.
    func wallSeconds(year: Int) -> Int64 {
      Int64(dayNumber(year: year)) * 86_400 + Int64(seconds)
    }

    private func dayNumber(year: Int) -> Int {
      switch day {
      case .weekday(let month, let week, let weekday):
        let first = CivilDate.dayNumber(year: year, month: month, day: 1)
        var place = weekday.days(since: Weekday(dayNumber: first)) + (week - 1) * 7
        if place >= CivilDate.daysInMonth(month, of: year) { place -= 7 }
        return first + place
      case .julian(let day):
        let isAfterLeapDay = CivilDate.isLeapYear(year) && day >= 60
        return CivilDate.dayNumber(year: year, month: 1, day: isAfterLeapDay ? day + 1 : day)
      case .zeroBased(let day):
        return CivilDate.dayNumber(year: year, month: 1, day: 1) + day
      }
    }
  }

  /// The daylight saving time of every year.
  package struct Daylight: Hashable, Sendable {
    /// The local time during daylight saving time.
    package let type: LocalTimeType
    /// The start, on clocks in standard time.
    package let start: Change
    /// The end, on clocks in daylight saving time.
    package let end: Change

    package init(type: LocalTimeType, start: Change, end: Change) {
      self.type = type
      self.start = start
      self.end = end
    }
  }

  /// The local time outside of daylight saving time.
  package let standard: LocalTimeType
  /// The daylight saving time, or nil if the zone has none.
  package let daylight: Daylight?

  package init(standard: LocalTimeType, daylight: Daylight?) {
    self.standard = standard
    self.daylight = daylight
  }

  /// The period between two transitions that contains a second.
  func segment(at second: Int64) -> ZoneSegment {
    guard let daylight else { return ZoneSegment(start: .min, end: .max, type: standard) }
    let day = second / 86_400
    let date =
      CivilDate(dayNumber: Int(day)) ?? (second < 0 ? CivilDate.first : CivilDate.last)
    // A transition is at most a week and an offset away from its day, and the division rounds a day
    // up before 1970. So the three years around the date contain the adjacent transitions, except
    // near the turn of the year.
    let isNearNewYear = !(11...354 ~= date.dayOfYear)
    let reach = isNearNewYear ? 2 : 1
    var segment = ZoneSegment(start: .min, end: .max, type: standard)
    for year in date.year - reach...date.year + reach {
      let start =
        daylight.start.wallSeconds(year: year) - Int64(standard.offset.seconds)
      let end = daylight.end.wallSeconds(year: year) - Int64(daylight.type.offset.seconds)
      segment.narrow(around: second, change: start, to: daylight.type)
      segment.narrow(around: second, change: end, to: standard)
    }
    return segment
  }
}

/// A period between two transitions of a zone, in seconds since the epoch.
struct ZoneSegment {
  /// The first second of the period, or `Int64.min`.
  var start: Int64
  /// The first second after the period, or `Int64.max`.
  var end: Int64
  /// The local time in the period.
  var type: LocalTimeType

  /// Ends the segment at a transition after `second`, or starts it at one before.
  ///
  /// Of two transitions at the same second the later call wins: where daylight time ends and starts
  /// again at once, it never ends.
  mutating func narrow(around second: Int64, change: Int64, to type: LocalTimeType) {
    if change > second {
      end = min(end, change)
    } else if change >= start {
      start = change
      self.type = type
    }
  }
}

// std offset [dst [offset] "," start ["/" time] "," end ["/" time]]
//
// std, dst  three letters or more, or letters, digits, "+" and "-" between "<" and ">"
// offset    ["+" / "-"] hh [":" mm [":" ss]], west of Greenwich
// start,end "J" 1…365  /  0…365  /  "M" month "." week "." weekday, with Sunday as 0
// time      as offset, with hours up to 167 (RFC 9636 §3.3.1)

extension POSIXZone {
  /// Reads the footer of a TZif file (RFC 9636 §3.3.1).
  ///
  /// - Parameter bytes: The footer without its newlines; not empty.
  /// - Throws: `BasicFormatError` at the first invalid character.
  package init(parsing bytes: Span<UInt8>) throws(BasicFormatError) {
    var scanner = BasicScanner(section: "RFC 9636 §3.3.1")
    let standardName = try scanner.zoneName(bytes)
    let standardSeconds = -(try scanner.clock(bytes, hours: 0...24))
    let standard = LocalTimeType(
      offset: try scanner.zoneOffset(bytes, standardSeconds), isDaylight: false,
      abbreviation: standardName)
    guard scanner.index < bytes.count else {
      self.init(standard: standard, daylight: nil)
      return
    }
    let daylightName = try scanner.zoneName(bytes)
    var daylightSeconds = standardSeconds + 3600
    if scanner.index < bytes.count, bytes[scanner.index] != UInt8(ascii: ",") {
      daylightSeconds = -(try scanner.clock(bytes, hours: 0...24))
    }
    let type = LocalTimeType(
      offset: try scanner.zoneOffset(bytes, daylightSeconds), isDaylight: true,
      abbreviation: daylightName)
    let start = try scanner.change(bytes)
    let end = try scanner.change(bytes)
    try scanner.end(bytes)
    self.init(standard: standard, daylight: Daylight(type: type, start: start, end: end))
  }
}

extension BasicScanner {
  fileprivate mutating func zoneName(_ bytes: Span<UInt8>) throws(BasicFormatError) -> String {
    let isQuoted = skip("<", in: bytes)
    let start = index
    while index < bytes.count, isNameByte(bytes[index], isQuoted: isQuoted) { index += 1 }
    let length = index - start
    guard length >= 3 else {
      throw error(bytes, length: 1, expected: "a zone's name of three letters or more")
    }
    if isQuoted, !skip(">", in: bytes) { throw error(bytes, length: 1, expected: "\">\"") }
    return text(bytes, from: start, length: length)
  }

  private func isNameByte(_ byte: UInt8, isQuoted: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
    default: false
    }
  }

  fileprivate func zoneOffset(
    _ bytes: Span<UInt8>, _ seconds: Int
  ) throws(BasicFormatError) -> UTCOffset {
    guard let offset = UTCOffset(seconds: seconds) else {
      throw error(bytes, length: 1, expected: "an offset of less than 26 hours")
    }
    return offset
  }

  /// Reads signed hours, minutes and seconds, and returns them in seconds.
  fileprivate mutating func clock(
    _ bytes: Span<UInt8>, hours: ClosedRange<Int>
  ) throws(BasicFormatError) -> Int {
    let isNegative = sign(bytes) ?? false
    var seconds = try number(bytes, in: hours, "an hour") * 3600
    if skip(":", in: bytes) {
      seconds += try number(bytes, in: 0...59, "a minute") * 60
      if skip(":", in: bytes) { seconds += try number(bytes, in: 0...59, "a second") }
    }
    return isNegative ? -seconds : seconds
  }

  private mutating func number(
    _ bytes: Span<UInt8>, in range: ClosedRange<Int>, _ name: String
  ) throws(BasicFormatError) -> Int {
    let start = index
    if let number = number(bytes), range ~= number { return number }
    let length = max(1, index - start)
    index = start
    throw error(
      bytes, length: length,
      expected: "\(name) from \(range.lowerBound) through \(range.upperBound)")
  }

  fileprivate mutating func change(
    _ bytes: Span<UInt8>
  ) throws(BasicFormatError) -> POSIXZone.Change {
    guard skip(",", in: bytes) else {
      throw error(bytes, length: 1, expected: "\",\" and a day of change")
    }
    let day = try changeDay(bytes)
    let seconds = skip("/", in: bytes) ? try clock(bytes, hours: 0...167) : 7200
    return POSIXZone.Change(day: day, seconds: seconds)
  }

  private mutating func changeDay(
    _ bytes: Span<UInt8>
  ) throws(BasicFormatError) -> POSIXZone.Change.Day {
    if skip("J", in: bytes) { return .julian(try number(bytes, in: 1...365, "a day")) }
    guard skip("M", in: bytes) else {
      return .zeroBased(try number(bytes, in: 0...365, "a day"))
    }
    let month = try number(bytes, in: 1...12, "a month")
    try dot(bytes)
    let week = try number(bytes, in: 1...5, "a week")
    try dot(bytes)
    let sundayBased = try number(bytes, in: 0...6, "a weekday")
    let weekday = Weekday(rawValue: UInt8((sundayBased + 6) % 7)) ?? .sunday
    return .weekday(month: month, week: week, weekday: weekday)
  }

  private mutating func dot(_ bytes: Span<UInt8>) throws(BasicFormatError) {
    guard skip(".", in: bytes) else { throw error(bytes, length: 1, expected: "\".\"") }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The zone of a vCalendar 1.0 file: its TZ property, and a DAYLIGHT property per DST year.
///
/// ```text
/// TZ:-0600
/// DAYLIGHT:TRUE;-0500;19960407T020000;19961027T020000;CST;CDT
/// ```
///
/// It is converted to a VTIMEZONE with a generated name, which times without a `Z` refer to. The
/// two transitions are read as wall-clock times just before the transition, as in iCalendar and as
/// programs write them, because the specification does not define it.
struct VCalendarZone {
  /// The daylight saving time of one year.
  private struct Daylight {
    let offset: UTCOffset
    /// The start, on the clock in standard time.
    let start: CivilDateTime
    /// The end, on the clock in daylight saving time.
    let end: CivilDateTime
    let standardName: String
    let daylightName: String
  }

  /// The standard offset, if given or derived from the daylight offset.
  private var offset: UTCOffset?
  private var years: [Daylight] = []
  /// The maximum number of years with daylight saving time.
  private static let yearLimit = 1000

  /// Whether the zone is known, so that local times can be converted to UTC.
  var isKnown: Bool { offset != nil }

  /// Parses a TZ property, and returns false if it is not an offset.
  mutating func take(tz text: String) -> Bool {
    guard let offset = Self.offset(text) else { return false }
    self.offset = offset
    return true
  }

  /// Parses a DAYLIGHT property, and returns false if it is invalid.
  mutating func take(daylight text: String) -> Bool {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
      String(part.filter { !$0.isWhitespace })
    }
    guard parts.first?.isEqualIgnoringASCIICase(to: "FALSE") == false else {
      return parts.first != nil
    }
    guard parts.count >= 4, let daylight = Self.offset(parts[1]),
      let start = VCalendarTime(parts[2]), let end = VCalendarTime(parts[3]),
      years.count < Self.yearLimit
    else { return false }
    // Without a preceding TZ, daylight saving time is assumed to be one hour ahead.
    let standard = offset ?? UTCOffset(seconds: Int(daylight.seconds) - 3600) ?? daylight
    guard let localStart = Self.local(start, at: standard),
      let localEnd = Self.local(end, at: daylight)
    else { return false }
    offset = standard
    years.append(
      Daylight(
        offset: daylight, start: localStart, end: localEnd,
        standardName: parts.count > 4 ? parts[4] : "", daylightName: parts.count > 5 ? parts[5] : ""
      ))
    return true
  }

  /// The name of the zone, derived from its rules, so that calendars with the same rules share it.
  var name: String {
    guard let offset else { return "" }
    var words = ["vCalendar", offset.description]
    if let first = years.first, !first.standardName.isEmpty || !first.daylightName.isEmpty {
      words.append("\(first.standardName)/\(first.daylightName)")
    }
    if let first = years.map(\.start.date.year).min(), let last = years.map(\.start.date.year).max()
    {
      words.append(first == last ? "\(first)" : "\(first)-\(last)")
    }
    return words.joined(separator: " ")
  }

  /// Converts a local time to UTC, or returns nil if the zone is unknown.
  func utc(_ local: CivilDateTime) -> CivilDateTime? {
    guard let offset else { return nil }
    let year = years.first { $0.start <= local && local < $0.end }
    return local.adding(seconds: -Int64((year?.offset ?? offset).seconds))
  }

  /// Creates the VTIMEZONE (RFC 5545 §3.6.5), or returns nil if the zone is unknown.
  func definition(position: SourcePosition?) -> Component? {
    guard let offset else { return nil }
    func property(_ name: PropertyName, _ text: String) -> Property {
      Property(
        name, valueBytes: Array(TextEscaping.escape(text).utf8), parameters: [],
        position: position)
    }
    func observance(
      _ kind: ComponentName, _ start: String, from: UTCOffset, to: UTCOffset, _ name: String
    ) -> Component {
      var properties = [
        property(.dtStart, start), property(.tzOffsetFrom, from.description),
        property(.tzOffsetTo, to.description),
      ]
      if !name.isEmpty { properties.append(property(.tzName, name)) }
      return Component(kind, properties: properties, components: [], position: position)
    }
    var observances = [
      observance(
        .standard, "19700101T000000", from: offset, to: offset, years.first?.standardName ?? "")
    ]
    for year in years {
      observances += [
        observance(
          .daylight, year.start.description, from: offset, to: year.offset, year.daylightName),
        observance(
          .standard, year.end.description, from: year.offset, to: offset, year.standardName),
      ]
    }
    return Component(
      .timeZone, properties: [property(.tzID, name)], components: observances,
      position: position)
  }

  private static func local(_ time: VCalendarTime, at offset: UTCOffset) -> CivilDateTime? {
    time.isUTC ? time.value.adding(seconds: Int64(offset.seconds)) : time.value
  }

  /// Parses an offset such as `-06`, `-0600`, `+05:30` or `-5`.
  private static func offset(_ text: String) -> UTCOffset? {
    let trimmed = text.filter { !$0.isWhitespace && $0 != ":" }
    guard let sign = trimmed.first, sign == "+" || sign == "-" else { return nil }
    var digits = trimmed.dropFirst()
    if digits.count == 1 || digits.count == 3 { digits = "0" + digits }
    if digits.count == 2 { digits += "00" }
    let bytes = Array("\(digits == "0000" ? "+" : sign)\(digits)".utf8)
    return try? BasicFormat.utcOffset(bytes.span)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The zone of a vCalendar 1.0: its TZ property, and a DAYLIGHT property for each year that has
/// daylight time.
///
/// ```text
/// TZ:-0600
/// DAYLIGHT:TRUE;-0500;19960407T020000;19961027T020000;CST;CDT
/// ```
///
/// It becomes a VTIMEZONE with a name of its own, and times without a `Z` refer to it. The two changes
/// are taken for what the clock shows just before, as in iCalendar and as programs write them, since
/// the specification does not say.
struct VCalendarZone {
  /// Daylight time of one year.
  private struct Daylight {
    let offset: UTCOffset
    /// When it begins, on the clock of standard time.
    let start: CivilDateTime
    /// When it ends, on the clock of daylight time.
    let end: CivilDateTime
    let standardName: String
    let daylightName: String
  }

  /// The offset of standard time, if it was given or follows from that of daylight time.
  private var offset: UTCOffset?
  private var years: [Daylight] = []
  /// The most years with daylight time that are kept.
  private static let yearLimit = 1000

  /// Whether local times have a place on the globe.
  var isKnown: Bool { offset != nil }

  /// Takes the value of a TZ property; false if it is no offset.
  mutating func take(tz text: String) -> Bool {
    guard let offset = Self.offset(text) else { return false }
    self.offset = offset
    return true
  }

  /// Takes the value of a DAYLIGHT property; false if it cannot be understood.
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
    // Without a TZ before it, daylight time is an hour ahead, as almost everywhere.
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

  /// The name of the zone: what it is made of, so that calendars with the same rules share it.
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

  /// A time on the zone's clock in UTC, or nil if the zone is not known.
  func utc(_ local: CivilDateTime) -> CivilDateTime? {
    guard let offset else { return nil }
    let year = years.first { $0.start <= local && local < $0.end }
    return local.adding(seconds: -Int64((year?.offset ?? offset).seconds))
  }

  /// The definition of the zone (RFC 5545 §3.6.5), or nil if it is not known.
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

  /// An offset such as `-06`, `-0600`, `+05:30` or `-5`.
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

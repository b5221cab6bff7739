// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// Display names of time zones that programs write to files, and numbers that denote zones.
///
/// ``WindowsZoneNames`` has the Windows names.
enum ZoneAliases {
  /// The zone for a display name, regardless of case; nil if unknown.
  static func zone(named name: String) -> String? { names[WindowsZoneNames.folded(name)] }

  /// The zone for a value of X-MICROSOFT-CDO-TZID; nil if it is unknown or ambiguous.
  ///
  /// For example, 2 is both Lisbon and Sarajevo, and 52 is not a zone.
  static func zone(ofMicrosoft number: Int) -> String? {
    microsoft.indices.contains(number) ? microsoft[number] : nil
  }

  /// Whether a name is an abbreviation of several zones, and therefore ambiguous.
  static func isAmbiguous(_ name: String) -> Bool { abbreviations.contains(name.lowercased()) }

  private static let names: [String: String] = [
    "eastern daylight time": "America/New_York", "central daylight time": "America/Chicago",
    "mountain daylight time": "America/Denver", "pacific daylight time": "America/Los_Angeles",
    "alaska time": "America/Anchorage", "hawaii time": "Pacific/Honolulu",
    "canada/east-saskatchewan": "America/Regina", "midway island, samoa": "Pacific/Midway",
    "buenos aires": "America/Argentina/Buenos_Aires", "astana": "Asia/Almaty",
    "nur-sultan": "Asia/Almaty", "saskatchewan": "America/Regina", "arizona": "America/Phoenix",
    "alaska": "America/Anchorage", "hawaii": "Pacific/Honolulu", "brasilia": "America/Sao_Paulo",
    "newfoundland": "America/St_Johns", "indiana (east)": "America/Indianapolis",
    "greenwich mean time": "UTC", "coordinated universal time": "UTC",
    "british summer time": "Europe/London", "western european time": "Europe/Lisbon",
    "western european standard time": "Europe/Lisbon",
    "western european summer time": "Europe/Lisbon",
    "western/central europe": "Europe/Berlin", "central european time": "Europe/Berlin",
    "central european summer time": "Europe/Berlin", "eastern european time": "Europe/Bucharest",
    "eastern european standard time": "Europe/Bucharest",
    "eastern european summer time": "Europe/Bucharest", "moscow standard time": "Europe/Moscow",
    "westeuropäische zeit": "Europe/London", "mitteleuropäische zeit": "Europe/Berlin",
    "mitteleuropäische sommerzeit": "Europe/Berlin", "osteuropäische zeit": "Europe/Bucharest",
    "heure d'europe centrale": "Europe/Paris",
    "hora estándar romance": "Europe/Madrid", "hora de europa central": "Europe/Madrid",
    "ora dell'europa centrale": "Europe/Rome",
    "midden-europese tijd": "Europe/Amsterdam", "centraleuropeisk tid": "Europe/Stockholm",
    "калининград": "Europe/Kaliningrad", "москва": "Europe/Moscow", "самара": "Europe/Samara",
    "екатеринбург": "Asia/Yekaterinburg", "омск": "Asia/Omsk", "новосибирск": "Asia/Novosibirsk",
    "красноярск": "Asia/Krasnoyarsk", "иркутск": "Asia/Irkutsk", "якутск": "Asia/Yakutsk",
    "владивосток": "Asia/Vladivostok", "магадан": "Asia/Magadan", "киев": "Europe/Kyiv",
    "київ": "Europe/Kyiv", "минск": "Europe/Minsk",
    "beijing, chongqing, hong kong, urumqi": "Asia/Shanghai", "beijing": "Asia/Shanghai",
    "chennai, kolkata, mumbai, new delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata",
    "osaka, sapporo, tokyo": "Asia/Tokyo", "abu dhabi, muscat": "Asia/Dubai",
    "islamabad, karachi": "Asia/Karachi", "wellington, auckland": "Pacific/Auckland",
  ]

  /// Abbreviations that several zones share, and that the database therefore does not have.
  private static let abbreviations: Set<String> = [
    "act", "adt", "akdt", "akst", "amt", "art", "ast", "bst", "cat", "cdt", "cest", "cst", "eat",
    "edt", "ect", "eest", "gst", "hadt", "hdt", "ist", "jst", "kst", "mdt", "mesz", "mez", "msk",
    "nst", "nzdt", "nzst", "pdt", "pst", "sast", "sst", "wat", "west", "wst",
  ]

  /// The zones by the numbers of Microsoft's CDO library.
  private static let microsoft: [String?] = [
    "UTC", "Europe/London", nil, "Europe/Paris", "Europe/Berlin", "Europe/Bucharest",
    "Europe/Prague", "Europe/Athens", "America/Sao_Paulo", "America/Halifax", "America/New_York",
    "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Anchorage",
    "Pacific/Honolulu", "Pacific/Midway", "Pacific/Auckland", "Australia/Brisbane",
    "Australia/Adelaide", "Asia/Tokyo", "Asia/Singapore", "Asia/Bangkok", "Asia/Kolkata",
    "Asia/Dubai", "Asia/Tehran", "Asia/Baghdad", "Asia/Jerusalem", "America/St_Johns",
    "Atlantic/Azores", "America/Noronha", "Africa/Casablanca", "America/Argentina/Buenos_Aires",
    "America/La_Paz", "America/Indiana/Indianapolis", "America/Bogota", "America/Regina",
    "America/Mexico_City", "America/Phoenix", "Pacific/Kwajalein", "Pacific/Fiji", "Asia/Magadan",
    "Australia/Hobart", "Pacific/Guam", "Australia/Darwin", "Asia/Shanghai", "Asia/Almaty",
    "Asia/Karachi", "Asia/Kabul", "Africa/Cairo", "Africa/Harare", "Europe/Moscow", nil,
    "Atlantic/Cape_Verde", "Asia/Tbilisi", "America/Guatemala", "Africa/Nairobi",
    "Australia/Melbourne", "Asia/Yekaterinburg", "Europe/Helsinki", "America/Nuuk", "Asia/Yangon",
    "Asia/Kathmandu", "Asia/Irkutsk", "Asia/Krasnoyarsk", "America/Santiago", "Asia/Colombo",
    "Pacific/Tongatapu", "Asia/Vladivostok", "Africa/Lagos", "Asia/Yakutsk", "Asia/Dhaka",
    "Asia/Seoul", "Australia/Perth", "Asia/Riyadh", "Asia/Taipei", "Australia/Sydney",
  ]
}

/// A time zone name that is a UTC offset, or starts with one.
///
/// Examples are `UTC+2`, `GMT-0530`, `(GMT +01.00)` and `(UTC+01:00) Amsterdam, Berlin`.
struct FixedOffsetName {
  /// The offset, positive east of Greenwich.
  let offset: UTCOffset
  /// The text after the offset, without surrounding spaces.
  let rest: String

  /// Parses a name; nil if it does not start with an offset.
  ///
  /// `Etc/GMT+5` does not match: it is a name of the database, with the opposite sign.
  init?(_ name: String) {
    var bytes = Array(name.replacing("\u{2212}", with: "-").utf8)[...]
    let isParenthesized = bytes.first == UInt8(ascii: "(")
    if isParenthesized { bytes.removeFirst() }
    Self.dropSpaces(&bytes)
    let prefix = String(decoding: bytes.prefix(3), as: UTF8.self).asciiUppercased
    let isNamed = prefix == "UTC" || prefix == "GMT"
    if isNamed { bytes.removeFirst(3) }
    Self.dropSpaces(&bytes)
    var seconds = 0
    if let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      bytes.removeFirst()
      guard let magnitude = Self.seconds(&bytes, isNamed: isNamed) else { return nil }
      seconds = sign == UInt8(ascii: "-") ? -magnitude : magnitude
    } else if !isNamed || !isParenthesized {
      // UTC alone is a name.
      return nil
    }
    Self.dropSpaces(&bytes)
    if isParenthesized {
      guard bytes.first == UInt8(ascii: ")") else { return nil }
      bytes.removeFirst()
      Self.dropSpaces(&bytes)
    }
    guard let offset = UTCOffset(seconds: seconds) else { return nil }
    self.offset = offset
    rest = ZoneResolver.normalized(String(decoding: bytes, as: UTF8.self))
  }

  /// The offset of a name that consists only of an offset, or nil.
  static func offset(of name: String) -> UTCOffset? {
    guard let name = FixedOffsetName(name), name.rest.isEmpty else { return nil }
    return name.offset
  }

  /// Whether a name is UTC or GMT in parentheses, without an offset or with a zero offset.
  static func isUTC(_ name: String) -> Bool { name.hasPrefix("(") && offset(of: name) == .zero }

  /// Parses `5`, `05`, `0530`, `5:30`, `05:30` or `05.30`, not followed by another digit.
  ///
  /// Without UTC or GMT before it, an offset needs minutes.
  private static func seconds(_ bytes: inout ArraySlice<UInt8>, isNamed: Bool) -> Int? {
    var digits = bytes.prefix { isDigit($0) }
    bytes = bytes.dropFirst(digits.count)
    var minutes: ArraySlice<UInt8> = []
    if digits.count == 4 {
      minutes = digits.suffix(2)
      digits = digits.prefix(2)
    } else if let mark = bytes.first, mark == UInt8(ascii: ":") || mark == UInt8(ascii: ".") {
      minutes = bytes.dropFirst().prefix { isDigit($0) }
      guard minutes.count == 2 else { return nil }
      bytes = bytes.dropFirst(3)
    }
    guard 1...2 ~= digits.count, isNamed || !minutes.isEmpty,
      let hour = number(digits), let minute = minutes.isEmpty ? 0 : number(minutes),
      hour <= 18, minute < 60
    else { return nil }
    return hour * 3600 + minute * 60
  }

  private static func dropSpaces(_ bytes: inout ArraySlice<UInt8>) {
    bytes = bytes.drop { $0 == UInt8(ascii: " ") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    Int(String(decoding: digits, as: UTF8.self))
  }
}

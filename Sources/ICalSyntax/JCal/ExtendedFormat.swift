// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The extended formats of dates, times and offsets in jCal (RFC 7265 §3.6).
///
/// ```text
/// date  1997-09-02   time  09:00:00   date-time  1997-09-02T13:00:00Z   utc-offset  -05:00
/// ```
enum ExtendedFormat {
  /// The extended form of a date.
  static func text(_ date: CivilDate) -> String {
    let basic = date.description
    return "\(basic.prefix(4))-\(basic.dropFirst(4).prefix(2))-\(basic.suffix(2))"
  }

  /// The extended form of a time of day.
  static func text(_ time: TimeOfDay, isUTC: Bool) -> String {
    let basic = time.description
    let zone = isUTC ? "Z" : ""
    return "\(basic.prefix(2)):\(basic.dropFirst(2).prefix(2)):\(basic.suffix(2))\(zone)"
  }

  /// The extended form of a date-time.
  static func text(_ value: CivilDateTime, isUTC: Bool) -> String {
    "\(text(value.date))T\(text(value.time, isUTC: isUTC))"
  }

  /// The extended form of an offset.
  static func text(_ offset: UTCOffset) -> String {
    let basic = offset.description
    let seconds = basic.count > 5 ? ":\(basic.suffix(2))" : ""
    return "\(basic.prefix(3)):\(basic.dropFirst(3).prefix(2))\(seconds)"
  }

  /// The basic format of a value in extended format, or nil if it does not match.
  ///
  /// Only digits and separators are checked; the parser of the basic format checks whether the date
  /// exists.
  static func basic(_ text: String, _ type: ValueType) -> String? {
    switch type {
    case .date: basic(text, patterns: ["0000-00-00"])
    case .time: basic(text, patterns: ["00:00:00", "00:00:00Z"])
    case .dateTime: basic(text, patterns: ["0000-00-00T00:00:00", "0000-00-00T00:00:00Z"])
    case .utcOffset: basic(text, patterns: ["±00:00", "±00:00:00"])
    default: nil
    }
  }

  /// The basic format of UNTIL: a date or a date-time.
  static func basicUntil(_ text: String) -> String? {
    basic(text, .date) ?? basic(text, .dateTime)
  }

  private static func basic(_ text: String, patterns: [String]) -> String? {
    guard let pattern = patterns.first(where: { matches(text, $0) }) else { return nil }
    // In an offset the hyphen is the sign, which is kept.
    let isOffset = pattern.hasPrefix("±")
    return String(text.filter { $0 != ":" && ($0 != "-" || isOffset) })
  }

  private static func matches(_ text: String, _ pattern: String) -> Bool {
    text.unicodeScalars.count == pattern.unicodeScalars.count
      && zip(text.unicodeScalars, pattern.unicodeScalars).allSatisfy { scalar, wanted in
        switch wanted {
        case "0": ("0"..."9").contains(scalar)
        case "±": scalar == "+" || scalar == "-"
        default: scalar == wanted
        }
      }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact

/// A date or a time on the command line, in iCalendar or RFC 3339 format.
///
/// ```
/// 19970902   19970902T090000   19970902T130000Z
/// 1997-09-02   1997-09-02T09:00   1997-09-02 09:00:00   1997-09-02T09:00:00-04:00
/// ```
enum RuleTime: Hashable {
  /// A date.
  case date(CivilDate)
  /// A local time; the context defines the time zone.
  case local(CivilDateTime)
  /// An instant.
  case instant(Instant)

  /// Parses a date or a time.
  ///
  /// - Throws: `BasicFormatError` at the first unexpected character, with its offset in the basic
  ///   form.
  init(parsing text: String) throws(BasicFormatError) {
    let (basic, offset) = Self.basicForm(of: Array(text.utf8))
    if basic.count == 8 || !basic.contains(UInt8(ascii: "T")) && offset == nil {
      self = .date(try BasicFormat.date(basic.span))
      return
    }
    let (value, isUTC) = try BasicFormat.dateTime(basic.span)
    guard let offset else {
      self = isUTC ? .instant(Instant(utc: value)) : .local(value)
      return
    }
    self = .instant(value.instant(at: try BasicFormat.utcOffset(offset.span)))
  }

  /// The text without the RFC 3339 separators, and the offset.
  private static func basicForm(of bytes: [UInt8]) -> (text: [UInt8], offset: [UInt8]?) {
    let hyphen = UInt8(ascii: "-")
    guard bytes.count >= 10, bytes[4] == hyphen, bytes[7] == hyphen else { return (bytes, nil) }
    let date = bytes[..<4] + bytes[5..<7] + bytes[8..<10]
    guard bytes.count > 10 else { return (Array(date), nil) }
    var time = bytes[11...]
    var offset: [UInt8]?
    if let sign = time.firstIndex(where: { $0 == hyphen || $0 == UInt8(ascii: "+") }) {
      offset = time[sign...].filter { $0 != UInt8(ascii: ":") }
      time = time[..<sign]
    }
    var digits = time.filter { $0 != UInt8(ascii: ":") }
    // Seconds are optional.
    if digits.prefix(while: { $0 != UInt8(ascii: "Z") }).count == 4 {
      digits.insert(contentsOf: [UInt8(ascii: "0"), UInt8(ascii: "0")], at: 4)
    }
    let separator = bytes[10] == UInt8(ascii: " ") ? UInt8(ascii: "T") : bytes[10]
    return (date + [separator] + digits, offset)
  }
}

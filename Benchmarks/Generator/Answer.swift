// SPDX-License-Identifier: Apache-2.0

/// A property of a file that is known without parsing it, or of a rule without expanding it.
///
/// The generator counts while it writes a file, and the cases of rules test every day. Each
/// benchmark returns some answers for its work; a wrong answer invalidates the measurement.
public enum Answer: String, CaseIterable, Sendable {
  /// The number of bytes in the file.
  case bytes
  /// The sum of all byte values in the file, which does not depend on the order of lines.
  case byteSum
  /// The number of bytes in the canonical form, which is sorted and folded again.
  case canonicalBytes
  /// The sum of all byte values in the canonical form.
  case canonicalByteSum
  /// The number of physical lines, each ending in CRLF (RFC 5545 §3.1).
  case physicalLines
  /// The number of content lines, including BEGIN and END.
  case lines
  /// The number of VCALENDAR components.
  case calendars
  /// The number of components at all depths, including calendars.
  case components
  /// The number of VEVENT components, including overrides.
  case events
  /// The number of VTODO components.
  case reminders
  /// The number of VJOURNAL components.
  case journals
  /// The number of VALARM components.
  case alarms
  /// The number of properties in all components.
  case properties
  /// The number of parameters on all properties.
  case parameters
  /// The number of values in all properties, including each value of a list such as EXDATE.
  case values
  /// The total length of all TEXT values, in UTF-8 bytes without escapes.
  case textBytes
  /// The total length of all SUMMARY values, in UTF-8 bytes without escapes.
  case summaryBytes
  /// The sum of the dates in all DATE and DATE-TIME values as written, in days since 1970.
  case dateDays
  /// The sum of the dates in the DTSTART of all events, in days since 1970.
  case eventStartDays
  /// The number of ATTENDEE properties in events.
  case eventAttendees
  /// The number of EXDATE values in events.
  case eventExclusions
  /// The number of event occurrences that start in June 2026 in UTC, single and recurring.
  case juneOccurrences
  /// The sum of the starts of these occurrences, in minutes since 1970 in UTC.
  case juneStartMinutes
  /// The number of instances of a rule.
  case instances
  /// The sum of ((year × 12 + month) × 31 + day) × 86400 + second of the day over all instances.
  case instanceFields
  /// The sum of the instances in seconds since 1970, in UTC if the rule has a zone.
  case instanceSeconds
}

/// The known properties of a file or rule.
public typealias Answers = [Answer: Int]

extension Answers {
  /// Adds the answers for two files.
  public static func + (left: Answers, right: Answers) -> Answers {
    left.merging(right, uniquingKeysWith: +)
  }
}

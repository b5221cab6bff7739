// SPDX-License-Identifier: Apache-2.0

/// Something about a file that is known without parsing it, because whoever wrote the file counted; or
/// about a rule that is known without expanding it, because somebody tried every day.
///
/// Each benchmark returns some of these for what it did; a benchmark with a wrong answer is not slow
/// or fast but broken.
public enum Answer: String, CaseIterable, Sendable {
  /// The bytes of the file.
  case bytes
  /// The sum of all bytes of the file, each as a number: the same in whatever order lines stand.
  case byteSum
  /// The bytes of the file's canonical form: sorted, and folded as its lines then have to be.
  case canonicalBytes
  /// The sum of all bytes of the canonical form.
  case canonicalByteSum
  /// Physical lines, each ended by CRLF (RFC 5545 §3.1).
  case physicalLines
  /// Content lines, BEGIN and END among them: physical lines less the folded ones.
  case lines
  /// VCALENDAR components.
  case calendars
  /// All components of whatever depth, the calendars among them.
  case components
  /// VEVENT components, overrides among them.
  case events
  /// VTODO components.
  case reminders
  /// VJOURNAL components.
  case journals
  /// VALARM components.
  case alarms
  /// Properties of all components.
  case properties
  /// Parameters of all properties.
  case parameters
  /// Values of all properties, where each of a list counts: EXDATE with three dates has three.
  case values
  /// The sum of the lengths of all TEXT values, in bytes of UTF-8 and without their escapes.
  case textBytes
  /// The same of the SUMMARY of every component that has one.
  case summaryBytes
  /// The sum of the days of all DATE and DATE-TIME values as they are written, as days since 1970.
  case dateDays
  /// The same of the DTSTART of every VEVENT.
  case eventStartDays
  /// ATTENDEE properties of VEVENT components.
  case eventAttendees
  /// Values of the EXDATE properties of VEVENT components.
  case eventExclusions
  /// Occurrences of VEVENT components, single ones and those of series, that start in June 2026 in UTC.
  case juneOccurrences
  /// The sum of the starts of these, in minutes since 1970, in UTC.
  case juneStartMinutes
  /// Instances of a rule.
  case instances
  /// The sum of ((year × 12 + month) × 31 + day) × 86400 and the second of the day of all instances.
  case instanceFields
  /// The sum of their seconds since 1970, in UTC if the rule has a zone.
  case instanceSeconds
}

/// What is known about a file.
public typealias Answers = [Answer: Int]

extension Answers {
  /// The answers for two files together.
  public static func + (left: Answers, right: Answers) -> Answers {
    left.merging(right, uniquingKeysWith: +)
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import ICalSyntax

/// A lean row about an occurrence, with its points in time.
public struct OccurrenceRow: ComponentHolder, Sendable {
  /// The path of the file, or its name in an archive after the path of the archive.
  public let file: String
  /// The name of the calendar.
  public let calendar: String
  /// The occurrence.
  public let occurrence: Occurrence

  /// Creates a row.
  public init(of occurrence: Occurrence, in file: String, calendar: String) {
    self.occurrence = occurrence
    self.file = file
    self.calendar = calendar
  }

  var component: Component { occurrence.component }

  /// The columns of the rows.
  ///
  /// Within a version, no column is removed or gets another name, type or meaning, and the standard
  /// columns stay the same.
  public static let schema = RowSchema(
    name: "occurrences", version: 1,
    fields: place + RowField<OccurrenceRow>.identity + times + RowField<OccurrenceRow>.contents)

  private static let place: [RowField<OccurrenceRow>] = [
    .presentText("file", .standard, "the path of the file; `-` is standard input") { $0.file },
    .presentText(
      "calendar", .optional, "the name of the calendar, or the path that was given"
    ) { $0.calendar },
  ]

  private static let times: [RowField<OccurrenceRow>] = [
    .localTime(
      "recurrence_id", .standard,
      "the original start in the series, on the clock of the series; null if the item does not recur",
      "RFC 5545 §3.8.4.4"
    ) { $0.occurrence.recurrenceID?.time.wallTime },
    .presentInstant(
      "start_utc", .standard, "the start; days and floating times are those of `--zone`",
      "RFC 5545 §3.3.5"
    ) { utc($0.occurrence.interval.lowerBound, $0.occurrence.start) },
    .presentInstant(
      "end_utc", .standard,
      "the exclusive end, or the due time of a reminder; if that is a day, the end of the day",
      "RFC 5545 §3.8.2.2, §3.8.2.3"
    ) { utc($0.occurrence.interval.upperBound, $0.occurrence.end) },
    .presentInteger(
      "seconds", .standard, "the number of seconds from `start_utc` to `end_utc`",
      "RFC 5545 §3.8.2.5"
    ) { $0.occurrence.duration },
    .presentLocalTime(
      "start", .standard, "the start on the clock of `zone`; midnight for a day",
      "RFC 5545 §3.8.2.4"
    ) { $0.occurrence.start.time.wallTime },
    .presentLocalTime(
      "end", .standard,
      "the exclusive end, or the due time of a reminder, on the clock of `end_zone`",
      "RFC 5545 §3.8.2.2, §3.8.2.3"
    ) { $0.occurrence.end.time.wallTime },
    .text(
      "zone", .standard, "the TZID of `start`; `UTC`; null for days and floating times",
      "RFC 5545 §3.2.19"
    ) { zone($0.occurrence.start.time) },
    .text("end_zone", .optional, "the TZID of `end`, as for `zone`", "RFC 5545 §3.2.19") {
      zone($0.occurrence.end.time)
    },
    .boolean(
      "all_day", .standard, "whether the occurrence lasts whole days", "RFC 5545 §3.3.4"
    ) { $0.occurrence.isAllDay },
    .boolean(
      "recurring", .standard, "whether the occurrence belongs to a series", "RFC 5545 §3.8.5"
    ) { $0.occurrence.recurrenceID != nil },
  ]

  /// An instant in UTC; at the ends of the calendar, which UTC may not reach, the time of the clock.
  private static func utc(_ instant: Instant, _ time: OccurrenceTime) -> CivilDateTime {
    instant.civil() ?? time.time.wallTime
  }

  private static func zone(_ time: EventTime) -> String? {
    if case .utc = time { "UTC" } else { time.tzID }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import ICalSyntax

/// A lean row about a component: an event, a reminder, a journal entry, or a changed occurrence.
///
/// It contains what the file states; ``OccurrenceRow`` contains what follows from it.
public struct ComponentRow: ComponentHolder, Sendable {
  /// The path of the file, or its name in an archive after the path of the archive.
  public let file: String
  /// The component.
  public let component: Component

  /// Creates a row.
  public init(of component: Component, in file: String) {
    self.component = component
    self.file = file
  }

  /// The columns of the rows.
  ///
  /// Within a version, no column is removed or gets another name, type or meaning, and the standard
  /// columns stay the same.
  public static let schema = RowSchema(
    name: "components", version: 1,
    fields: place + RowField<ComponentRow>.identity + times + RowField<ComponentRow>.contents)

  private static let place: [RowField<ComponentRow>] = [
    .presentText("file", .standard, "the path of the file; `-` is standard input") { $0.file },
    .integer("line", .optional, "the line in the file where the component begins, from 1") {
      $0.component.position?.line
    },
  ]

  private static let times: [RowField<ComponentRow>] = [
    .localTime(
      "recurrence_id", .standard,
      "RECURRENCE-ID: the original start of a changed occurrence, on the clock of its own zone",
      "RFC 5545 §3.8.4.4"
    ) { $0.time(.recurrenceID) },
    .localTime(
      "start", .standard, "DTSTART on the clock of `zone`; midnight for a day", "RFC 5545 §3.8.2.4"
    ) { $0.time(.dtStart) },
    .localTime(
      "end", .standard,
      "DTEND, or DUE of a reminder, on the clock of `end_zone`; `duration` is not added to the start",
      "RFC 5545 §3.8.2.2, §3.8.2.3"
    ) { $0.time($0.component.name == .reminder ? .due : .dtEnd) },
    .text("duration", .standard, "DURATION as written", "RFC 5545 §3.8.2.5") {
      ComponentSummary(of: $0.component).duration
    },
    .text(
      "zone", .standard,
      "the TZID of `start`, or of `end` if there is no start; `UTC`; null for days and floating times",
      "RFC 5545 §3.2.19"
    ) { ComponentSummary(of: $0.component).zone },
    .text("end_zone", .optional, "the TZID of `end`, as for `zone`", "RFC 5545 §3.2.19") {
      ComponentSummary(of: $0.component).endZone
    },
    .boolean(
      "all_day", .standard, "whether `start`, or `end` if there is no start, is a day",
      "RFC 5545 §3.3.4"
    ) { ComponentSummary(of: $0.component).isAllDay },
    .boolean(
      "recurring", .standard,
      "whether the component belongs to a series: it has RRULE, RDATE or RECURRENCE-ID",
      "RFC 5545 §3.8.5"
    ) { row in
      [PropertyName.rRule, .rDate, .recurrenceID].contains { row.component[$0] != nil }
    },
    .texts("rrule", .optional, "all RRULEs as written, usually at most one", "RFC 5545 §3.8.5.3") {
      ComponentSummary(of: $0.component).rules
    },
    .texts("rdate", .optional, "all times and periods of RDATE", "RFC 5545 §3.8.5.2") {
      ComponentSummary(of: $0.component).additionalDates
    },
    .texts("exdate", .optional, "all times of EXDATE", "RFC 5545 §3.8.5.1") {
      ComponentSummary(of: $0.component).exceptionDates
    },
  ]

  /// The time of a property as a clock shows it.
  private func time(_ name: PropertyName) -> CivilDateTime? {
    switch component[name]?.typedValues.first {
    case .date(let date): CivilDateTime(date, .midnight)
    case .dateTime(let time, _): time
    default: nil
    }
  }
}

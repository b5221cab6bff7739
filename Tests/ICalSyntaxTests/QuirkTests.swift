// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

/// What is read from the files of `Fixtures/quirks/`: a row a question, with what must be answered.
///
/// What is said about them is in their goldens.
@Suite("Quirks of real files")
struct QuirkTests {
  struct Row: CustomTestStringConvertible {
    let file: String
    /// The UID of the component that is looked at.
    let uid: String
    /// What is asked of it.
    let question: Question
    let answer: String

    init(_ file: String, _ uid: String, _ question: Question, _ answer: String) {
      self.file = file
      self.uid = uid
      self.question = question
      self.answer = answer
    }

    var testDescription: String { "\(file) \(uid) \(question)" }
  }

  enum Question {
    /// The text of the first property of a name.
    case text(PropertyName)
    /// The value of the first property of a name as it stands in the file, unfolded.
    case raw(PropertyName)
    /// The typed values of all properties of a name.
    case values(PropertyName)
    /// The first value of a parameter of each property of a name.
    case parameter(PropertyName, ParameterName)
    /// The lines that are no content lines.
    case junk
    /// The values of the first property of a name in the first nested component.
    case nested(PropertyName)
  }

  static let lines: [Row] = [
    Row("01-fold-inside-character", "q", .text(.summary), "Grüße , Köln"),
    Row("09-bad-lines", "bad-1", .text(.summary), "Before"),
    Row("09-bad-lines", "bad-2", .text(.summary), "Between"),
    Row("09-bad-lines", "bad-2", .junk, "this line says nothing"),
    Row("09-bad-lines", "bad-2", .values(.priority), "unknown(\"high\")"),
    Row("09-bad-lines", "bad-3", .text(.summary), "Not ended"),
    Row("09-bad-lines", "bad-4", .text(.summary), "Next"),
    Row(
      "10-parameters", "q", .parameter(.attendee, .commonName),
      "Doe; Jane: A, B|Doe, John|Ada \"the Count\" Lee|Bob \\\"B\\\" Ray||\"Not closed"),
    Row(
      "10-parameters", "q", .values(.attendee),
      "jane|john|ada|bob|nobody|open"),
    Row("11-apple-location", "apple-1", .text(.summary), "One"),
    Row("11-apple-location", "apple-1", .raw("X-APPLE-STRUCTURED-LOCATION"), ":geo:54.1,13.4"),
    Row(
      "11-apple-location", "apple-1",
      .parameter("X-APPLE-STRUCTURED-LOCATION", "X-APPLE-MAPKIT-HANDLE"), "CAES=="),
    Row("11-apple-location", "apple-2", .text(.summary), "Two"),
    Row(
      "11-apple-location", "apple-2", .junk,
      "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS=\"Dune Road 3|23999 Seahaven|"
        + "Germany\";X-TITLE=Harbour:geo:54.1,13.4"),
    Row("12-raw-lines", "raw-1", .text(.summary), "Raw"),
    Row("12-raw-lines", "raw-1", .raw("X-ALT-DESC"), "<html>"),
    Row("12-raw-lines", "raw-1", .junk, "<body>|<p>Price: 5</p>|</body></html>"),
    Row("12-raw-lines", "raw-2", .text(.descriptionText), "folded witha tab"),
    Row("12-raw-lines", "raw-2", .junk, "\u{A0}no-break space"),
    Row("12-raw-lines", "raw-2", .text(.summary), "Folds"),
    Row("13-escapes", "q", .text(.summary), "a, b; c, d; e"),
    Row("13-escapes", "q", .text(.descriptionText), "one\ntwo\nthree\\nfour"),
    Row("13-escapes", "q", .raw(.location), "back\\slash and \\: colon\\"),
    Row("13-escapes", "q", .text(.location), "backslash and : colon\\"),
    Row("13-escapes", "q", .values("X-RAW"), "unknown(\"a\\\\,b\")"),
    Row("13-escapes", "q", .values(.categories), "text(\"a,b\") text(\"c\")"),
    Row("13-escapes", "q", .values(.geo), "float(52.5) float(13.4)"),
    Row("27-bytes", "q", .text(.summary), "Caf\u{FFFD}"),
    Row("27-bytes", "q", .text(.comment), "one"),
    Row("27-bytes", "q", .junk, "two"),
  ]

  static let times: [Row] = [
    Row(
      "03-until-of-other-type", "until-1", .values(.rRule), "FREQ=DAILY;UNTIL=20260312"),
    Row(
      "03-until-of-other-type", "until-2", .values(.rRule), "FREQ=DAILY;UNTIL=20260312T090000"),
    Row(
      "03-until-of-other-type", "until-3", .values(.rRule), "FREQ=DAILY;UNTIL=20260312T235959Z"),
    Row(
      "04-exdate-of-other-type", "q", .values(.exDate),
      "20260311|20260312 20260313|20260314T090000Z"),
    Row(
      "05-exdate-in-other-zone", "q", .values(.exDate), "20260311T080000Z|20260312T100000"),
    Row(
      "05-exdate-in-other-zone", "q", .parameter(.exDate, .tzID), "-|/quirks.example/East"),
    Row("06-all-day-ends", "ends-1", .values(.dtEnd), "20260310"),
    Row("06-all-day-ends", "ends-2", .values(.dtEnd), "20260309"),
    Row("06-all-day-ends", "ends-3", .values(.dtStart), "20260310"),
    Row("07-no-end", "end-1", .values(.dtEnd), ""),
    Row("07-no-end", "end-2", .values(.duration), "PT45M"),
    Row("08-date-and-time-confused", "value-1", .values(.dtStart), "20260310T090000Z"),
    Row("08-date-and-time-confused", "value-2", .values(.dtStart), "20260310"),
    Row("08-date-and-time-confused", "value-2", .values(.dtEnd), "20260312"),
    Row(
      "18-global-names", "global-1", .parameter(.dtStart, .tzID),
      "/mozilla.org/20050126_1/Europe/Berlin"),
    Row("19-calendar-zone", "wr-1", .values(.dtStart), "20260310T090000Z"),
    Row("19-calendar-zone", "wr-2", .values(.dtStart), "20260310T090000"),
    Row("20-overrides", "series", .text(.summary), "Moved|Moved again|Series"),
    Row("20-overrides", "orphan", .text(.summary), "Orphan"),
    Row("24-durations", "duration-1", .nested(.trigger), "PT0S"),
    Row("24-durations", "duration-2", .nested(.trigger), "PT0S"),
    Row("24-durations", "duration-3", .nested(.trigger), "-PT30M"),
    Row("24-durations", "duration-4", .nested(.trigger), "PT15M"),
    Row("24-durations", "duration-5", .nested(.trigger), "P9D"),
    Row("24-durations", "duration-6", .nested(.trigger), "-PT2115415M"),
  ]

  static let rules: [Row] = [
    Row("22-never", "never-1", .values(.rRule), "FREQ=YEARLY;BYMONTHDAY=30;BYMONTH=2"),
    Row("23-rules", "rule-1", .values(.rRule), "FREQ=DAILY;COUNT=3"),
    Row("23-rules", "rule-2", .values(.rRule), "FREQ=WEEKLY;BYDAY=MO,WE"),
    Row("23-rules", "rule-3", .values(.rRule), "FREQ=DAILY;UNTIL=20260320T090000Z;COUNT=3"),
    Row("23-rules", "rule-4", .values(.rRule), "FREQ=WEEKLY;BYDAY=MO"),
    Row("23-rules", "rule-5", .values(.rRule), "FREQ=WEEKLY;BYDAY=MO,WE"),
    Row(
      "33-recurrence", "sets-1", .values(.rDate),
      "20260311T090000Z/PT2H 20260312T090000Z/20260312T100000Z"),
    Row("33-recurrence", "sets-2", .values(.rRule), "FREQ=WEEKLY;COUNT=2|FREQ=MONTHLY;COUNT=2"),
    Row("33-recurrence", "sets-3", .values(.rRule), "FREQ=DAILY;COUNT=2"),
  ]

  @Test(
    "What the quirk is not about is read, and what it is about as well as it can be",
    arguments: lines + times + rules)
  func reads(_ row: Row) throws {
    let stream = try CalendarStream(parsing: try Fixture("quirks/\(row.file).ics").bytes)
    let found = stream.calendars.flatMap { Array($0.components) }
      .filter { $0[.uid]?.text == "\(row.uid)@quirks.example" }
    try #require(!found.isEmpty)
    #expect(found.map { Self.answer(row.question, about: $0) }.joined(separator: "|") == row.answer)
  }

  @Test("Whatever stands before it, the last event is read")
  func last() throws {
    for fixture in try Fixture.calendars(in: "quirks") {
      let stream = try CalendarStream(parsing: fixture.bytes)
      let last = stream.calendars.last?.components.last
      #expect(last?[.uid]?.text == "after@quirks.example", "\(fixture.path)")
      #expect(last?[.summary]?.text == "After", "\(fixture.path)")
      #expect(last?.isComplete == true, "\(fixture.path)")
    }
  }

  @Test("Zones of every kind are kept, as far as they say anything")
  func zones() throws {
    let stream = try CalendarStream(parsing: try Fixture("quirks/15-time-zones.ics").bytes)
    let zones = stream.calendars[0].components(named: .timeZone)
    #expect(zones.map { $0[.tzID]?.text ?? "-" } == ["Old", "Dated", "Half", "Bare", "-"])
    #expect(zones.map(\.components.count) == [1, 1, 1, 0, 0])
    #expect(zones[0].components[0][.dtStart]?.rawValue == "16010101T030000")
  }

  @Test("Several calendars in a file stay apart")
  func calendars() throws {
    let stream = try CalendarStream(parsing: try Fixture("quirks/28-several-calendars.ics").bytes)
    #expect(stream.calendars.count == 2)
    #expect(stream.calendars[0].properties(named: .productID).count == 2)
    #expect(stream.calendars[0].components[0][.summary]?.text == "First")
  }

  private static func answer(_ question: Question, about component: Component) -> String {
    switch question {
    case .text(let name): return component[name]?.text ?? "-"
    case .raw(let name): return component[name]?.rawValue ?? "-"
    case .values(let name):
      return component.properties(named: name).map(words).joined(separator: "|")
    case .parameter(let name, let parameter):
      return component.properties(named: name).map { $0[parameter] ?? "-" }.joined(separator: "|")
    case .junk:
      return component.properties.filter { !$0.isWellFormed }.map(line).joined(separator: "|")
    case .nested(let name): return component.components.first?[name].map(words) ?? "-"
    }
  }

  /// A line that is no content line has no name: all of it is its value.
  private static func line(_ property: Property) -> String { property.rawValue }

  /// The typed values in the words of the file.
  private static func words(_ property: Property) -> String {
    property.typedValues.values.map { value in
      switch value {
      case .date(let date): "\(date)"
      case .dateTime(let time, let isUTC): "\(time)\(isUTC ? "Z" : "")"
      case .duration(let duration): "\(duration)"
      case .recurrence(let rule): "\(rule)"
      case .calendarAddress(let address):
        address.string.replacing("mailto:", with: "").replacing("@quirks.example", with: "")
      case .period(let period):
        switch period.end {
        case .duration(let duration): "\(period.start)Z/\(duration)"
        case .dateTime(let end, _): "\(period.start)Z/\(end)Z"
        }
      default: "\(value)"
      }
    }.joined(separator: " ")
  }
}

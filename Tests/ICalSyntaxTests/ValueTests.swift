// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Testing

@Suite("Property.typedValues")
struct ValueTests {
  private static func property(_ line: String) throws -> Property {
    let text = "BEGIN:VCALENDAR\r\n\(line)\r\nEND:VCALENDAR\r\n"
    return try #require(try CalendarStream(parsing: text).calendars[0].properties.first)
  }

  struct Good: CustomTestStringConvertible {
    let line: String
    let type: ValueType
    let values: [Value]
    var testDescription: String { line }
  }

  private static func time(_ text: String) -> CivilDateTime {
    guard let time = try? CivilDateTime(parsing: text) else { preconditionFailure(text) }
    return time
  }

  private static func date(_ text: String) -> CivilDate {
    guard let date = try? CivilDate(parsing: text) else { preconditionFailure(text) }
    return date
  }

  private static func duration(_ text: String) -> CivilDuration {
    guard let duration = try? CivilDuration(parsing: text) else { preconditionFailure(text) }
    return duration
  }

  static let good: [Good] = [
    Good(
      line: "DTSTART;VALUE=DATE:20260102", type: .date, values: [.date(date("20260102"))]),
    Good(
      line: "DTSTART:20260102T030405Z", type: .dateTime,
      values: [.dateTime(time("20260102T030405"), isUTC: true)]),
    Good(
      line: "EXDATE;TZID=Europe/Berlin:20260102T030405,20260103T030405", type: .dateTime,
      values: [
        .dateTime(time("20260102T030405"), isUTC: false),
        .dateTime(time("20260103T030405"), isUTC: false),
      ]),
    Good(line: "DURATION:PT1H30M", type: .duration, values: [.duration(duration("PT1H30M"))]),
    Good(line: "TRIGGER:-PT15M", type: .duration, values: [.duration(duration("-PT15M"))]),
    Good(
      line: "TRIGGER;VALUE=DATE-TIME:20260102T030405Z", type: .dateTime,
      values: [.dateTime(time("20260102T030405"), isUTC: true)]),
    Good(
      line: "FREEBUSY:20260102T030405Z/PT1H,20260103T000000Z/20260103T010000Z", type: .period,
      values: [
        .period(
          Period(start: time("20260102T030405"), isUTC: true, end: .duration(duration("PT1H")))),
        .period(
          Period(
            start: time("20260103T000000"), isUTC: true,
            end: .dateTime(time("20260103T010000"), isUTC: true))),
      ]),
    Good(line: "GEO:50.94;-6.96", type: .float, values: [.float(50.94), .float(-6.96)]),
    Good(line: "PRIORITY:5", type: .integer, values: [.integer(5)]),
    Good(
      line: "CATEGORIES:one\\, two,three", type: .text, values: [.text("one, two"), .text("three")]),
    Good(line: "SUMMARY:a,b", type: .text, values: [.text("a,b")]),
    Good(
      line: "ATTENDEE:mailto:ann@example.org", type: .calendarAddress,
      values: [.calendarAddress("mailto:ann@example.org")]),
    Good(
      line: "ATTACH;VALUE=BINARY;ENCODING=BASE64:SGVsbG8=", type: .binary,
      values: [.binary(Array("Hello".utf8))]),
    Good(line: "X-ODD;VALUE=BOOLEAN:true", type: .boolean, values: [.boolean(true)]),
    Good(line: "X-ODD:a\\,b", type: .unknown, values: [.unknown("a\\,b")]),
  ]

  @Test("Values are read by their type", arguments: good)
  func reads(_ item: Good) throws {
    let typed = try Self.property(item.line).typedValues
    #expect(typed.type == item.type)
    #expect(Array(typed.values) == item.values)
    #expect(typed.problems.isEmpty)
  }

  struct Bad: CustomTestStringConvertible {
    let line: String
    let problem: String
    var testDescription: String { line }
  }

  static let bad: [Bad] = [
    Bad(
      line: "DTSTART:20261301T000000",
      problem: "error 4 expected a month from 01 through 12, found \"13\""),
    Bad(
      line: "DTSTART:20260102", problem: "warning 0 expected VALUE=DATE before a date, found none"),
    Bad(
      line: "DTSTART;VALUE=DATE:20260102T000000",
      problem: "warning 0 expected a date as VALUE=DATE says, found a date-time"),
    Bad(
      line: "DTSTART;VALUE=TEXT:20260102T000000",
      problem: "warning 0 expected a value of type DATE-TIME or DATE, found VALUE=TEXT"),
    Bad(line: "SUMMARY;VALUE=FOO:x", problem: "warning 0 expected a value type, found VALUE=FOO"),
    Bad(
      line: "X-A;VALUE=BOOLEAN:yes", problem: "error 0 expected TRUE or FALSE, found \"yes\""),
    Bad(
      line: "ATTACH;VALUE=BINARY;ENCODING=BASE64:SG!sbG8=",
      problem: "error 2 expected a BASE64 character, found \"!\""),
    Bad(
      line: "FREEBUSY:20260102T030405Z",
      problem: "error 16 expected \"/\" and an end or a duration, found the end of the value"),
    Bad(
      line: "FREEBUSY:20260102T030405Z/PT1H,20260102T030405Z/20260102T250000Z",
      problem: "error 48 expected an hour from 00 through 23, found \"25\""),
    Bad(
      line: "ORGANIZER:ann",
      problem: "warning 0 expected a URI, such as mailto:ann@example.org, found \"ann\""),
  ]

  @Test("A bad value stays raw beside what is wrong with it", arguments: bad)
  func names(_ item: Bad) throws {
    let typed = try Self.property(item.line).typedValues
    #expect(typed.problems.map { "\($0.severity) \($0.offset) \($0.message)" } == [item.problem])
    let isUnknown = typed.values.contains { if case .unknown = $0 { true } else { false } }
    #expect(isUnknown == item.problem.hasPrefix("error"))
  }

  @Test("BASE64 decodes every length and refuses what is none")
  func base64() throws {
    for (text, bytes) in [
      ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"),
    ] {
      let property = Property(
        .attach, rawValue: text, parameters: [Parameter(.value, "BINARY")])
      #expect(property.typedValues.values == [.binary(Array(bytes.utf8))])
    }
    let short = Property(.attach, rawValue: "Zm9vY", parameters: [Parameter(.value, "BINARY")])
    #expect(short.typedValues.problems.count == 1)
  }
}

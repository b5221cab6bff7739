// SPDX-License-Identifier: Apache-2.0

import CivilTime
import TestSupport
import Testing

@Suite struct BasicFormatTests {
  /// The kinds of values, each read into the text that it is written back as.
  enum Kind: Sendable {
    case date, time, dateTime, localDateTime, duration, offset, integer, float

    func read(_ text: String) throws(BasicFormatError) -> String {
      let bytes = Array(text.utf8)
      switch self {
      case .date: return try BasicFormat.date(bytes.span).description
      case .time:
        let (value, isUTC) = try BasicFormat.time(bytes.span)
        return value.description + (isUTC ? "Z" : "")
      case .dateTime:
        let (value, isUTC) = try BasicFormat.dateTime(bytes.span)
        return value.description + (isUTC ? "Z" : "")
      case .localDateTime: return try BasicFormat.localDateTime(bytes.span).description
      case .duration: return try BasicFormat.duration(bytes.span).description
      case .offset: return try BasicFormat.utcOffset(bytes.span).description
      case .integer: return String(try BasicFormat.integer(bytes.span))
      case .float: return String(try BasicFormat.float(bytes.span))
      }
    }
  }

  /// A value and what reading it gives.
  struct Case: CustomTestStringConvertible {
    let kind: Kind
    let text: String
    let offset: Int?
    let result: String

    /// A value that is read and written as `result`, or as it was.
    init(_ kind: Kind, _ text: String, is result: String? = nil) {
      (self.kind, self.text, offset, self.result) = (kind, text, nil, result ?? text)
    }

    /// A value that is refused at `offset` with `message`.
    init(_ kind: Kind, _ text: String, at offset: Int, _ message: String) {
      (self.kind, self.text, self.offset, result) = (kind, text, offset, message)
    }

    var testDescription: String { "\(kind) \(text)" }
  }

  static let dates = [
    Case(.date, "19970902"),
    Case(.date, "00010101"),
    Case(.date, "99991231"),
    Case(
      .date, "19971302", at: 4, "expected a month from 01 through 12, found \"13\""),
    Case(.date, "19970230", at: 6, "expected a day from 01 through 28, found \"30\""),
    Case(.date, "19960230", at: 6, "expected a day from 01 through 29, found \"30\""),
    Case(.date, "00000101", at: 0, "expected a year from 0001 through 9999, found \"0000\""),
    Case(.date, "1997-09-02", at: 4, "expected a month from 01 through 12, found \"-0\""),
    Case(
      .date, "1997090", at: 6, "expected a day from 01 through 30, found \"0\""),
    Case(
      .date, "199709", at: 6, "expected a day from 01 through 30, found the end of the value"),
    Case(
      .date, "", at: 0, "expected a year from 0001 through 9999, found the end of the value"),
    Case(
      .date, "19970902T090000", at: 8, "expected the end of the value, found \"T090000\""),
    Case(.date, "199٧0902", at: 0, "expected a year from 0001 through 9999, found \"199\u{FFFD}\""),
    Case(.time, "090000"),
    Case(.time, "130000Z"),
    Case(.time, "235960"),
    Case(.time, "240000", at: 0, "expected an hour from 00 through 23, found \"24\""),
    Case(.time, "096000", at: 2, "expected a minute from 00 through 59, found \"60\""),
    Case(.time, "090061", at: 4, "expected a second from 00 through 60, found \"61\""),
    Case(
      .time, "0900", at: 4, "expected a second from 00 through 60, found the end of the value"),
    Case(.time, "090000-0800", at: 6, "expected the end of the value, found \"-0800\""),
    Case(.dateTime, "19970902T090000"),
    Case(.dateTime, "19970902T130000Z"),
    Case(.dateTime, "19970902t130000z", is: "19970902T130000Z"),
    Case(
      .dateTime, "19970902", at: 8, "expected \"T\" and a time of day, found the end of the value"),
    Case(.dateTime, "19970902 090000", at: 8, "expected \"T\" and a time of day, found \" \""),
    Case(
      .dateTime, "19970902T0900", at: 13,
      "expected a second from 00 through 60, found the end of the value"),
    Case(
      .dateTime, "19970902T090000ZZ", at: 16, "expected the end of the value, found \"Z\""),
    Case(.localDateTime, "19970902T090000"),
    Case(
      .localDateTime, "19970902T090000Z", at: 15, "expected the end of the value, found \"Z\""),
  ]

  static let durations = [
    Case(.duration, "P15DT5H0M20S"),
    Case(.duration, "P7W"),
    Case(.duration, "-PT15M"),
    Case(.duration, "+PT1H", is: "PT1H"),
    Case(.duration, "-P0DT0H30M0S", is: "-PT30M"),
    Case(.duration, "PT1H0M1S"),
    Case(.duration, "PT100000S"),
    Case(.duration, "P0D", is: "PT0S"),
    Case(.duration, "-PT0S", is: "PT0S"),
    Case(.duration, "P0W", is: "PT0S"),
    Case(.duration, "pt5m", is: "PT5M"),
    Case(.duration, "", at: 0, "expected \"P\", found the end of the value"),
    Case(.duration, "P", at: 1, "expected \"T\" or a number, found the end of the value"),
    Case(.duration, "PT", at: 2, "expected a number, found the end of the value"),
    Case(.duration, "P1DT", at: 4, "expected a number, found the end of the value"),
    Case(.duration, "P1W2D", at: 3, "expected the end of the value, found \"2\""),
    Case(.duration, "P1WT2H", at: 3, "expected the end of the value, found \"T\""),
    Case(.duration, "P1D2H", at: 3, "expected \"T\" or the end of the value, found \"2\""),
    Case(.duration, "PT1H5S", at: 5, "expected \"M\", found \"S\""),
    Case(.duration, "P1Y", at: 2, "expected \"W\" or \"D\", found \"Y\""),
    Case(.duration, "PT5M5M", at: 5, "expected \"S\", found \"M\""),
    Case(
      .duration, "PT2147483648S", at: 2,
      "expected a number from 0 through 2147483647, found \"2147483648\""),
    Case(
      .duration, "PT99999999999999999999999S", at: 2,
      "expected a number from 0 through 2147483647, found \"99999999999999999999999\""),
    Case(.duration, "15M", at: 0, "expected \"P\", found \"1\""),
    Case(.duration, "PT1S2", at: 4, "expected the end of the value, found \"2\""),
  ]

  static let others = [
    Case(.offset, "-0500"),
    Case(.offset, "+0100"),
    Case(.offset, "+001640"),
    Case(.offset, "+0000"),
    Case(.offset, "+000000", is: "+0000"),
    Case(.offset, "-0000", at: 0, "expected \"+\" before an offset of zero, found \"-0000\""),
    Case(.offset, "0100", at: 0, "expected \"+\" or \"-\", found \"0\""),
    Case(.offset, "+2400", at: 1, "expected an hour from 00 through 23, found \"24\""),
    Case(.offset, "+01:00", at: 3, "expected a minute from 00 through 59, found \":0\""),
    Case(.offset, "+01000", at: 5, "expected a second from 00 through 59, found \"0\""),
    Case(.integer, "1234567890"),
    Case(.integer, "-2147483648"),
    Case(.integer, "+7", is: "7"),
    Case(
      .integer, "2147483648", at: 0,
      "expected an integer from -2147483648 through 2147483647, found \"2147483648\""),
    Case(
      .integer, "99999999999999999999", at: 0,
      "expected an integer from -2147483648 through 2147483647, found \"99999999999999999999\""),
    Case(
      .integer, "-", at: 0,
      "expected an integer from -2147483648 through 2147483647, found \"-\""),
    Case(
      .integer, "1.5", at: 0,
      "expected an integer from -2147483648 through 2147483647, found \"1.5\""),
    Case(.float, "37.386013"),
    Case(.float, "-3.14"),
    Case(.float, "+12", is: "12.0"),
    Case(.float, "1e5", at: 0, "expected a number such as \"37.386013\", found \"1e5\""),
    Case(.float, "1.", at: 0, "expected a number such as \"37.386013\", found \"1.\""),
    Case(.float, ".5", at: 0, "expected a number such as \"37.386013\", found \".5\""),
    Case(.float, "inf", at: 0, "expected a number such as \"37.386013\", found \"inf\""),
    Case(
      .float, String(repeating: "9", count: 400), at: 0,
      "expected a number such as \"37.386013\", found \"\(String(repeating: "9", count: 30))…\""),
  ]

  @Test("Reads and refuses as the grammar says", arguments: dates + durations + others)
  func grammar(_ example: Case) throws {
    guard let offset = example.offset else {
      #expect(try example.kind.read(example.text) == example.result)
      return
    }
    let error = #expect(throws: BasicFormatError.self) { try example.kind.read(example.text) }
    #expect(error?.message == example.result)
    #expect(error?.offset == offset)
  }

  /// A duration that only a lenient reading takes, or nothing does.
  struct LenientCase: CustomTestStringConvertible {
    let text: String
    let result: String?

    init(_ text: String, _ result: String?) {
      (self.text, self.result) = (text, result)
    }

    var testDescription: String { text }
  }

  static let lenientDurations = [
    LenientCase("P", "PT0S"),
    LenientCase("PT", "PT0S"),
    LenientCase("+PT", "PT0S"),
    LenientCase("P1DT", "P1D"),
    LenientCase("P1W2D", "P9D"),
    LenientCase("P1WT2H", "P7DT2H"),
    LenientCase("PT1H5S", "PT1H0M5S"),
    LenientCase("-2115415M", "-PT2115415M"),
    LenientCase("P1D2H", "P1DT2H"),
    LenientCase("", nil),
    LenientCase("-", nil),
    LenientCase("T", nil),
    LenientCase("P1", nil),
    LenientCase("P1Y", nil),
    LenientCase("PT5M1H", nil),
    LenientCase("PT1D", nil),
    LenientCase("five minutes", nil),
  ]

  @Test("A lenient reading reports what a strict one objects to", arguments: lenientDurations)
  func lenientDuration(_ example: LenientCase) throws {
    let bytes = Array(example.text.utf8)
    let strict = #expect(throws: BasicFormatError.self) { try BasicFormat.duration(bytes.span) }
    guard let result = example.result else {
      let error = #expect(throws: BasicFormatError.self) {
        try BasicFormat.lenientDuration(bytes.span)
      }
      #expect(error == strict)
      return
    }
    let reading = try BasicFormat.lenientDuration(bytes.span)
    #expect(reading.value.description == result)
    #expect(reading.deviation == strict)
  }

  @Test("A lenient reading of what is right reports nothing")
  func lenientButRight() throws {
    let duration = try BasicFormat.lenientDuration(Array("-P0DT0H30M0S".utf8).span)
    #expect(!duration.isLenient)
    let offset = try BasicFormat.lenientUTCOffset(Array("+0530".utf8).span)
    #expect(!offset.isLenient)
  }

  @Test(
    "Offsets are read leniently",
    arguments: [
      LenientCase("-0000", "+0000"), LenientCase("+01:00", "+0100"), LenientCase("0530", "+0530"),
      LenientCase("-00:01:15", "-000115"), LenientCase("+1", nil), LenientCase("+01:", nil),
      LenientCase("EST", nil), LenientCase("", nil),
    ])
  func lenientOffset(_ example: LenientCase) throws {
    let bytes = Array(example.text.utf8)
    guard let result = example.result else {
      #expect(throws: BasicFormatError.self) { try BasicFormat.lenientUTCOffset(bytes.span) }
      return
    }
    let reading = try BasicFormat.lenientUTCOffset(bytes.span)
    #expect(reading.value.description == result)
    #expect(reading.isLenient)
  }

  @Test("An error can be placed in a longer value and names its section")
  func errors() throws {
    let error = #expect(throws: BasicFormatError.self) { try CivilDate(parsing: "19971302") }
    #expect(error?.shifted(by: 10).offset == 14)
    #expect(
      error?.description
        == "expected a month from 01 through 12, found \"13\" (RFC 5545 §3.3.4)")
  }

  @Test("Random bytes are read or refused, and what is read is read again from its own text")
  func randomBytes() throws {
    let alphabet = Array("0123456789012TZPWDHMS+-.:\u{0}é".utf8)
    let kinds: [Kind] = [
      .date, .time, .dateTime, .localDateTime, .duration, .offset, .integer, .float,
    ]
    for seed in UInt64(0)..<20_000 {
      var random = SeededGenerator(seed: seed)
      let bytes = (0..<Int(random.next() % 20)).map { _ in
        alphabet[Int(random.next() % UInt64(alphabet.count))]
      }
      let text = String(decoding: bytes, as: UTF8.self)
      for kind in kinds {
        guard let written = try? kind.read(text) else { continue }
        #expect(try kind.read(written) == written, "seed \(seed), \(kind) \(text)")
      }
      _ = try? BasicFormat.lenientDuration(bytes.span)
      _ = try? BasicFormat.lenientUTCOffset(bytes.span)
    }
  }
}

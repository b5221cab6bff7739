// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import ICalSyntax
import TestSupport
import Testing

/// Conversions and checks on several cores, whose results are those on one.
struct ConversionTests {
  private static let forms: [CalendarForm] = [
    .iCalendar, .canonical, .jCal, .ndjson, .csv(isSafe: false),
  ]

  /// The output and the events of a conversion.
  private struct Outcome: Equatable {
    var bytes: [UInt8] = []
    var events: [FileEvent] = []
    var componentCount = 0
    var outcome: FileOutcome?
  }

  private func convertInTurn(_ sources: [FileSource], to form: CalendarForm) throws -> Outcome {
    var result = Outcome()
    var conversion = FileConversion(to: form) { result.events.append($0) }
    for source in sources { try conversion.add(source) { result.bytes += $0 } }
    try conversion.finish { result.bytes += $0 }
    result.componentCount = conversion.componentCount
    result.outcome = conversion.outcome
    return result
  }

  private func convert(
    _ sources: [FileSource], to form: CalendarForm, cores: Int
  ) async throws -> Outcome {
    var result = Outcome()
    var conversion = FileConversion(to: form) { result.events.append($0) }
    try await conversion.convert(sources, cores: cores) { result.bytes += $0 }
    result.componentCount = conversion.componentCount
    result.outcome = conversion.outcome
    return result
  }

  /// A calendar of many events, some of them with faults, that is several parts long.
  private func calendar(
    events: Int, _ number: Int = 0, head: String = "", tail: String = ""
  ) -> String {
    var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//A//B//EN\r\nX-NUMBER:\(number)\r\n"
    text += head
    for event in 0..<events {
      text += "BEGIN:VEVENT\r\nUID:\(event % 1000 == 999 ? event - 1 : event)-\(number)\r\n"
      text +=
        "DTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Zone/\(event % 40):20260102T0\(event % 9)0000\r\n"
      text += "DESCRIPTION:\(String(repeating: "Über \\, and \\n, ", count: 1 + event % 30))\r\n"
      if event % 100 == 50 { text += "a line without anything\r\n" }
      if event % 70 == 3 { text += "STATUS:ODD\r\nX-WR-TIMEZONE;VALUE=TEXT:x\r\n" }
      text += "END:VEVENT\r\n"
      if event % 500 == 250 { text += "\(tail)" }
    }
    return text + "END:VCALENDAR\r\n"
  }

  @Test(arguments: forms)
  func everyFixtureIsTheSameOnAllCores(form: CalendarForm) async throws {
    let sources = try Fixture.allCalendars().map { FileSource.bytes($0.bytes, label: $0.path) }
    #expect(try await convert(sources, to: form, cores: 3) == convertInTurn(sources, to: form))
    for source in sources {
      #expect(
        try await convert([source], to: form, cores: 3) == convertInTurn([source], to: form),
        "\(source.label)")
    }
  }

  @Test(arguments: forms)
  func longFilesAreTheSameOnAllCores(form: CalendarForm) async throws {
    let stray = "BEGIN:VEVENT\r\nUID:stray\r\nEND:VEVENT\r\nX-STRAY:1\r\n"
    let text =
      calendar(events: 3000, head: "X-WR-TIMEZONE:Europe/Berlin\r\n") + stray
      + calendar(events: 700, 1, tail: "METHOD:PUBLISH\r\n")
    let source = FileSource.bytes(Array(text.utf8), label: "long.ics")
    let expected = try convertInTurn([source], to: form)
    #expect(expected.events.count > 200)
    for cores in [2, 5] {
      #expect(try await convert([source], to: form, cores: cores) == expected)
    }
  }

  /// Large files, which are read twice for jCal.
  @Test(arguments: [["one"], ["two"], ["none", "late", "one"]])
  func largeFilesAreWrittenAsTheyAreRead(names: [String]) async throws {
    let folder = try TemporaryFolder()
    let texts = [
      "one": calendar(events: 12_000), "late": calendar(events: 12_000, 1, tail: "X-LATE:1\r\n"),
      "two": calendar(events: 7000) + calendar(events: 5000, 2), "none": "no calendar\r\n",
    ]
    #expect(names.allSatisfy { $0 == "none" || (texts[$0] ?? "").utf8.count > 4 << 20 })
    let sources = try names.map { name in
      FileSource.file(try folder.write((texts[name] ?? "").utf8, to: "\(name).ics"))
    }
    let expected = try convertInTurn(sources, to: .jCal)
    var largest = 0
    var result = Outcome()
    var conversion = FileConversion(to: .jCal) { result.events.append($0) }
    try await conversion.convert(sources, cores: 2) { bytes in
      largest = max(largest, bytes.count)
      result.bytes += bytes
    }
    result.componentCount = conversion.componentCount
    result.outcome = conversion.outcome
    #expect(result == expected)
    #expect(largest < 2 << 20)
    let stream = try CalendarStream(parsingJCal: result.bytes)
    #expect(
      stream.calendars.count == names.filter { $0 != "none" }.count
        + (names == ["two"] ? 1 : 0))
  }

  @Test func lossesAreAnnouncedAsLosses() throws {
    let folder = try TemporaryFolder()
    let text = Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nX_A:1\r\nSUMMARY:caf".utf8)
    let rest = Array("\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
    let path = try folder.write(text + [0xE9] + rest, to: "a.ics")
    for (form, words) in [
      (CalendarForm.jCal, ["the line is omitted", "U+FFFD"]),
      (.iCalendar, ["the line is kept", "bytes are kept"]),
    ] {
      var events: [FileEvent] = []
      let options = ReadingOptions(charset: .utf8)
      var conversion = FileConversion(to: form, options: options) { events.append($0) }
      try conversion.add(.file(path)) { _ in }
      for word in words { #expect(events.contains { "\($0)".contains(word) }, "\(form): \(word)") }
    }
  }

  @Test func fileThatChangesMeanwhileIsAnError() async throws {
    let folder = try TemporaryFolder()
    let text = calendar(events: 12_000)
    let path = try folder.write(text.utf8, to: "growing.ics")
    var conversion = FileConversion(to: .jCal) { _ in }
    var isChanged = false
    let error = await #expect(throws: FileError.self) {
      try await conversion.convert([.file(path)], cores: 2) { _ in
        guard !isChanged else { return }
        isChanged = true
        try folder.write((text + calendar(events: 1, 1)).utf8, to: "growing.ics")
      }
    }
    #expect(error?.reason == "expected files that stay the same, found one that has changed")
  }

  @Test func bytesOfAnotherCharsetEndAFileAtTheSamePlace() async throws {
    let bytes = Array(calendar(events: 4000).utf8) + [0x81]
    let source = FileSource.bytes(bytes, label: "odd.ics")
    let options = ReadingOptions(charset: .named("windows-1252"))
    var (events, same) = ([FileEvent](), [FileEvent]())
    var (output, again) = ([UInt8](), [UInt8]())
    var conversion = FileConversion(to: .ndjson, options: options) { events.append($0) }
    try await conversion.convert([source], cores: 3) { output += $0 }
    var other = FileConversion(to: .ndjson, options: options) { same.append($0) }
    try other.add(source) { again += $0 }
    try other.finish { again += $0 }
    #expect(output == again)
    #expect(events == same)
  }

  // MARK: Checks

  @Test func everyFixtureHasTheSameProblemsOnAllCores() async throws {
    for fixture in try Fixture.allCalendars() {
      let source = FileSource.bytes(fixture.bytes, label: fixture.path)
      let check = try await FileCheck(of: source, now: nil, cores: 3)
      let expected = try FileCheck(of: source, now: nil)
      #expect(check.diagnostics == expected.diagnostics, "\(fixture.path)")
      #expect(check.counts == expected.counts && check.fixCount == expected.fixCount)
    }
  }

  @Test func longFilesHaveTheSameProblemsOnAllCores() async throws {
    let text =
      calendar(events: 3000, head: "X-WR-TIMEZONE:Europe/Berlin\r\n")
      + calendar(events: 2000, 1, tail: "METHOD:PUBLISH\r\n")
    let bytes = Array(text.utf8)
    let source = FileSource.bytes(bytes, label: "long.ics")
    let check = try await FileCheck(of: source, now: nil, cores: 4)
    #expect(check.diagnostics == (try FileCheck(of: source, now: nil).diagnostics))
    let codes = Set(check.diagnostics.map(\.code))
    #expect(codes.isSuperset(of: [.repeatedComponent, .missingComponent, .valueRange, .longLine]))
    // The reader of whole files finds the same, apart from the note about long lines.
    let whole = FileChecker.diagnostics(for: bytes.span)
    #expect(check.diagnostics.count == whole.count)
  }
}

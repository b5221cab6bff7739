// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import TestSupport
import Testing

@Suite("Repair of files")
struct FileRepairTests {
  private static let now = CivilDateTime(
    year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5)

  struct Case: CustomTestStringConvertible {
    let lines: String
    let mended: String
    var testDescription: String { lines.debugDescription }
  }

  static let cases: [Case] = [
    Case(lines: "DTSTART:20260101", mended: "DTSTART;VALUE=DATE:20260101"),
    Case(
      lines: "DTSTART;X-A=\"b\";VALUE=DATE;TZID=Berlin:20260101",
      mended: "DTSTART;X-A=b;VALUE=DATE:20260101"),
    // Whether it is in UTC or in the zone nobody knows.
    Case(
      lines: "DTSTART;TZID=/x:20260101T000000Z", mended: "DTSTART;TZID=/x:20260101T000000Z"),
    Case(lines: "DTSTART: 20260101T000000Z ", mended: "DTSTART:20260101T000000Z"),
    Case(lines: "DURATION:\tPT1H", mended: "DURATION:PT1H"),
    Case(
      lines: "EXDATE:20260101T000000Z, 20260102T000000Z",
      mended: "EXDATE:20260101T000000Z,20260102T000000Z"),
    Case(lines: "PRIORITY: 5", mended: "PRIORITY:5"),
    Case(
      lines: "ATTACH;ENCODING=BASE64;VALUE=BINARY:QUI",
      mended: "ATTACH;ENCODING=BASE64;VALUE=BINARY:QUI="),
    Case(lines: "SUMMARY: blank ", mended: "SUMMARY: blank "),
    // The digits of other scripts, which programs in Arabic and Persian write.
    Case(lines: "DTSTART:٢٠٢٦١٢٣١T١٠٠٠٠٠Z", mended: "DTSTART:20261231T100000Z"),
    Case(lines: "DTSTART:۲۰۲۶۱۲۳۱T۱۱۰۰۰۰", mended: "DTSTART:20261231T110000"),
    Case(lines: "DTSTART;VALUE=DATE:٢٠٢٦١٢٣١", mended: "DTSTART;VALUE=DATE:20261231"),
    Case(lines: "RRULE:FREQ=DAILY;COUNT=٣", mended: "RRULE:FREQ=DAILY;COUNT=3"),
    Case(lines: "SEQUENCE:١", mended: "SEQUENCE:1"),
    Case(lines: "DURATION:PT٩٠M", mended: "DURATION:PT90M"),
    Case(lines: "SUMMARY:٢ Äpfel", mended: "SUMMARY:٢ Äpfel"),
    Case(lines: "SEQUENCE:١x", mended: "SEQUENCE:١x"),
    // Both are mended, the second when the file is read again.
    Case(lines: "DTSTART;TZID=/x:20260101", mended: "DTSTART;VALUE=DATE:20260101"),
    Case(
      lines: "TRIGGER:20261129T090000Z", mended: "TRIGGER;VALUE=DATE-TIME:20261129T090000Z"),
    Case(
      lines: "TRIGGER;VALUE=DURATION:20261129T090000Z",
      mended: "TRIGGER;VALUE=DATE-TIME:20261129T090000Z"),
    // A time in UTC has no TZID; of a zone whose clocks have that time once, it is known.
    Case(
      lines: "TRIGGER;VALUE=DATE-TIME;TZID=Europe/Berlin:20261129T090000",
      mended: "TRIGGER;VALUE=DATE-TIME:20261129T080000Z"),
    Case(
      lines: "TRIGGER;TZID=Europe/Berlin:20260701T090000",
      mended: "TRIGGER;VALUE=DATE-TIME:20260701T070000Z"),
    Case(
      lines: "COMPLETED;TZID=America/New_York;X-A=b:20261129T200000",
      mended: "COMPLETED;X-A=b:20261130T010000Z"),
    Case(
      lines: "COMPLETED;TZID=Europe/Berlin:20261025T023000",
      mended: "COMPLETED;TZID=Europe/Berlin:20261025T023000"),
    Case(
      lines: "COMPLETED;TZID=Europe/Berlin:20260329T023000",
      mended: "COMPLETED;TZID=Europe/Berlin:20260329T023000"),
    Case(
      lines: "COMPLETED;TZID=Mars/Olympus:20261129T200000",
      mended: "COMPLETED;TZID=Mars/Olympus:20261129T200000"),
    Case(lines: "COMPLETED:20261129T200000", mended: "COMPLETED:20261129T200000"),
    Case(lines: "TRIGGER;VALUE=DATE-TIME:-PT15M", mended: "TRIGGER:-PT15M"),
    Case(
      lines: "TRIGGER:VALUE=DATE-TIME:20261130T090000Z",
      mended: "TRIGGER;VALUE=DATE-TIME:20261130T090000Z"),
    Case(lines: "TRIGGER:TRIGGER:-PT15M", mended: "TRIGGER:-PT15M"),
    Case(lines: "RRULE:RRULE:FREQ=DAILY;COUNT=2", mended: "RRULE:FREQ=DAILY;COUNT=2"),
    Case(lines: "RRULE:rrule:freq=daily", mended: "RRULE:FREQ=DAILY"),
    Case(lines: "DTSTART:VALUE=DATE:20260101", mended: "DTSTART;VALUE=DATE:20260101"),
    Case(lines: "DTSTART:DTSTART:20260101T000000Z", mended: "DTSTART:20260101T000000Z"),
    // A text may begin so.
    Case(lines: "SUMMARY:SUMMARY:a", mended: "SUMMARY:SUMMARY:a"),
    Case(lines: "TRIGGER:-P0DT0H30M0S", mended: "TRIGGER:-P0DT0H30M0S"),
    Case(lines: "DURATION:1H", mended: "DURATION:PT1H"),
    Case(lines: "DURATION:one hour", mended: "DURATION:one hour"),
    Case(lines: "DURATION:P1W2D", mended: "DURATION:P9D"),
    Case(lines: "SUMMARY:a\r\nSUMMARY:a", mended: "SUMMARY:a"),
    Case(lines: "SUMMARY:a\r\nSUMMARY:b", mended: "SUMMARY:a\r\nSUMMARY:b"),
    Case(lines: "CATEGORIES:a\r\nCATEGORIES:a", mended: "CATEGORIES:a\r\nCATEGORIES:a"),
    Case(lines: "A:1\r\n\r\nB:2", mended: "A:1\r\nB:2"),
    Case(lines: "A:1\r\n \r\nB:2", mended: "A:1\r\n \r\nB:2"),
    Case(lines: "ATTACH;VALUE=BINARY:SGk=", mended: "ATTACH;VALUE=BINARY;ENCODING=BASE64:SGk="),
    Case(lines: "ATTACH;VALUE=BINARY:S!k=", mended: "ATTACH;VALUE=BINARY:S!k="),
    Case(
      lines: "RRULE:FREQ=DAILY; COUNT=2;", mended: "RRULE:FREQ=DAILY;COUNT=2"),
    // What an unknown part was meant to say nobody knows.
    Case(lines: "RRULE:FREQ=DAILY;FOO=2;", mended: "RRULE:FREQ=DAILY;FOO=2;"),
    Case(lines: "ATTENDEE;CN=a;CN=a:mailto:x", mended: "ATTENDEE;CN=a:mailto:x"),
    Case(lines: "ATTENDEE;CN=a;CN=b:mailto:x", mended: "ATTENDEE;CN=a;CN=b:mailto:x"),
    Case(
      lines: "ORGANIZER:ann@example.org", mended: "ORGANIZER:ann@example.org"),
    Case(lines: "SUMMARY:Lunch, with Oma", mended: "SUMMARY:Lunch\\, with Oma"),
    Case(
      lines: "DESCRIPTION;LANGUAGE=de:a;b\\,c\\\\,d\\n,",
      mended: "DESCRIPTION;LANGUAGE=de:a\\;b\\,c\\\\\\,d\\n\\,"),
    Case(lines: "LOCATION:a\r\n ,b", mended: "LOCATION:a\\,b"),
    Case(
      lines: "STYLED-DESCRIPTION;VALUE=TEXT:<p>a, b</p>",
      mended: "STYLED-DESCRIPTION;VALUE=TEXT:<p>a\\, b</p>"),
    // Lists, structures, other types, and what nobody knows stay as they are.
    Case(lines: "CATEGORIES:a,b;c", mended: "CATEGORIES:a,b;c"),
    Case(lines: "RESOURCES:a,b", mended: "RESOURCES:a,b"),
    Case(lines: "REQUEST-STATUS:2.0;Success", mended: "REQUEST-STATUS:2.0;Success"),
    Case(lines: "X-NOTE:a,b", mended: "X-NOTE:a,b"),
    Case(lines: "URL:https://example.org/a,b", mended: "URL:https://example.org/a,b"),
    Case(
      lines: "STYLED-DESCRIPTION;VALUE=URI:https://example.org/a,b",
      mended: "STYLED-DESCRIPTION;VALUE=URI:https://example.org/a,b"),
    // Others know it by its letters.
    Case(lines: "UID:a,b", mended: "UID:a,b"),
    Case(lines: "X;\"=broken\r\nline", mended: "X;\"=broken\r\nline"),
    Case(
      lines: "SUMMARY:" + String(repeating: "x", count: 100),
      mended: "SUMMARY:" + String(repeating: "x", count: 67) + "\r\n "
        + String(repeating: "x", count: 33)),
  ]

  @Test("Only what is certain is mended", arguments: cases)
  func mends(_ item: Case) {
    func file(_ lines: String) -> String {
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:X-EVENT\r\n\(lines)\r\n"
        + "END:X-EVENT\r\nEND:VCALENDAR\r\n"
    }
    // A component that must have nothing else; what is twice is wrong in known ones only.
    let name = item.lines.hasPrefix("SUMMARY:a") ? "VALARM" : "X-EVENT"
    func bytes(_ lines: String) -> [UInt8] {
      Array(file(lines).replacing("X-EVENT", with: name).utf8)
    }
    let repair = FileRepair(of: bytes(item.lines), zones: .system)
    #expect(
      String(decoding: repair.bytes, as: UTF8.self)
        == String(decoding: bytes(item.mended), as: UTF8.self))
  }

  @Test("One repair removes all repetitions, however many")
  func manyRepetitions() {
    let event = ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z", "DTSTART:20260101T000000Z"]
    let repeated = Array(repeating: "METHOD:PUBLISH", count: 151)
    let ends = ["ORGANIZER:mailto:a@example.org", "END:VEVENT", "END:VCALENDAR"]
    let lines =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + repeated + event + ends
    let repair = FileRepair(of: Array(lines.map { $0 + "\r\n" }.joined().utf8))
    #expect(repair.mended.count == 150)
    #expect(!repair.left.contains { $0.fix?.isSafe ?? false })
    #expect(!FileRepair(of: repair.bytes).isChanged)
  }

  @Test("A component that another line ends gets its END line, and an end of the file adds none")
  func ends() {
    func file(_ lines: String...) -> [UInt8] {
      let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"]
      return Array((head + lines).map { $0 + "\r\n" }.joined().utf8)
    }
    let event = ["UID:1", "DTSTAMP:20260101T000000Z", "DTSTART:20260101T000000Z"]
      .joined(separator: "\r\n")
    let alarm = "BEGIN:VALARM\r\nACTION:AUDIO\r\nTRIGGER:-PT5M"
    let broken = file(
      "BEGIN:VEVENT", event, alarm, "BEGIN:VEVENT", event.replacing("UID:1", with: "UID:2"),
      alarm, "END:VEVENT", "END:VCALENDAR")
    let whole = file(
      "BEGIN:VEVENT", event, alarm, "END:VALARM", "END:VEVENT", "BEGIN:VEVENT",
      event.replacing("UID:1", with: "UID:2"), alarm, "END:VALARM", "END:VEVENT", "END:VCALENDAR")
    let repair = FileRepair(of: broken)
    #expect(String(decoding: repair.bytes, as: UTF8.self) == String(decoding: whole, as: UTF8.self))
    #expect(repair.left.isEmpty)
    // Something may be missing.
    #expect(!FileRepair(of: file("BEGIN:VEVENT", event)).isChanged)
  }

  @Test("What must be there is added where it belongs")
  func adds() {
    let text =
      "begin:vcalendar\nBEGIN:VEVENT\nUID:1\nDTSTART:20260101T000000Z\nEND:VEVENT\nEND:VCALENDAR"
    let repair = FileRepair(of: Array(text.utf8), now: Self.now)
    #expect(
      String(decoding: repair.bytes, as: UTF8.self)
        == "begin:vcalendar\r\nPRODID:-//Epact//Epact//EN\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n"
        + "DTSTAMP:20260102T030405Z\r\nUID:1\r\nDTSTART:20260101T000000Z\r\nEND:VEVENT\r\n"
        + "END:VCALENDAR\r\n")
    #expect(repair.left.isEmpty)
    #expect(
      repair.mended.map(\.code) == [.missingProperty, .missingProperty, .missingProperty, .lineEnd])
  }

  @Test("DTSTAMP is the time of the last change where that is known")
  func stamp() {
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VJOURNAL\r\nUID:1\r\n"
      + "LAST-MODIFIED:20250101T000000Z\r\nEND:VJOURNAL\r\nEND:VCALENDAR\r\n"
    let repair = FileRepair(of: Array(text.utf8), now: Self.now)
    #expect(String(decoding: repair.bytes, as: UTF8.self).contains("DTSTAMP:20250101T000000Z"))
    // Without a clock and without a change there is nothing to add.
    let bare = text.replacing("LAST-MODIFIED:20250101T000000Z\r\n", with: "")
    #expect(!FileRepair(of: Array(bare.utf8)).isChanged)
  }

  @Test(
    "Mending again changes nothing, and what was mended says what it said",
    arguments: Fixture.calendarFolders)
  func isSafe(folder: String) throws {
    for fixture in try Fixture.calendars(in: folder) {
      let repair = FileRepair(of: fixture.bytes, now: Self.now)
      let again = FileRepair(of: repair.bytes, now: Self.now)
      #expect(!again.isChanged, "\(fixture.path): \(again.mended.map(\.message))")
      #expect(again.bytes == repair.bytes, "\(fixture.path)")
      guard let before = try? Self.statements(of: fixture.bytes) else { continue }
      let after = try Self.statements(of: repair.bytes)
      #expect(before.isSubset(of: after), "\(fixture.path)")
      let added: Set<PropertyName> = [.dtStamp, .version, .productID]
      #expect(after.subtracting(before).allSatisfy { added.contains($0.name) }, "\(fixture.path)")
      #expect(repair.isChanged == (repair.bytes != fixture.bytes), "\(fixture.path)")
    }
  }

  /// What a file says: the values of its properties, wherever they are.
  private struct Statement: Hashable {
    let name: PropertyName
    /// In words, in which durations that are equal look equal.
    let values: String
    let component: ComponentName
  }

  private static func statements(of bytes: [UInt8]) throws -> Set<Statement> {
    var found: Set<Statement> = []
    func add(_ component: Component) {
      for property in component.properties where property.isWellFormed {
        found.insert(
          Statement(
            name: property.name, values: "\(property.typedValues.values)", component: component.name
          ))
      }
      for nested in component.components { add(nested) }
    }
    let stream = try CalendarStream(parsing: bytes)
    for calendar in stream.calendars { add(calendar) }
    add(stream.strays)
    return found
  }

  @Test("Lines that are not mended stay byte for byte")
  func bytesStay() {
    let odd = "x-Odd;A=\"b\" ;c=:kept \t\r\n  folded\r\n\todd\r\n"
    let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n\(odd)\r\nX-B:2\r\nEND:VCALENDAR\r\n"
    let repair = FileRepair(of: Array(text.utf8))
    #expect(repair.isChanged)
    #expect(
      String(decoding: repair.bytes, as: UTF8.self)
        == "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n\(odd)X-B:2\r\nEND:VCALENDAR\r\n")
  }

  @Test("A file that reaches a limit is left alone")
  func limits() {
    var limits = ParserLimits()
    limits.nesting = 0
    let text = "BEGIN:VCALENDAR\n\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR\n"
    let repair = FileRepair(of: Array(text.utf8), limits: limits)
    #expect(!repair.isChanged)
    #expect(repair.left.contains { $0.message.contains("at most") })
  }

  @Test("The diff shows what changed, and some lines around it")
  func diff() {
    let lines = (1...9).map { "X-\($0):\($0)\r\n" }.joined()
    let text = "BEGIN:VCALENDAR\r\n\(lines)\r\nX-A:1\r\nEND:VCALENDAR\r\n"
    let hunks = FileRepair(of: Array(text.utf8)).hunks(context: 2)
    #expect(hunks.map(\.header) == ["@@ -1,3 +1,5 @@", "@@ -9,5 +11,4 @@"])
    #expect(
      hunks.map { $0.lines.map { "\($0.kind.rawValue)\($0.text)" } } == [
        [" BEGIN:VCALENDAR", "+PRODID:-//Epact//Epact//EN", "+VERSION:2.0", " X-1:1", " X-2:2"],
        [" X-8:8", " X-9:9", "-", " X-A:1", " END:VCALENDAR"],
      ])
  }

  @Test("No bytes make a repair trap or go on for ever")
  func hostile() throws {
    let seedText = try Fixture("real-world/school-timetable.ics").bytes
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      var bytes = seedText
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = [0x0A, 0x0D, 0x20, 0x3A, 0x3B, 0x22, 0x80][place % 7]
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
        }
      }
      let repair = FileRepair(of: bytes, now: Self.now)
      #expect(!FileRepair(of: repair.bytes, now: Self.now).isChanged, "seed \(seed)")
      #expect(repair.isChanged || repair.bytes == bytes, "seed \(seed)")
      #expect(repair.isChanged || repair.hunks().isEmpty, "seed \(seed)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import Epact
import TestSupport
import Testing

/// Two calendars that are read at the same time and compared.
struct ComparisonTests {
  private func calendar(offset: String = "+0100", events: Int = 20, title: String = "A") -> String {
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//A//B//EN", "BEGIN:VTIMEZONE", "TZID:Own zone",
      "BEGIN:STANDARD", "DTSTART:20200101T000000", "TZOFFSETFROM:\(offset)",
      "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
    ]
    for event in 0..<events {
      lines += [
        "BEGIN:VEVENT", "UID:\(event)", "DTSTAMP:20260101T000000Z",
        "DTSTART;TZID=Own zone:20260102T090000", "SUMMARY:\(event == 7 ? title : "B")",
        "END:VEVENT",
      ]
    }
    return (lines + ["END:VCALENDAR"]).map { "\($0)\r\n" }.joined()
  }

  private func comparison(_ first: String, _ second: String) async throws -> CalendarComparison {
    let folder = try TemporaryFolder()
    let (before, after) = try await ItemCollection.pair(
      try folder.write(first.utf8, to: "a.ics"), try folder.write(second.utf8, to: "b.ics"))
    #expect(before.items.count == 20 && after.items.count >= 20)
    return try CalendarComparison(
      from: before, to: after, normalForm: Machine.live().normalForm)
  }

  @Test func equalCalendarsHaveNoDifference() async throws {
    #expect(try await comparison(calendar(), calendar()).isEmpty)
  }

  @Test func oneChangedItemIsTheOnlyDifference() async throws {
    let changed = try await comparison(calendar(), calendar(title: "C"))
    #expect(changed.items.map(\.item.uid) == [UID("7")])
    let added = try await comparison(calendar(), calendar(events: 21))
    #expect(added.items.map(\.change) == [.added])
  }

  /// The bytes of the events are equal, and their times are not.
  @Test func definitionOfTheZoneIsAPartOfAnItem() async throws {
    let comparison = try await comparison(calendar(), calendar(offset: "+0200"))
    #expect(comparison.items.count == 20)
    let uids = comparison.items.map(\.item.uid)
    #expect(uids == uids.sorted())
  }

  @Test func missingFirstFileIsReported() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(calendar().utf8, to: "a.ics")
    for (first, second) in [("none.ics", path), (path, "none.ics"), ("none.ics", "none.ics")] {
      let error = await #expect(throws: FileError.self) {
        _ = try await ItemCollection.pair(first, second)
      }
      #expect(error?.code == .unreadable)
      #expect(error?.description == "none.ics: no such file or directory")
    }
  }
}

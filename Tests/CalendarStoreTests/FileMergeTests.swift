// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

@Suite("Merging files")
struct FileMergeTests {
  /// A calendar of events, each a UID and a summary, after a line that nobody understands.
  private func file(_ summaries: [(String, String)]) -> [UInt8] {
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "X-ODD;x=\"1\":kept",
      "BEGIN:X-COMP", "X-A:kept", "END:X-COMP",
    ]
    for (uid, summary) in summaries {
      lines += [
        "BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260102T030405Z", "DTSTART:20260301T120000Z",
        "SUMMARY:\(summary)", "END:VEVENT",
      ]
    }
    return Array((lines + ["END:VCALENDAR"]).joined(separator: "\r\n").utf8) + [13, 10]
  }

  private func titles(_ bytes: [UInt8]) throws -> [String: String] {
    let listing = try CalendarDocument(parsing: bytes).listing()
    return Dictionary(uniqueKeysWithValues: listing.entries.map { ($0.name, $0.item.title) })
  }

  private let merge = FileMerge(ThreeWayMerge())

  @Test("Each item is merged on its own")
  func items() throws {
    let base = file([("a", "1"), ("b", "1"), ("c", "1"), ("d", "1"), ("e", "1")])
    let local = file([("a", "2"), ("b", "1"), ("d", "1"), ("e", "1"), ("new-l", "1")])
    let remote = file([("a", "1"), ("b", "2"), ("c", "1"), ("e", "1"), ("new-r", "1")])
    let result = try merge.merge(base: base, local: local, remote: remote)
    #expect(
      try titles(result.bytes) == ["a": "2", "b": "2", "e": "1", "new-l": "1", "new-r": "1"])
    #expect(result.isClean)
    #expect(result.findings.isEmpty)
  }

  @Test("An edit outlives the deletion of the item, and is reported", arguments: [true, false])
  func deletion(deletesHere: Bool) throws {
    let base = file([("a", "1"), ("b", "1")])
    let (deleted, edited) = (file([("b", "1")]), file([("a", "2"), ("b", "1")]))
    let result = try merge.merge(
      base: base, local: deletesHere ? deleted : edited, remote: deletesHere ? edited : deleted)
    #expect(try titles(result.bytes) == ["a": "2", "b": "1"])
    #expect(result.findings.map(\.survivor) == [deletesHere ? .remote : .local])
    #expect(result.isClean)
  }

  @Test("Without a base nothing was deleted", arguments: [nil, []] as [[UInt8]?])
  func withoutBase(_ base: [UInt8]?) throws {
    let result = try merge.merge(
      base: base, local: file([("a", "1")]), remote: file([("b", "1")]))
    #expect(try titles(result.bytes) == ["a": "1", "b": "1"])
  }

  @Test("A conflict is told, and the local version stands")
  func conflict() throws {
    let result = try merge.merge(
      base: file([("a", "1")]), local: file([("a", "2")]), remote: file([("a", "3")]))
    #expect(!result.isClean)
    #expect(result.findings.map(\.title) == ["2"])
    #expect(result.bytes == file([("a", "2")]))
  }

  @Test("What only the local side changed is the local file, byte for byte")
  func untouched() throws {
    let (base, local) = (file([("a", "1")]), file([("a", "2"), ("b", "1")]))
    #expect(try merge.merge(base: base, local: local, remote: base).bytes == local)
    #expect(try merge.merge(base: base, local: local, remote: local).bytes == local)
  }

  @Test(
    "Where nothing is to be done the file stays byte for byte, however it begins and ends",
    arguments: [
      "\u{FEFF}BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n",
      "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n\r\n", "",
    ])
  func asItIs(_ text: String) throws {
    let bytes = Array(text.utf8)
    #expect(try merge.merge(base: bytes, local: bytes, remote: bytes).bytes == bytes)
  }

  private func calendar(_ lines: [String]) -> [UInt8] {
    let all =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN"] + lines + ["END:VCALENDAR"]
    return Array(all.map { $0 + "\r\n" }.joined().utf8)
  }

  @Test(
    "What the files say of the calendar as a whole is merged too",
    arguments: [
      (["X-WR-CALNAME:Home"], ["X-WR-CALNAME:Home"], ["X-WR-CALNAME:Ours"], ["X-WR-CALNAME:Ours"]),
      ([], ["COLOR:red"], ["X-WR-CALNAME:Ours"], ["X-WR-CALNAME:Ours", "COLOR:red"]),
      (["COLOR:red"], ["COLOR:red"], [], []),
      (
        ["BEGIN:X-A", "X-B:1", "END:X-A"], ["BEGIN:X-A", "X-B:1", "END:X-A"],
        ["BEGIN:X-A", "X-B:2", "END:X-A"], ["BEGIN:X-A", "X-B:2", "END:X-A"]
      ),
      ([], ["COLOR:red"], ["BEGIN:X-A", "END:X-A"], ["COLOR:red", "BEGIN:X-A", "END:X-A"]),
      (["METHOD:PUBLISH"], ["METHOD:PUBLISH"], [], []),
    ] as [([String], [String], [String], [String])])
  func ofTheCalendar(_ base: [String], _ local: [String], _ remote: [String], _ merged: [String])
    throws
  {
    let result = try merge.merge(
      base: calendar(base), local: calendar(local), remote: calendar(remote))
    #expect(
      String(decoding: result.bytes, as: UTF8.self)
        == String(decoding: calendar(merged), as: UTF8.self))
    #expect(result.isClean)
  }

  @Test("Two names for one calendar are a conflict; the local one stands")
  func twoNames() throws {
    let result = try merge.merge(
      base: calendar(["X-WR-CALNAME:Home"]), local: calendar(["X-WR-CALNAME:Mine"]),
      remote: calendar(["X-WR-CALNAME:Yours"]))
    #expect(result.bytes == calendar(["X-WR-CALNAME:Mine"]))
    #expect(
      result.calendarConflicts.map(\.description)
        == ["VCALENDAR: X-WR-CALNAME: edits, waits"])
    #expect(!result.isClean)
  }

  /// A zone definition with a fixed offset, and an event in it without a UID.
  private func zoned(_ offset: String, _ title: String, tzID: String = "Own Zone") -> [String] {
    [
      "BEGIN:VTIMEZONE", "TZID:\(tzID)", "BEGIN:STANDARD", "DTSTART:16010101T000000",
      "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
    ] + untitled(title, tzID)
  }

  private func untitled(_ title: String, _ tzID: String = "Own Zone") -> [String] {
    ["BEGIN:VEVENT", "DTSTART;TZID=\(tzID):20260706T120000", "SUMMARY:\(title)", "END:VEVENT"]
  }

  private func merged(_ base: [String]?, _ local: [String], _ remote: [String]) throws -> String {
    let result = try merge.merge(
      base: base.map(calendar), local: calendar(local), remote: calendar(remote))
    return String(decoding: result.bytes, as: UTF8.self)
  }

  private func text(_ lines: [String]) -> String {
    String(decoding: calendar(lines), as: UTF8.self)
  }

  @Test("An event without a UID keeps the definition of its time zone")
  func zonesOfEventsWithoutUID() throws {
    let (india, pacific) = (zoned("+0530", "India"), zoned("-0800", "Pacific"))
    let second = zoned("-0800", "Pacific", tzID: "Own Zone 2")
    let both = text(india.prefix(8) + second.prefix(8) + untitled("India") + second.suffix(4))
    #expect(try merged(nil, india, pacific) == both)
    // Equal texts are two events, since they are at different times.
    let twin = zoned("-0800", "India")
    let twinned = text(
      india.prefix(8) + second.prefix(8) + untitled("India") + untitled("India", "Own Zone 2"))
    #expect(try merged(nil, india, twin) == twinned)
    // The remote file adds the definition as well.
    #expect(try merged([], [], india) == text(india))
    #expect(try merged(nil, [], india) == text(india))
    // What neither side changed keeps its name, and an edit of one side is no second zone.
    #expect(try merged(india, india, india) == text(india))
    let later = india.prefix(8) + untitled("India, later")
    #expect(try merged(india, india, Array(later)) == text(Array(later)))
    #expect(try merged(india, Array(later), india) == text(Array(later)))
    #expect(try merged(india, india, []) == text([]))
  }

  @Test("A file that is cut off is an error")
  func cutOff() {
    let whole = file([("a", "1")])
    #expect(throws: FileMerge.Refusal.self) {
      try merge.merge(base: whole, local: Array(whole.dropLast(20)), remote: whole)
    }
  }
}

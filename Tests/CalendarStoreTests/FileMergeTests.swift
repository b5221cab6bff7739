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

  @Test("A file that is cut off is an error")
  func cutOff() {
    let whole = file([("a", "1")])
    #expect(throws: ItemError.self) {
      try merge.merge(base: whole, local: Array(whole.dropLast(20)), remote: whole)
    }
  }
}

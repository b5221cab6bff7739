// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Testing

@Suite("The text of merged files")
struct FileMergeTextTests {
  private let merge = FileMerge(ThreeWayMerge())

  private func event(_ uid: String?, _ summary: String) -> [String] {
    ["BEGIN:VEVENT"] + (uid.map { ["UID:\($0)"] } ?? [])
      + [
        "DTSTAMP:20260102T030405Z", "DTSTART:20260301T120000Z", "SUMMARY:\(summary)", "END:VEVENT",
      ]
  }

  private func calendar(
    _ properties: [String] = [], program: String = "-//a//EN", _ parts: [String]...
  ) -> [String] {
    ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:\(program)"] + properties + parts.flatMap(\.self)
      + ["END:VCALENDAR"]
  }

  private func text(_ lines: [String], _ lineBreak: String = "\r\n") -> [UInt8] {
    Array(lines.map { $0 + lineBreak }.joined().utf8)
  }

  /// Lines with CRLF and LF by turns.
  private func mixed(_ lines: [String]) -> [UInt8] {
    lines.enumerated().flatMap { Array($1.utf8) + ($0.isMultiple(of: 2) ? [13, 10] : [10]) }
  }

  private func merged(_ base: [UInt8]?, _ local: [UInt8], _ remote: [UInt8]) throws -> String {
    let result = try merge.merge(base: base, local: local, remote: remote)
    #expect(result.isClean)
    return shown(result.bytes)
  }

  private func shown(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { $0 == 13 ? Array("<CR>".utf8) : [$0] }, as: UTF8.self)
  }

  @Test("If the local file equals the base, the result is the remote file, byte for byte")
  func remoteAsItIs() throws {
    let before = calendar(["METHOD:PUBLISH"], event("a", "1"), [""], event(nil, "2"))
    let after = calendar(
      ["X-WR-CALNAME:New"], program: "-//b//EN", event("b", "3"), [""], event(nil, "4"), ["", ""])
    let notations: [([String]) -> [UInt8]] = [
      { text($0) }, { text($0, "\n") }, { text($0, "\r") }, mixed, { Array(text($0).dropLast(2)) },
      { [0xEF, 0xBB, 0xBF] + text($0) }, { text($0) + [13, 10] },
    ]
    for base in notations {
      for remote in notations {
        #expect(try merged(base(before), base(before), remote(after)) == shown(remote(after)))
      }
    }
    #expect(try merged(nil, [], text(after, "\n")) == shown(text(after, "\n")))
  }

  @Test("Changed and new parts have the line breaks of the local file", arguments: ["\r\n", "\n"])
  func lineBreaks(_ lineBreak: String) throws {
    let zone = [
      "BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:16010101T000000",
      "TZOFFSETFROM:+0530", "TZOFFSETTO:+0530", "END:STANDARD", "END:VTIMEZONE",
    ]
    let zoned = ["BEGIN:VEVENT", "UID:z", "DTSTART;TZID=Own:20260301T120000", "END:VEVENT"]
    let base = calendar(["COLOR:red"], event("a", "1"), event("b", "1"), event(nil, "1"))
    let local = calendar(["COLOR:red"], event("a", "2"), event("b", "1"), event(nil, "1"))
    let remote = calendar(
      ["COLOR:blue", "X-WR-CALNAME:New"], zone, event("a", "1"), event("b", "2"), event(nil, "2"),
      event("c", "folded here,\(lineBreak == "\n" ? "\r\n" : "\n")  and there"), zoned)
    let result = calendar(
      ["COLOR:blue", "X-WR-CALNAME:New"], zone, event("a", "2"), event("b", "2"), event(nil, "2"),
      event("c", "folded here,\(lineBreak)  and there"), zoned)
    for other in ["\r\n", "\n"] {
      let text = try merged(text(base, other), text(local, lineBreak), text(remote, other))
      #expect(text.replacing("<CR>\n", with: "\n").contains("folded here"))
      #expect(text.contains("<CR>") == (lineBreak == "\r\n"))
      #expect(
        text.split(separator: "\n").allSatisfy { $0.hasSuffix("<CR>") == (lineBreak != "\n") })
      if lineBreak != other { #expect(text == shown(self.text(result, lineBreak))) }
    }
  }

  @Test("CR CR LF of the remote file is one line break")
  func doubledCarriageReturns() throws {
    let (base, remote) = (calendar(event("a", "1")), calendar(event("a", "2"), event("b", "1")))
    let local = calendar(["COLOR:red"], event("a", "1"))
    let result = calendar(["COLOR:red"], event("a", "2"), event("b", "1"))
    #expect(try merged(text(base), text(local), text(remote, "\r\r\n")) == shown(text(result)))
  }

  @Test("Only changed parts of a file with mixed line breaks are written anew, with the usual ones")
  func mixedLineBreaks() throws {
    let (old, new) = (calendar(event("a", "1"), event("b", "1")), event("b", "2"))
    let crlf = text(Array(old[..<9]))
    let base = crlf + text(Array(old[9...14]), "\n") + text(["END:VCALENDAR"])
    let local = text(Array(old[..<7])) + text(["SUMMARY:2", old[8]]) + base[crlf.count...]
    let remote = crlf + text(new, "\n") + text(["END:VCALENDAR"])
    let changed = text(Array(old[..<7])) + text(["SUMMARY:2", old[8]]) + text(new)
    #expect(try merged(base, local, remote) == shown(changed + text(["END:VCALENDAR"])))
  }

  @Test("Blank lines, text around the calendar and items without a UID keep their places")
  func places() throws {
    func file(_ name: String, _ title: String, _ untitled: String) -> [UInt8] {
      [0xEF, 0xBB, 0xBF]
        + text(
          [
            "BEGIN:VCALENDAR", "", "VERSION:2.0", "PRODID:-//a//EN", "X-WR-CALNAME:\(name)", "",
          ] + event(nil, "first") + [""] + event("a", title) + ["", ""] + event(nil, untitled)
            + [""] + event("b", "1") + ["X-LATE:1"] + event(nil, "last") + [
              "", "END:VCALENDAR", "",
            ],
          "\n")
    }
    let base = file("Old", "1", "1")
    #expect(
      try merged(base, file("Old", "2", "1"), file("New", "1", "2"))
        == shown(file("New", "2", "2")))
    #expect(
      try merged(base, file("New", "1", "1"), file("Old", "2", "1"))
        == shown(file("New", "2", "1")))
  }

  @Test(
    "A calendar property that only one side changed has its value",
    arguments: [
      ("METHOD:PUBLISH", ""), ("", "METHOD:PUBLISH"), ("METHOD:PUBLISH", "METHOD:REQUEST"),
      ("CALSCALE:GREGORIAN", "CALSCALE:X-OTHER"), ("X-A:1", "X-A:2"), ("NAME:1", ""),
    ])
  func properties(_ old: String, _ new: String) throws {
    func file(_ property: String, _ program: String, _ title: String) -> [UInt8] {
      text(calendar(property.isEmpty ? [] : [property], program: program, event("a", title)))
    }
    let base = file(old, "-//a//EN", "1")
    let both = shown(file(new, "-//b//EN", "2"))
    #expect(try merged(base, file(old, "-//a//EN", "2"), file(new, "-//b//EN", "1")) == both)
    #expect(try merged(base, file(new, "-//b//EN", "1"), file(old, "-//a//EN", "2")) == both)
    // Two programs wrote the file: the name of the local one is no conflict.
    #expect(
      try merged(base, file(old, "-//c//EN", "2"), file(old, "-//b//EN", "1"))
        == shown(file(old, "-//c//EN", "2")))
  }

  @Test("An error names the file")
  func refusal() {
    let (whole, cut) = (text(calendar()), Array(text(calendar()).dropLast(20)))
    let versions: [(FileMerge.Version, [[UInt8]])] = [
      (.base, [cut, whole, whole]), (.local, [whole, cut, whole]), (.remote, [whole, whole, cut]),
    ]
    for (version, files) in versions {
      let refusal = #expect(throws: FileMerge.Refusal.self) {
        try merge.merge(base: files[0], local: files[1], remote: files[2])
      }
      #expect(refusal?.version == version)
      #expect(refusal?.reason.code == .incomplete)
    }
  }
}

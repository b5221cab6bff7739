// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What happens when nobody reads, or nothing can be written.
struct PipeTests {
  /// Enough that the reader is gone long before the end.
  private func manyErrors(in sandbox: Sandbox) throws {
    let lines = String(repeating: "no colon here\r\n", count: 20_000)
    try "BEGIN:VCALENDAR\r\n\(lines)END:VCALENDAR\r\n"
      .write(to: sandbox.folder.appending(path: "long.ics"), atomically: true, encoding: .utf8)
  }

  @Test func closedPipeIsQuiet() throws {
    let sandbox = try Sandbox()
    try manyErrors(in: sandbox)
    let result = try sandbox.run("epact check -q long.ics | head -1")
    #expect(result.output.hasPrefix("long.ics:"))
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test func exportIntoAClosedPipeEndsAsTheSystemWouldEndIt() throws {
    let sandbox = try Sandbox()
    let events = (1...2000).map { number in
      "BEGIN:VEVENT\r\nUID:\(number)\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260301T090000Z\r\n"
        + "SUMMARY:Event \(number) of many\r\nEND:VEVENT\r\n"
    }
    try
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//T//T//EN\r\n\(events.joined())END:VCALENDAR\r\n"
      .write(to: sandbox.folder.appending(path: "long.ics"), atomically: true, encoding: .utf8)
    let result = try sandbox.run("{ epact export long.ics; echo $? >&2; } | head -1")
    #expect(result.output == "BEGIN:VCALENDAR\r\n")
    // 128 and the number of SIGPIPE.
    #expect(result.errors == "141\n")
  }

  @Test(arguments: [
    "export", "convert --to ics", "convert --to ndjson", "convert --to csv", "convert --to jcal",
  ])
  func aTerminalReceivesNoControlCharactersOfAFile(_ command: String) throws {
    let sandbox = try Sandbox()
    let title = "\u{1B}[31mRed\u{1B}[0m \u{9B}7m caf\u{E9}\u{7F}"
    try
      ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//T//T//EN\r\nBEGIN:VEVENT\r\nUID:esc\r\n"
      + "DTSTAMP:20260101T000000Z\r\nDTSTART:20260301T090000Z\r\nSUMMARY:\(title)\r\n"
      + "END:VEVENT\r\nEND:VCALENDAR\r\n")
      .write(to: sandbox.folder.appending(path: "esc.ics"), atomically: true, encoding: .utf8)
    let result = try sandbox.run(
      "TERM=dumb script -qec 'epact \(command) esc.ics 2>/dev/null' /dev/null")
    #expect(result.output.contains("Red"))
    #expect(result.output.contains("caf\u{E9}"))
    #expect(
      !result.output.unicodeScalars.contains {
        $0.properties.generalCategory == .control
          && !"\r\n\t".unicodeScalars.contains($0)
      })
    let bytes = try sandbox.run("epact export esc.ics 2>/dev/null | cat").output
    #expect(bytes.contains(title))
  }

  @Test func fullDiskIsToldAndEndsWithTwo() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run("epact --help > /dev/full")
    #expect(result.errors == "error: cannot write standard output: no space left on device\n")
    #expect(result.status == 2)
  }

  @Test func interruptionEndsWith130() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run(
      "mkfifo in; sleep 900 > in & sleep=$!; epact check - < in & epact=$!; "
        + "\(Sandbox.untilItEndsBySignals); sleep 0.3; kill -INT $epact; wait $epact; echo $?; kill $sleep"
    )
    #expect(result.output == "130\n")
    #expect(result.errors == "error: interrupted\n")
  }

  /// The dynamic section of an ELF file has DF_BIND_NOW or DF_1_NOW with `-z now`.
  @Test func theProgramResolvesItsSymbolsAtTheStart() throws {
    let bytes = [UInt8](try Data(contentsOf: Sandbox.programs.appending(path: "epact")))
    func number(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    let (table, size, count) = (number(32, 8), number(54, 2), number(56, 2))
    let header = try #require(
      (0..<count).map { table + $0 * size }.first { number($0, 4) == 2 })
    let (start, length) = (number(header + 8, 8), number(header + 32, 8))
    let flags = stride(from: start, to: start + length, by: 16).contains { entry in
      switch number(entry, 8) {
      case 24: true
      case 30: number(entry + 8, 8) & 8 != 0
      case 0x6FFF_FFFB: number(entry + 8, 8) & 1 != 0
      default: false
      }
    }
    #expect(flags)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a long file costs in memory: no more than a short one.
struct MemoryTests {
  /// How much more memory the long file may take, in bytes; it is three times as long.
  ///
  /// The parts that are in work on several cores differ in number. A file that is held as a whole
  /// takes more than twice as much.
  private static let allowance = 8 << 20

  /// Writes a calendar of ordinary events, each with a UID of its own.
  private func write(megabytes: Int, to url: URL) throws {
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    try file.write(
      contentsOf: Data("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//T//T//EN\r\n".utf8))
    var number = 0
    var written = 0
    while written < megabytes << 20 {
      var chunk = ""
      for _ in 0..<200 {
        number += 1
        chunk += "BEGIN:VEVENT\r\nUID:event-\(number)@example.org\r\nDTSTAMP:20260101T000000Z\r\n"
        chunk += "DTSTART:20260301T090000Z\r\nDURATION:PT1H\r\nSUMMARY:Event \(number)\r\n"
        chunk += "DESCRIPTION:" + String(repeating: "an ordinary event ", count: 3) + "\r\n"
        chunk += "END:VEVENT\r\n"
      }
      try file.write(contentsOf: Data(chunk.utf8))
      written += chunk.utf8.count
    }
    try file.write(contentsOf: Data("END:VCALENDAR\r\n".utf8))
    try file.close()
  }

  /// The most memory that a command took with such a file, as the program tells it.
  ///
  /// The system's own figure for a child is no use: it includes what the test itself takes.
  private func peak(of command: String, megabytes: Int, in sandbox: Sandbox) throws -> Int {
    try write(megabytes: megabytes, to: sandbox.folder.appending(path: "long.ics"))
    let result = try sandbox.run("cat long.ics | epact \(command) -q -vv")
    try #require(result.status == 0, "\(result.errors)")
    let field = try #require(result.errors.firstMatch(of: /peakMemory=(\d+)/))
    return try #require(Int(field.1))
  }

  @Test(arguments: ["import - --dry-run", "convert - --to ics --canonical -o out.ics"])
  func longFileTakesNoMoreMemoryThanShortOne(command: String) throws {
    let sandbox = try Sandbox()
    // The short one is long enough to fill the window of the grouping and the spool.
    let short = try peak(of: command, megabytes: 2, in: sandbox)
    let long = try peak(of: command, megabytes: 6, in: sandbox)
    #expect(long < short + Self.allowance, "\(short) bytes, then \(long) bytes")
  }

  /// A list of 40 MB takes no more memory than one of 400 KB, although each of its files is an error.
  @Test(arguments: [
    "convert --to ndjson --lean", "check", "occurrences tomorrow", "diff monday tuesday",
  ])
  func longListTakesNoMoreMemoryThanShortOne(command: String) throws {
    let sandbox = try Sandbox()
    let name = String(repeating: "folder/", count: 140) + "gone.ics"
    let peaks = try [400, 40_000].map { count in
      let list = "yes '\(name)' | head -n \(count)"
      let result = try sandbox.run(
        "\(list) | epact \(command) --files-from - -q -vv 2>&1 | grep peakMemory")
      let field = try #require(result.output.firstMatch(of: /peakMemory=(\d+)/))
      return try #require(Int(field.1))
    }
    #expect(peaks[1] < peaks[0] + Self.allowance, "\(peaks)")
  }

  // MARK: Dense rules

  /// Writes a calendar with an event of a rule, which has an alarm.
  private func write(rule: String, to url: URL) throws {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//T//T//EN", "BEGIN:VEVENT", "UID:a@example.org",
      "DTSTAMP:20260101T000000Z", "DTSTART:20260301T000000Z", "DURATION:PT1S", "SUMMARY:Beat",
      "RRULE:\(rule)", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "DESCRIPTION:Beat",
      "END:VALARM", "END:VEVENT", "END:VCALENDAR", "",
    ]
    try Data(lines.joined(separator: "\r\n").utf8).write(to: url)
  }

  @Test(arguments: [
    "month 2026-03 rule.ics --zone UTC", "agenda rule.ics --from 2026-03-01 --zone UTC",
    "agenda rule.ics --from 2026-03-01 --zone UTC --json",
    "occurrences rule.ics --from 2026-03-01 --to 2026-04-01 --zone UTC",
    "freebusy rule.ics --from 2026-03-01 --zone UTC",
    "alarms rule.ics --from 2026-02-28 --zone UTC --limit 3",
  ])
  func denseRuleTakesLittleMemory(command: String) throws {
    let sandbox = try Sandbox()
    let peaks = try ["FREQ=DAILY", "FREQ=SECONDLY;COUNT=80000"].map { rule in
      try write(rule: rule, to: sandbox.folder.appending(path: "rule.ics"))
      let result = try sandbox.run("epact \(command) -q -vv > output")
      try #require(result.status == 0, "\(result.errors)")
      let field = try #require(result.errors.firstMatch(of: /peakMemory=(\d+)/))
      return try #require(Int(field.1))
    }
    // Each occurrence that is kept takes some 500 bytes: all of them took 40 MB and more.
    #expect(peaks[1] < peaks[0] + 24 << 20, "\(peaks)")
  }

  @Test func agendaCountsWhatItDoesNotShow() throws {
    let sandbox = try Sandbox()
    try write(
      rule: "FREQ=SECONDLY;COUNT=12345", to: sandbox.folder.appending(path: "rule.ics"))
    let result = try sandbox.run("epact agenda rule.ics --from 2026-03-01 --zone UTC | tail -n 1")
    #expect(result.output == "  … and 2,345 more\n")
  }

  @Test func busyTimeOfTooManyPeriodsIsRefused() throws {
    let sandbox = try Sandbox()
    try write(
      rule: "FREQ=SECONDLY;INTERVAL=2", to: sandbox.folder.appending(path: "rule.ics"))
    let result = try sandbox.run("epact freebusy rule.ics --from 2026-03-01 --zone UTC")
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("there are more than 250,000 periods of busy time"))
  }
}

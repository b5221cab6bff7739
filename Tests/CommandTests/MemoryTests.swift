// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a long file costs in memory: no more than a short one.
struct MemoryTests {
  /// How much more memory the long file may take, in bytes; it is three times as long.
  private static let allowance = 4 << 20

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
}

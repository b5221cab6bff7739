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

  @Test func closedPipeEndsARunThatWentWellAsTheSystemWould() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run(
      "{ epact --help; echo $? > status; } | true; sleep 0.2; cat status")
    #expect(["0\n", "141\n"].contains(result.output))
    #expect(result.errors == "")
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
      "mkfifo in; sleep 9 > in & sleep=$!; epact check - < in & epact=$!; sleep 0.3; "
        + "kill -INT $epact; wait $epact; echo $?; kill $sleep"
    )
    #expect(result.output == "130\n")
    #expect(result.errors == "")
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Output that is higher than the terminal, which a pager shows.
@Suite(.timeLimit(.minutes(60))) struct PagerTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    let events = (1...9).map { number in
      """
      BEGIN:VEVENT\r\nUID:\(number)\r\nDTSTAMP:20260101T000000Z\r
      DTSTART:20260105T0\(number)0000\r\nSUMMARY:Event \(number)\r\nEND:VEVENT\r

      """
    }
    let calendar =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n\(events.joined())END:VCALENDAR\r\n"
    try Data(calendar.utf8).write(to: sandbox.folder.appending(path: "cal.ics"))
  }

  private static let agenda = "epact agenda 2026-01-05 cal.ics"

  /// Runs a command on a terminal with this number of lines.
  private func shown(
    _ command: String, lines: Int, pager: String = "sed s/^/paged:/"
  ) throws -> [Substring] {
    let result = try sandbox.run(
      "TERM=xterm LINES=\(lines) PAGER='\(pager)' script -qec '\(command)' /dev/null </dev/null")
    #expect(result.status == 0)
    return result.output.split(whereSeparator: \.isNewline)
  }

  @Test("The pager gets all lines, in order", arguments: [agenda, "epact help edit"])
  func paged(_ command: String) throws {
    let plain = try sandbox.run("COLUMNS=80 \(command)").output.split(whereSeparator: \.isNewline)
    let lines = try shown(
      "COLUMNS=80 \(command) --color never".replacing("edit --color never", with: "edit"), lines: 4)
    #expect(plain.count > 4)
    #expect(lines.filter { $0 != "paged:" }.map(String.init) == plain.map { "paged:\($0)" })
  }

  @Test("Output that fits, or that no terminal shows, has no pager")
  func fitting() throws {
    #expect(try !shown(Self.agenda, lines: 60).contains { $0.hasPrefix("paged:") })
    let piped = try sandbox.run("LINES=4 PAGER='sed s/^/paged:/' \(Self.agenda)")
    #expect(piped.output.contains("Event 9") && !piped.output.contains("paged:"))
  }

  @Test("Without a pager, everything is printed", arguments: ["cat", "", "there-is-no-pager"])
  func absent(_ pager: String) throws {
    let lines = try shown(Self.agenda, lines: 4, pager: pager)
    #expect((1...9).allSatisfy { number in lines.contains { $0.contains("Event \(number)") } })
  }

  @Test("EPACT_PAGER precedes PAGER, and a command that changes something has none")
  func choosing() throws {
    let lines = try shown("EPACT_PAGER=cat \(Self.agenda)", lines: 4)
    #expect(lines.contains { $0.contains("Event 9") && !$0.hasPrefix("paged:") })
    #expect(try !shown("epact version", lines: 2).contains { $0.hasPrefix("paged:") })
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import Testing

/// What `epact access` shows of programs that asked through the library.
@Suite struct ProgramAccessCommandTests {
  private struct Yes: ProgramPrompt {
    var canAsk: Bool { true }
    func ask(_ question: ProgramQuestion) -> ProgramAnswer? { .granted() }
  }

  private static func access(_ identifier: String, in sandbox: Sandbox) -> ProgramAccess {
    var machine = Machine.live()
    machine.environment = sandbox.environment
    machine.homeFolder = sandbox.folder.path
    machine.policyPaths = []
    return ProgramAccess(
      of: Program(
        identifier: identifier, name: "Book\u{1B}er",
        purposes: ["NSCalendarsFullAccessUsageDescription": "Finds \u{1B}[2Jfree\nevenings"]),
      machine: machine)
  }

  @Test("The log lists the uses of programs, and all foreign texts are escaped")
  func log() async throws {
    let sandbox = try Sandbox()
    let access = Self.access("/apps/book \u{1B}er", in: sandbox)
    #expect(try await access.request(.full, for: .events, prompt: Yes()))
    access.note(.readItems, for: .events)
    access.note(.readItems, for: .events, count: 1_233)
    access.note(.deleteItem, for: .events)
    access.flushLog()
    let list = try sandbox.run("epact access")
    #expect(
      sandbox.withPlaceholders(list.output)
        == "/apps/book \\u{1B}er  full  Book\\u{1B}er, events: Finds \\u{1B}[2Jfree\\nevenings "
        + "(<time> by <user>)\n")
    let log = try sandbox.run("epact access --log")
    #expect(
      sandbox.withPlaceholders(log.output) == """
        /apps/book \\u{1B}er  events  granted full <time> by <user>: Finds \\u{1B}[2Jfree\\nevenings
          change  delete item: 1 time, <time> to <time>
          read    read items: 1,234 times, <time> to <time>

        """)
    let same = try sandbox.run("epact access --log \"$(printf '/apps/book \\033er')\"")
    #expect(same.output == log.output)
    let json = try sandbox.run("epact access --log --json")
    #expect(json.output.contains("\"use\": \"read items\", \"count\": 1234"))
    #expect(!(list.output + log.output + json.output).contains("\u{1B}"))
  }

  @Test("An answer that the command changes is the program's from then on")
  func changed() async throws {
    let sandbox = try Sandbox()
    let access = Self.access("org.example.booker", in: sandbox)
    #expect(try await access.request(.full, for: .events, prompt: Yes()))
    for (options, status) in [
      ("--for events --grant write-only", .writeOnly), ("--for events --grant none", .denied),
      ("--for events --grant full --yes", .full), ("--revoke --dry-run", .full),
      ("--for reminders --revoke", .full), ("--revoke", .notDetermined),
    ] as [(String, ProgramStatus)] {
      let result = try sandbox.run("epact access org.example.booker \(options)")
      #expect(result.status == 0, "\(options): \(result.errors)")
      #expect(try access.status(for: .events) == status, "\(options)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import Synchronization
import TestSupport
import Testing

/// Answers the questions of programs, and keeps them.
final class CountingPrompt: ProgramPrompt {
  let canAsk: Bool
  private let answer: ProgramAnswer?
  private let asked = Mutex<[ProgramQuestion]>([])

  init(_ answer: ProgramAnswer?, canAsk: Bool = true) {
    (self.answer, self.canAsk) = (answer, canAsk)
  }

  var questions: [ProgramQuestion] { asked.withLock { $0 } }

  func ask(_ question: ProgramQuestion) -> ProgramAnswer? {
    asked.withLock { $0.append(question) }
    return answer
  }
}

/// A machine of its own with two calendars, whose messages are kept.
final class ProgramScene: Sendable {
  let folder: TemporaryFolder
  private let messages = Mutex<[String]>([])
  private let exitActions = Mutex<[@Sendable () -> Void]>([])

  init() throws {
    folder = try TemporaryFolder()
    for name in ["home", "work"] { try PrivateFolder.make(folder.path(of: name)) }
    try PrivateFolder.make(folder.path(of: ".config/epact"))
    try folder.write(
      lines: ["[calendar.work]", "path = \"~/work\"", "[calendar.home]", "path = \"~/home\""],
      to: ".config/epact/config.toml")
  }

  static func machine(in folder: String) -> Machine {
    var machine = Machine.live()
    machine.environment = ["PATH": machine.environment["PATH"] ?? ""]
    (machine.homeFolder, machine.currentFolder) = (folder, folder)
    machine.policyPaths = [folder + "/policy.toml"]
    machine.userName = { "ada" }
    machine.executablePath = folder + "/bin/booker"
    return machine
  }

  var machine: Machine {
    var machine = Self.machine(in: folder.path)
    machine.note = { [self] message in messages.withLock { $0.append(message) } }
    machine.atExit = { [self] body in exitActions.withLock { $0.append(body) } }
    return machine
  }

  var notes: [String] { messages.withLock { $0 } }

  func exitProcess() { for body in exitActions.withLock({ $0 }) { body() } }

  func access(purposes: [String: String] = purposes) -> ProgramAccess {
    ProgramAccess(
      of: Program(identifier: "org.example.booker", name: "Booker", purposes: purposes),
      machine: machine)
  }

  var uses: [ProgramLogEntry] {
    get throws { try ProgramDecisions(machine: machine).uses() }
  }

  static let purposes = [
    "NSCalendarsFullAccessUsageDescription": "Finds  free\tevenings",
    "NSCalendarsWriteOnlyAccessUsageDescription": "Adds the classes you book",
    "NSRemindersFullAccessUsageDescription": "Reminds you of what to bring",
  ]
}

@Suite struct ProgramAccessTests {
  let scene: ProgramScene

  init() throws { scene = try ProgramScene() }

  @Test("The status is not determined at first, and looking at it creates nothing")
  func untouched() throws {
    let names = try scene.folder.names()
    for entity in ProgramEntity.allCases {
      #expect(try scene.access().status(for: entity) == .notDetermined)
      #expect(try scene.access().grant(for: entity) == nil)
    }
    scene.access().note(.readItems, for: .events)
    #expect(try scene.folder.names() == names)
  }

  @Test("The question is asked once, and later objects use the answer")
  func once() async throws {
    let prompt = CountingPrompt(.granted())
    for _ in 0..<2 {
      #expect(try await scene.access().request(.full, for: .events, prompt: prompt))
    }
    let question = try #require(prompt.questions.first)
    #expect(prompt.questions.count == 1)
    #expect(question.purpose == "Finds  free\tevenings")
    #expect((question.program, question.identifier) == ("Booker", "org.example.booker"))
    #expect((question.tier, question.entity) == (.full, .events))
    #expect((question.calendars, question.status) == ([], .notDetermined))
    let grant = try #require(try scene.access().grant(for: .events))
    #expect((grant.tier, grant.grantedBy, grant.purpose) == (.full, "ada", question.purpose))
    #expect(try scene.access().status(for: .events) == .full)
    #expect(try await scene.access().request(.writeOnly, for: .events, prompt: prompt))
    #expect(prompt.questions.count == 1)
  }

  @Test("A grant of events says nothing about reminders")
  func entities() async throws {
    let access = scene.access()
    #expect(try await access.request(.full, for: .events, prompt: CountingPrompt(.granted())))
    #expect(try access.status(for: .reminders) == .notDetermined)
    #expect(try await !access.request(.full, for: .reminders, prompt: CountingPrompt(.denied)))
    #expect(try access.status(for: .reminders) == .denied)
    #expect(try access.status(for: .events) == .full)
    let prompt = CountingPrompt(.granted())
    let error = try await #require(throws: EpactError.self) {
      try await access.request(.writeOnly, for: .reminders, prompt: prompt)
    }
    #expect(error.code == .argument && prompt.questions.isEmpty)
  }

  @Test("A denial is remembered until it is revoked")
  func denial() async throws {
    let prompt = CountingPrompt(.denied)
    for tier in [AccessTier.writeOnly, .writeOnly, .full] {
      #expect(try await !scene.access().request(tier, for: .events, prompt: prompt))
    }
    #expect(prompt.questions.count == 1)
    #expect(try scene.access().status(for: .events) == .denied)
    let decisions = ProgramDecisions(machine: scene.machine)
    #expect(try decisions.revoke("org.example.booker", for: nil) == 1)
    #expect(try scene.access().status(for: .events) == .notDetermined)
    #expect(
      try await scene.access().request(.writeOnly, for: .events, prompt: CountingPrompt(.granted()))
    )
  }

  @Test("Without an answer, nothing is stored")
  func silence() async throws {
    let prompt = CountingPrompt(nil)
    for _ in 0..<2 {
      #expect(try await !scene.access().request(.full, for: .events, prompt: prompt))
    }
    #expect(prompt.questions.count == 2)
    #expect(try scene.access().status(for: .events) == .notDetermined)
  }

  @Test("Without a terminal and a display, nothing is asked, and the reason is reported")
  func mute() async throws {
    let prompt = CountingPrompt(.granted(), canAsk: false)
    #expect(try await !scene.access().request(.full, for: .events, prompt: prompt))
    #expect(prompt.questions.isEmpty)
    #expect(try scene.access().status(for: .events) == .notDetermined)
    #expect(
      scene.notes == [
        "org.example.booker gets no full access to events: there is no display and no terminal to "
          + "ask on"
      ])
  }

  @Test("Write-only access is for the calendar that the user chose, if it was offered")
  func calendar() async throws {
    let prompt = CountingPrompt(.granted(calendar: "work"))
    #expect(try await scene.access().request(.writeOnly, for: .events, prompt: prompt))
    #expect(prompt.questions.map(\.calendars) == [["home", "work"]])
    #expect(try scene.access().grant(for: .events)?.calendar == "work")
    _ = try ProgramDecisions(machine: scene.machine).revoke("org.example.booker", for: .events)
    let other = CountingPrompt(.granted(calendar: "secret"))
    #expect(try await scene.access().request(.writeOnly, for: .events, prompt: other))
    #expect(try scene.access().grant(for: .events)?.calendar == nil)
  }

  @Test("A raise is asked for once; a refusal keeps write-only access")
  func raise() async throws {
    let access = scene.access()
    #expect(try await access.request(.writeOnly, for: .events, prompt: CountingPrompt(.granted())))
    let refusal = CountingPrompt(.denied)
    for _ in 0..<2 { #expect(try await !access.request(.full, for: .events, prompt: refusal)) }
    #expect(refusal.questions.map(\.status) == [.writeOnly])
    #expect(try access.status(for: .events) == .writeOnly)
    #expect(try await access.request(.writeOnly, for: .events, prompt: refusal))
    #expect(
      try ProgramDecisions(machine: scene.machine).revoke("org.example.booker", for: nil) == 1)
    #expect(try await access.request(.writeOnly, for: .events, prompt: CountingPrompt(.granted())))
    #expect(try await !access.request(.full, for: .events, prompt: CountingPrompt(nil)))
    #expect(try await access.request(.full, for: .events, prompt: CountingPrompt(.granted())))
    #expect(try access.status(for: .events) == .full)
  }

  @Test("Without the purpose of the tier, nothing is asked; older keys are not enough")
  func purpose() async throws {
    let old = [
      "NSCalendarsUsageDescription": "Finds free evenings",
      "NSRemindersUsageDescription": "Reminds you",
      "NSCalendarsFullAccessUsageDescription": " \u{200B}",
      "NSCalendarsWriteOnlyAccessUsageDescription": "Adds the classes you book",
    ]
    let prompt = CountingPrompt(.granted())
    let access = scene.access(purposes: old)
    for entity in ProgramEntity.allCases {
      #expect(try await !access.request(.full, for: entity, prompt: prompt))
      #expect(try access.status(for: entity) == .notDetermined)
    }
    #expect(prompt.questions.isEmpty)
    #expect(
      scene.notes == [
        "org.example.booker gets no full access to events: its Info.plist has no "
          + "NSCalendarsFullAccessUsageDescription",
        "org.example.booker gets no full access to reminders: its Info.plist has no "
          + "NSRemindersFullAccessUsageDescription",
      ])
  }

  @Test("A policy forbids tiers without a question, also those granted before")
  func policy() async throws {
    let access = scene.access()
    let prompt = CountingPrompt(.granted())
    #expect(try await access.request(.full, for: .events, prompt: prompt))
    #expect(try await access.request(.full, for: .reminders, prompt: prompt))
    let lines = [
      "decided-by = \"the club\"", "[[program]]", "identifier = \"org.example.*\"",
      "max-tier = \"write-only\"",
    ]
    try scene.folder.write(lines: lines, to: "policy.toml")
    #expect(try access.status(for: .events) == .writeOnly)
    #expect(try access.status(for: .reminders) == .restricted)
    #expect(try await !access.request(.full, for: .events, prompt: prompt))
    #expect(try await access.request(.writeOnly, for: .events, prompt: prompt))
    #expect(prompt.questions.count == 2)
    #expect(scene.notes.first?.contains("restricted to write-only by the club") == true)
    try scene.folder.write(
      lines: lines.dropLast() + ["entity = \"events\"", "max-tier = \"none\""], to: "policy.toml")
    #expect(try access.status(for: .events) == .restricted)
    #expect(try access.status(for: .reminders) == .full)
    try scene.folder.write(lines: lines.dropLast() + ["entity = \"x\""], to: "policy.toml")
    let error = try #require(throws: ConfigurationError.self) { try access.status(for: .events) }
    #expect(error.description.contains("expected entity to be one of"))
  }

  // MARK: Log

  @Test("The first use of a class is stored at once, the others at an exit of the process")
  func log() async throws {
    let access = scene.access()
    access.note(.addItem, for: .events)
    #expect(try await access.request(.writeOnly, for: .events, prompt: CountingPrompt(.granted())))
    access.note(.addItem, for: .events)
    #expect(try scene.uses.map(\.count) == [1])
    access.note(.addItem, for: .events, count: 4)
    access.note(.readItems, for: .reminders)
    #expect(try scene.uses.map(\.count) == [1])
    scene.exitProcess()
    scene.exitProcess()
    let uses = try scene.uses
    #expect(uses.map(\.count) == [5])
    #expect(uses.map(\.tier) == [.writeOnly])
    #expect(uses.map(\.program) == ["org.example.booker"])
    access.note(.addItem, for: .events)
    access.flushLog()
    #expect(try scene.uses.map(\.count) == [6])
  }

  @Test("Uses under a later grant are counted apart")
  func logOfGrants() async throws {
    let access = scene.access()
    #expect(try await access.request(.writeOnly, for: .events, prompt: CountingPrompt(.granted())))
    access.note(.addItem, for: .events)
    #expect(try await access.request(.full, for: .events, prompt: CountingPrompt(.granted())))
    access.note(.addItem, for: .events)
    access.note(.readItems, for: .events, count: 2)
    let uses = try scene.uses.map { "\($0.tier.rawValue) \($0.use.rawValue) \($0.count)" }
    #expect(Set(uses) == ["write-only add item 1", "full add item 1", "full read items 2"])
  }

  @Test("A log that cannot be written is reported once, and written later")
  func lockedLog() async throws {
    let access = scene.access()
    #expect(try await access.request(.full, for: .events, prompt: CountingPrompt(.granted())))
    #expect(try access.status(for: .events) == .full)
    let state = scene.folder.path(of: ".local/state/epact")
    // The names of both are exchanged: a read-only connection reads the copy, and no file can be
    // opened for writing through a symbolic link.
    try FileManager.default.moveItem(atPath: state + "/ledger.sqlite", toPath: state + "/copy")
    try scene.folder.link(".local/state/epact/ledger.sqlite", to: state + "/copy")
    access.note(.readItems, for: .events)
    access.note(.readItems, for: .events)
    access.flushLog()
    #expect(scene.notes.count == 1)
    #expect(scene.notes.first?.hasPrefix("the use of the calendars cannot be logged: ") == true)
    try FileManager.default.removeItem(atPath: state + "/ledger.sqlite")
    try FileManager.default.moveItem(atPath: state + "/copy", toPath: state + "/ledger.sqlite")
    #expect(try scene.uses.isEmpty)
    access.flushLog()
    #expect(try scene.uses.map(\.count) == [2])
  }

  // MARK: Processes

  /// Requests access in another process; the question is answered when two processes have begun.
  private static func requestInAnotherProcess(_ folder: String, number: Int) async {
    await #expect(processExitsWith: .success) {
      [folder = folder as String, number = number as Int] in
      let machine = ProgramScene.machine(in: folder)
      let access = ProgramAccess(
        of: Program(
          identifier: "org.example.booker", name: "Booker", purposes: ProgramScene.purposes),
        machine: machine)
      let began = "\(folder)/began-\(number)"
      guard FileManager.default.createFile(atPath: began, contents: nil) else { exit(2) }
      let isGranted = try await access.request(
        .full, for: .events, prompt: MeetingPrompt(folder: folder))
      exit(isGranted ? 0 : 1)
    }
  }

  @Test("Of two processes that ask at the same time, one asks, and both get the answer")
  func twoProcesses() async throws {
    async let first: Void = Self.requestInAnotherProcess(scene.folder.path, number: 1)
    async let second: Void = Self.requestInAnotherProcess(scene.folder.path, number: 2)
    _ = await (first, second)
    let names = try scene.folder.names()
    #expect(names.filter { $0.hasPrefix("began-") }.count == 2)
    #expect(names.filter { $0.hasPrefix("asked-") }.count == 1)
    #expect(try scene.access().status(for: .events) == .full)
  }
}

/// Leaves a file for each question, and answers when two processes have begun.
private struct MeetingPrompt: ProgramPrompt {
  let folder: String
  var canAsk: Bool { true }

  func ask(_ question: ProgramQuestion) throws -> ProgramAnswer? {
    _ = FileManager.default.createFile(
      atPath: "\(folder)/asked-\(UUID().uuidString)", contents: nil)
    for _ in 0..<60_000 {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      if names.filter({ $0.hasPrefix("began-") }).count == 2 { break }
      usleep(10_000)
    }
    // The other process has time to come to the question, too.
    usleep(500_000)
    return .granted()
  }
}

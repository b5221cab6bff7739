// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import OpenEventKit
import Synchronization
import TestSupport
import Testing

/// A home folder with two calendars, a ledger and a program of its own, for event stores.
struct StoreSandbox: Sendable {
  static let identifier = "org.example.planner"
  static let purposes = [
    "NSCalendarsWriteOnlyAccessUsageDescription": "Adds the classes that you book.",
    "NSCalendarsFullAccessUsageDescription": "Shows your week beside your classes.",
    "NSRemindersFullAccessUsageDescription": "Shows your homework.",
  ]
  /// 2026-11-25T12:00:00Z, at which the events of the tests begin.
  static let noon = Date(timeIntervalSince1970: 1_795_608_000)

  let folder: TemporaryFolder
  let machine: Machine
  let program: Program
  let prompt = CountingPrompt(.granted())

  /// Makes the folders `home` and `work`, and writes the configuration.
  ///
  /// - Parameters:
  ///   - purposes: The purposes in the program's property list.
  ///   - extra: Tables to add to the configuration.
  ///   - policy: The administrator's policy; nil for none.
  /// - Throws: An error of the file system.
  init(
    purposes: [String: String] = Self.purposes, extra: String = "", policy: String? = nil
  ) throws {
    folder = try TemporaryFolder()
    var machine = Machine.live()
    machine.environment = ["PATH": machine.environment["PATH"] ?? ""]
    (machine.homeFolder, machine.currentFolder) = (folder.path, folder.path)
    machine.policyPaths = []
    machine.userName = { "ada" }
    machine.localZone = "Europe/Berlin"
    if let policy {
      machine.policyPaths = [try folder.write(policy.utf8, to: "policy.toml")]
    }
    self.machine = machine
    program = Program(identifier: Self.identifier, name: "Planner", purposes: purposes)
    for name in ["home", "work", "holidays", ".config/epact"] {
      try PrivateFolder.make(folder.path(of: name))
    }
    let calendars = ["home", "work"].map { name in
      "[calendar.\(name)]\npath = \"\(folder.path(of: name))\"\n"
    }
    let text = calendars.joined() + extra
    try folder.write(
      text.replacing("path = \"holidays\"", with: "path = \"\(folder.path(of: "holidays"))\"").utf8,
      to: ".config/epact/config.toml")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path(of: ".config/epact/config.toml"))
  }

  /// A store of the program.
  func store(prompt: CountingPrompt? = nil) -> EKEventStore {
    EKEventStore(machine: machine, program: program, prompt: prompt ?? self.prompt)
  }

  /// The program's status, as a new store sees it.
  func status(for type: EKEntityType) -> EKAuthorizationStatus {
    store().status(for: type)
  }

  /// Grants access, as the person's answer to a question of another process.
  func grant(_ tier: AccessTier, for type: EKEntityType, calendar: String? = nil) throws {
    let access = ProgramAccess(of: program, machine: machine)
    let isGranted = try access.request(
      tier, for: type == .event ? .events : .reminders,
      prompt: CountingPrompt(.granted(calendar: calendar)))
    #expect(isGranted)
  }

  // MARK: Items

  /// An event of an hour that is not saved.
  func lunch(in store: EKEventStore, calendar name: String? = nil) -> EKEvent {
    let event = EKEvent(eventStore: store)
    event.title = "Lunch"
    event.startDate = Self.noon
    event.endDate = Self.noon.addingTimeInterval(3600)
    event.calendar =
      name.flatMap { name in store.calendars(for: .event).first { $0.title == name } }
      ?? store.defaultCalendarForNewEvents
    return event
  }

  /// Writes a file as another program would.
  func write(
    _ title: String, to calendar: String, as uid: String? = nil, hour: Int = 12, rule: String? = nil
  ) throws {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT",
      "UID:\(uid ?? title)", "DTSTAMP:20261101T000000Z", "DTSTART:20261125T\(hour)0000Z",
      "DTEND:20261125T\(hour + 1)0000Z", "SUMMARY:\(title)",
    ]
    let rest = (rule.map { ["RRULE:\($0)"] } ?? []) + ["END:VEVENT", "END:VCALENDAR"]
    try folder.write(lines: lines + rest, to: "\(calendar)/\(uid ?? title).ics")
  }

  func remove(_ uid: String, from calendar: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(of: "\(calendar)/\(uid).ics"))
  }

  /// The texts of a calendar's files, in the order of their names.
  func items(in calendar: String) throws -> [String] {
    try folder.names(in: calendar).filter { $0.hasSuffix(".ics") }.map { name in
      String(decoding: try folder.bytes(of: "\(calendar)/\(name)"), as: UTF8.self)
    }
  }

  func removeCalendarFolder(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(of: name))
  }

  func makeCalendarFolder(_ name: String) throws {
    try PrivateFolder.make(folder.path(of: name))
  }

  /// All reminders of a store; nil without access.
  func reminders(in store: EKEventStore) async -> [EKReminder]? {
    let predicate = store.predicateForReminders(in: nil)
    return await withCheckedContinuation { continuation in
      store.fetchReminders(matching: predicate) { continuation.resume(returning: $0) }
    }
  }
}

/// Counts the notifications of a store, from its creation on.
final class ChangeCounter: Sendable {
  private let state = Mutex(0)

  init(_ store: EKEventStore) {
    _ = NotificationCenter.default.addObserver(
      forName: .EKEventStoreChanged, object: store, queue: nil
    ) { [self] _ in state.withLock { $0 += 1 } }
  }

  /// Waits for the first notification; the time limit of the suite ends a test that hangs.
  func wait() async throws {
    while state.withLock({ $0 == 0 }) { try await Task.sleep(for: .milliseconds(10)) }
  }
}

/// Expects an error of a store with this code.
func expectThrows(
  _ code: EKError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  #expect(sourceLocation: sourceLocation) {
    try body()
  } throws: { error in
    (error as? EKError)?.code == code
  }
}

extension EKEventStore {
  /// A predicate for the week of the tests' events.
  var week: NSPredicate {
    predicateForEvents(
      withStart: StoreSandbox.noon.addingTimeInterval(-86_400),
      end: StoreSandbox.noon.addingTimeInterval(7 * 86_400), calendars: nil)
  }

  /// The events of that week.
  var lunches: [EKEvent] { events(matching: week) }
}

extension TemporaryFolder {
  /// The names in a folder of this folder, in the order of their letters.
  func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(of: name)).sorted()
  }
}

/// A prompt with a fixed answer, which counts its questions.
final class CountingPrompt: ProgramPrompt {
  private struct State {
    var answer: ProgramAnswer?
    var gate: DispatchSemaphore?
    var questions: [ProgramQuestion] = []
  }

  private let state: Mutex<State>

  init(_ answer: ProgramAnswer?) {
    state = Mutex(State(answer: answer))
  }

  var canAsk: Bool { true }

  var answer: ProgramAnswer? {
    get { state.withLock { $0.answer } }
    set { state.withLock { $0.answer = newValue } }
  }

  /// A semaphore that each question waits for.
  var gate: DispatchSemaphore? {
    get { state.withLock { $0.gate } }
    set { state.withLock { $0.gate = newValue } }
  }

  var count: Int { state.withLock { $0.questions.count } }
  var tiers: [AccessTier] { state.withLock { $0.questions.map(\.tier) } }
  var purposes: [String?] { state.withLock { $0.questions.map(\.purpose) } }

  func ask(_ question: ProgramQuestion) -> ProgramAnswer? {
    gate?.wait()
    return state.withLock { state in
      state.questions.append(question)
      return state.answer
    }
  }
}

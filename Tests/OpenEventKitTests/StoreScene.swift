// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import OpenEventKit
import Synchronization
import TestSupport
import Testing

/// A home folder with calendars, a ledger and a program, and event stores of the program.
final class StoreScene: Sendable {
  /// The calendars of the configuration.
  enum Calendars {
    /// The folders `home` and `work`.
    case homeAndWork
    /// Also a folder for reminders, one that a sync fills from a feed, and one of an account.
    case all
  }

  static let identifier = "org.example.planner"
  static let purposes = [
    "NSCalendarsWriteOnlyAccessUsageDescription": "Adds the classes that you book.",
    "NSCalendarsFullAccessUsageDescription": "Shows your week beside your classes.",
    "NSRemindersFullAccessUsageDescription": "Shows your homework.",
  ]
  /// A sync of the calendar `home` with the folder `holidays`.
  static let homeSync = """
    [remote.disk]
    kind = "folder"
    path = "~/holidays"
    [[sync]]
    name = "home"
    calendar = "home"
    remote = "disk"
    """
  /// The names of all calendars, which are also those of their folders.
  static let names = ["home", "work", "tasks", "feed", "account"]

  let folder: TemporaryFolder
  let machine: Machine
  let program: Program
  let prompt = CountingPrompt(.granted())
  private let messages: Messages

  /// Makes the folders, and writes the configuration.
  ///
  /// - Parameters:
  ///   - calendars: The calendars.
  ///   - keys: Keys to add at the top of the configuration.
  ///   - extra: Tables to add to the configuration.
  ///   - purposes: The purposes in the program's property list.
  ///   - policy: The administrator's policy; nil for none.
  /// - Throws: An error of the file system.
  init(
    _ calendars: Calendars = .homeAndWork, keys: String = "", extra: String = "",
    purposes: [String: String] = StoreScene.purposes, policy: String? = nil
  ) throws {
    folder = try TemporaryFolder()
    let messages = Messages()
    var machine = Self.machine(at: folder.path)
    machine.note = { message in messages.add(message) }
    (self.machine, self.messages) = (machine, messages)
    program = Program(identifier: Self.identifier, name: "Planner", purposes: purposes)
    for name in Self.names + ["holidays", ".config/epact"] {
      try PrivateFolder.make(folder.path(of: name))
    }
    if let policy { try folder.write(policy.utf8, to: "policy.toml") }
    try configure("\(keys)\n\(calendars.configuration)\(extra)")
  }

  /// A machine whose user has a home folder.
  static func machine(at home: String) -> Machine {
    var machine = Machine.live()
    machine.environment = ["PATH": machine.environment["PATH"] ?? ""]
    (machine.homeFolder, machine.currentFolder) = (home, home)
    machine.policyPaths = [home + "/policy.toml"]
    machine.userName = { "ada" }
    machine.localZone = "Europe/Berlin"
    return machine
  }

  private func configure(_ text: String) throws {
    let path = try folder.write(text.utf8, to: ".config/epact/config.toml")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  /// The reports to the log of the machine.
  var notes: [String] { messages.all }

  private final class Messages: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock(\.self) }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  // MARK: Stores

  /// A store of the program, without a request.
  func newStore(prompt: CountingPrompt? = nil) -> EKEventStore {
    EKEventStore(machine: machine, program: program, prompt: prompt ?? self.prompt)
  }

  /// A store with full access to events and reminders.
  ///
  /// As with Apple's EventKit, the compiler does not warn of unused answers.
  func store() async throws -> EKEventStore {
    let store = newStore()
    try await store.requestFullAccessToEvents()
    try await store.requestFullAccessToReminders()
    return store
  }

  /// The program's status, as a new store sees it.
  func status(for type: EKEntityType) -> EKAuthorizationStatus {
    newStore().status(for: type)
  }

  /// Grants access, as the user's answer to a question of another process.
  func grant(_ tier: AccessTier, for type: EKEntityType, calendar: String? = nil) async throws {
    let access = ProgramAccess(of: program, machine: machine)
    let isGranted = try await access.request(
      tier, for: type == .event ? .events : .reminders,
      prompt: CountingPrompt(.granted(calendar: calendar)))
    #expect(isGranted)
  }

  /// The identifier of a calendar, which depends on its path.
  func identifier(of calendar: String) throws -> String {
    let calendars = try CalendarLibrary(machine: machine).calendars()
    return try #require(calendars.first { $0.name == calendar }?.id)
  }

  /// Takes the access of the program away, as the user does with `epact access`.
  func revoke() throws {
    _ = try ProgramDecisions(machine: machine).revoke(Self.identifier, for: nil)
  }

  // MARK: Times

  /// 2026-11-25T12:00:00Z, the start of the events without another one.
  static let noon = Date(timeIntervalSince1970: 1_795_608_000)

  static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  /// A date on the clock of Berlin.
  static func date(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
  ) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = berlin
    let components = DateComponents(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    return calendar.date(from: components) ?? .distantPast
  }
}

extension StoreScene.Calendars {
  /// The beginning of the configuration.
  fileprivate var configuration: String {
    let homeAndWork = """
      [calendar.home]
      path = "~/home"

      [calendar.work]
      path = "~/work"

      """
    switch self {
    case .homeAndWork: return homeAndWork
    case .all:
      return """
        default-calendar = "home"
        default-reminders = "tasks"

        \(homeAndWork)
        [calendar.tasks]
        path = "~/tasks"
        components = ["VTODO"]

        [calendar.feed]
        path = "~/feed"

        [calendar.account]
        path = "~/account"

        [remote.feed]
        kind = "webcal"
        url = "webcal://cal.example.org/feed.ics"

        [remote.account]
        kind = "caldav"
        url = "https://dav.example.org/"
        username = "ada"
        collection = "account"

        [[sync]]
        name = "feed"
        calendar = "feed"
        remote = "feed"

        [[sync]]
        name = "account"
        calendar = "account"
        remote = "account"

        """
    }
  }
}

/// The code of the error that a call throws; nil if it throws none.
func code(_ body: () throws -> Void) -> EKError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? EKError)?.code
  }
}

/// Expects an error of a store with this code.
func expectThrows(
  _ expected: EKError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  #expect(code(body) == expected, sourceLocation: sourceLocation)
}

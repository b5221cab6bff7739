// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import Epact
import Foundation
import OpenEventKit
import Synchronization
import TestSupport

/// A home folder with calendars, and stores of a program over them.
final class StoreScene: Sendable {
  /// Gives every question the same answer, and counts the questions.
  final class Prompt: ProgramPrompt {
    private let answer: Mutex<ProgramAnswer?>
    private let count = Mutex(0)

    init(_ answer: ProgramAnswer?) { self.answer = Mutex(answer) }

    var canAsk: Bool { true }
    var questions: Int { count.withLock { $0 } }

    func ask(_ question: ProgramQuestion) -> ProgramAnswer? {
      count.withLock { $0 += 1 }
      return answer.withLock { $0 }
    }

    func give(_ answer: ProgramAnswer?) { self.answer.withLock { $0 = answer } }
  }

  static let configuration = """
    default-calendar = "home"
    default-reminders = "tasks"

    [calendar.home]
    path = "~/calendars/home"

    [calendar.work]
    path = "~/calendars/work"

    [calendar.tasks]
    path = "~/calendars/tasks"
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

  /// The folders of the calendars by name.
  static let folders = [
    "home": "calendars/home", "work": "calendars/work", "tasks": "calendars/tasks",
    "feed": "feed", "account": "account",
  ]

  let folder: TemporaryFolder
  let prompt = Prompt(.granted())
  private let messages = Mutex<[String]>([])

  init() throws {
    folder = try TemporaryFolder()
    for path in Self.folders.values { try PrivateFolder.make(folder.path(of: path)) }
    try PrivateFolder.make(folder.path(of: ".config/epact"))
    try folder.write(Self.configuration.utf8, to: ".config/epact/config.toml")
  }

  var machine: Machine {
    var machine = Machine.live()
    machine.environment = ["PATH": machine.environment["PATH"] ?? ""]
    (machine.homeFolder, machine.currentFolder) = (folder.path, folder.path)
    machine.policyPaths = [folder.path + "/policy.toml"]
    machine.userName = { "ada" }
    machine.localZone = "Europe/Berlin"
    machine.note = { [self] message in messages.withLock { $0.append(message) } }
    return machine
  }

  /// What was reported to the log of the machine.
  var notes: [String] { messages.withLock { $0 } }

  static let program = Program(
    identifier: "org.example.agenda", name: "Agenda",
    purposes: [
      "NSCalendarsFullAccessUsageDescription": "Shows your week",
      "NSCalendarsWriteOnlyAccessUsageDescription": "Adds what you book",
      "NSRemindersFullAccessUsageDescription": "Shows what is due",
    ])

  /// A store of the program, without a request.
  func newStore() -> EKEventStore {
    EKEventStore(machine: machine, program: Self.program, prompt: prompt)
  }

  /// A store with full access to events and reminders.
  func store() async throws -> EKEventStore {
    let store = newStore()
    _ = try await store.requestFullAccessToEvents()
    _ = try await store.requestFullAccessToReminders()
    return store
  }

  // MARK: Files

  /// Writes an item as another program does.
  func put(_ item: String, as name: String, in calendar: String) throws {
    let lines = item.split(separator: "\n").map { $0 + "\r\n" }.joined()
    try folder.write(lines.utf8, to: "\(Self.folders[calendar] ?? calendar)/\(name).ics")
  }

  /// Removes a file or a folder as another program does.
  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(of: path))
  }

  /// The text of an item's file, with simple ends of lines.
  func text(_ name: String, in calendar: String) throws -> String {
    let bytes = try folder.bytes(of: "\(Self.folders[calendar] ?? calendar)/\(name).ics")
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  /// The names of the items in a calendar.
  func names(in calendar: String) throws -> [String] {
    try FileManager.default
      .contentsOfDirectory(atPath: folder.path(of: Self.folders[calendar] ?? calendar))
      .filter { $0.hasSuffix(".ics") }.map { String($0.dropLast(4)) }.sorted()
  }

  /// The text of the only item in a calendar.
  func onlyText(in calendar: String) throws -> String {
    let names = try names(in: calendar)
    guard names.count == 1, let name = names.first else { throw CocoaError(.fileNoSuchFile) }
    return try text(name, in: calendar)
  }

  /// The object of a calendar.
  static func calendar(_ name: String, in store: EKEventStore) throws -> EKCalendar {
    let all = store.calendars(for: .event) + store.calendars(for: .reminder)
    guard let calendar = all.first(where: { $0.title == name }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return calendar
  }

  // MARK: Times

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

extension EKEventStore {
  /// A new event in a calendar.
  func newEvent(
    _ title: String, _ start: Date, _ end: Date, in calendar: EKCalendar?
  ) -> EKEvent {
    let event = EKEvent(eventStore: self)
    event.title = title
    event.startDate = start
    event.endDate = end
    event.calendar = calendar
    return event
  }

  /// The events of the year 2026, in the order of their start.
  func eventsOf2026(in calendars: [EKCalendar]? = nil) -> [EKEvent] {
    let predicate = predicateForEvents(
      withStart: StoreScene.date(2026, 1, 1), end: StoreScene.date(2027, 1, 1),
      calendars: calendars)
    return events(matching: predicate).sorted { $0.compareStartDate(with: $1) == .orderedAscending }
  }

  /// The reminders that match a predicate.
  func reminders(matching predicate: NSPredicate? = nil) async -> [EKReminder]? {
    await withCheckedContinuation { continuation in
      fetchReminders(matching: predicate ?? predicateForReminders(in: nil)) {
        continuation.resume(returning: $0)
      }
    }
  }
}

extension String {
  /// An event as a file: its properties in a calendar.
  static func event(_ properties: String) -> String {
    """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//Example//Test//EN
    BEGIN:VEVENT
    DTSTAMP:20260101T000000Z
    \(properties)
    END:VEVENT
    END:VCALENDAR
    """
  }

  /// A reminder as a file: its properties in a calendar.
  static func reminder(_ properties: String) -> String {
    event(properties).replacing("VEVENT", with: "VTODO")
  }

  /// The lines that contain a text.
  func lines(with text: String) -> [String] {
    split(separator: "\n").map(String.init).filter { $0.contains(text) }
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

// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import OpenEventKit

/// Measures an event store over a folder of items, and checks its answers.
///
/// usage: eventkit-benchmarks [NUMBER OF ITEMS]
///
/// Each row is measured once, in the order in which a program would do the work. The first query
/// reads all files, and writes the index. Other processes, which the benchmark starts, read only
/// the files that the index does not rule out.
struct StoreBenchmark {
  /// The variable with the folder, in the environment of another process.
  private static let folderKey = "EPACT_BENCHMARK_FOLDER"
  /// The first item starts here; each later one an hour after its predecessor.
  private static let start = Date(timeIntervalSince1970: 1_767_225_600)
  private static let batch = 1_000

  let folder: URL
  let machine: Machine
  let program: Program
  let count: Int

  /// The folder that the first process made; nil in the first one.
  static var ownFolder: URL? {
    ProcessInfo.processInfo.environment[folderKey].map { URL(filePath: $0) }
  }

  init(count: Int, in folder: URL? = nil) throws {
    self.count = count
    self.folder =
      folder ?? URL.temporaryDirectory.appending(path: "epact-eventkit-\(getpid())")
    var machine = Machine.live()
    machine.environment = ["PATH": machine.environment["PATH"] ?? ""]
    machine.homeFolder = self.folder.path
    machine.policyPaths = []
    self.machine = machine
    program = Program(
      identifier: "org.example.benchmark", name: "Benchmark",
      purposes: ["NSCalendarsFullAccessUsageDescription": "Measures the time of queries."])
  }

  func makeItems() throws {
    let files = FileManager.default
    try files.createDirectory(at: folder.appending(path: "home"), withIntermediateDirectories: true)
    let configuration = folder.appending(path: ".config/epact")
    try files.createDirectory(at: configuration, withIntermediateDirectories: true)
    try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: configuration.path)
    let path = configuration.appending(path: "config.toml")
    try "[calendar.home]\npath = \"\(folder.path)/home\"\n"
      .write(to: path, atomically: false, encoding: .utf8)
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.path)
    let style = Date.ISO8601FormatStyle(
      dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
    for number in 0..<count {
      let start = Self.start.addingTimeInterval(Double(number) * 3600)
      let rule = number.isMultiple(of: 10) ? "RRULE:FREQ=WEEKLY;COUNT=4\r\n" : ""
      let text =
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r\n"
        + "UID:item-\(number)@example.org\r\nDTSTAMP:20260101T000000Z\r\n"
        + "DTSTART:\(start.formatted(style))\r\n"
        + "DTEND:\(start.addingTimeInterval(1800).formatted(style))\r\n"
        + "SUMMARY:Item \(number)\r\n\(rule)END:VEVENT\r\nEND:VCALENDAR\r\n"
      try text.write(
        to: folder.appending(path: "home/item-\(number)@example.org.ics"), atomically: false,
        encoding: .utf8)
    }
  }

  /// Measures a step, and prints its row.
  @discardableResult
  private func row<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let (before, cpuBefore) = (ContinuousClock.now, userTime())
    let result = try body()
    let (time, cpu) = (ContinuousClock.now - before, userTime() - cpuBefore)
    let milliseconds = Double(time / .microseconds(1)) / 1000
    print("\(name): \(milliseconds) ms, user \(Double(cpu) / 1000) ms")
    return result
  }

  /// The time that all threads have computed so far, in microseconds.
  private func userTime() -> Int {
    var usage = rusage()
    guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
    return usage.ru_utime.tv_sec * 1_000_000 + Int(usage.ru_utime.tv_usec)
  }

  private func expect(_ found: Int, _ expected: Int, _ what: String) throws {
    guard found == expected else {
      throw EpactError(.failed, "\(what): expected \(expected), found \(found)")
    }
  }

  func run() async throws {
    try makeItems()
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files that are younger than two seconds are read again, because their status may not change.
    try await Task.sleep(for: .seconds(3))
    let isGranted = try await ProgramAccess(of: program, machine: machine)
      .request(.full, for: .events, prompt: Consent())
    try expect(isGranted ? 1 : 0, 1, "the grant")
    let store = open("open a store over \(count) items")
    let month = month(in: store)
    let expected = expectedInMonth()
    try expect(
      row("events of the first month, all files read") { store.events(matching: month).count },
      expected, "the month")
    for _ in 0..<3 {
      try expect(
        row("events of the month again") { store.events(matching: month).count }, expected,
        "the month again")
    }
    for _ in 0..<3 { try runOther(expected) }
    let event = EKEvent(eventStore: store)
    fill(event, 0, in: store)
    try row("save one event") { try store.save(event, span: .thisEvent) }
    for number in 1...Self.batch {
      let event = EKEvent(eventStore: store)
      fill(event, number, in: store)
      try store.save(event, span: .thisEvent, commit: false)
    }
    try row("commit \(Self.batch) events") { try store.commit() }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "home").path)
    try expect(files.count { $0.hasSuffix(".ics") }, count + Self.batch + 1, "the files")
    print("peak memory: \(peakMemory() ?? 0) MB")
    try await Task.sleep(for: .seconds(3))
    // The first one reads the new events, and writes the index again.
    for _ in 0..<2 { try runOther(expected + Self.batch + 1) }
  }

  private func open(_ name: String) -> EKEventStore {
    row(name) {
      let store = EKEventStore(machine: machine, program: program, prompt: Consent())
      _ = store.calendars(for: .event)
      return store
    }
  }

  private func month(in store: EKEventStore) -> NSPredicate {
    store.predicateForEvents(
      withStart: Self.start, end: Self.start.addingTimeInterval(30 * 86_400), calendars: nil)
  }

  // MARK: Another process

  /// Runs ``query(expecting:)`` in a new process.
  private func runOther(_ expected: Int) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["\(count)", "\(expected)"]
    process.environment = machine.environment.merging([Self.folderKey: folder.path]) { $1 }
    try process.run()
    process.waitUntilExit()
    try expect(Int(process.terminationStatus), 0, "the status of another process")
  }

  /// Measures the first query of a process after another one wrote the index.
  func query(expecting expected: Int) throws {
    let store = open("another process: open the store")
    let month = month(in: store)
    try expect(
      row("another process: events of the first month") { store.events(matching: month).count },
      expected, "the month of another process")
  }

  /// The occurrences of the first 30 days, counted without the library.
  private func expectedInMonth() -> Int {
    let hours = 30 * 24
    return (0..<count).reduce(0) { sum, number in
      let weeks = number.isMultiple(of: 10) ? 4 : 1
      return sum + (0..<weeks).count { number + $0 * 168 < hours }
    }
  }

  private func fill(_ event: EKEvent, _ number: Int, in store: EKEventStore) {
    event.title = "New \(number)"
    event.startDate = Self.start.addingTimeInterval(Double(number) * 60)
    event.endDate = event.startDate.addingTimeInterval(1800)
    event.calendar = store.defaultCalendarForNewEvents
  }

  private func peakMemory() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return nil
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 / 1024 }
  }
}

/// A user who consents to everything.
private struct Consent: ProgramPrompt {
  var canAsk: Bool { true }

  func ask(_ question: ProgramQuestion) -> ProgramAnswer? { .granted() }
}

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let number = numbers.first ?? 10_000
if let folder = StoreBenchmark.ownFolder, numbers.count == 2 {
  try StoreBenchmark(count: number, in: folder).query(expecting: numbers[1])
} else {
  try await StoreBenchmark(count: number).run()
}

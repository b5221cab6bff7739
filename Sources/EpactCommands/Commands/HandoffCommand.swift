// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarStore
import Epact
import EpactConsole
import ICalSyntax

/// `epact handoff`: passes events to the user's calendar program, without any access.
struct HandoffCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "handoff",
    abstract: "Pass events to another calendar program, without any access.",
    discussion: """
      Writes an .ics file, and prints for each event the addresses of Google Calendar, Outlook.com \
      and Microsoft 365 that open their editors with the event filled in. No server is contacted, \
      and the program receives no result from the other one.
      """)

  /// The time limit of the handler, in seconds; it starts the program and does not wait for it.
  private static let timeLimit = 60.0

  @Argument(
    help: ArgumentHelp(
      "Read these iCalendar files or folders; - is standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Flag(help: "Open the file with the system's handler for calendars.")
  var open = false

  @Flag(help: "Print only the links, and write no file.")
  var links = false

  @Option(
    help: ArgumentHelp(
      "Open the file with this program and its arguments, instead of xdg-open.",
      valueName: "command"))
  var handler: String?

  @Flag(
    name: .customLong("print"), help: "Print the command that opens the file, and do not run it.")
  var isPrinted = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the file to this path, instead of the folder of the ledger.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !links || (!open && !isPrinted && output == nil && handler == nil) else {
      throw ValidationError("--links writes no file, and so there is none to open")
    }
    guard handler == nil || open || isPrinted else {
      throw ValidationError("--handler belongs to --open or --print")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    var items: [UID: CalendarItem] = [:]
    var faults = 0
    for file in files {
      let reading = try ItemCollection(contentsOf: file, options: ReadingOptions(charset: .utf8))
      items.merge(reading.items) { _, new in new }
      faults += reading.faults.count
      context.console.report(reading)
    }
    let sorted = items.values.sorted { $0.uid < $1.uid }
    guard !sorted.isEmpty else { throw Failure(.nothingDone, "there is nothing to hand on") }
    let report = HandoffReport(sorted, zones: context.zoneResolver)
    let path = links ? nil : try write(sorted, in: context)
    if json {
      context.console.write(report.json(path: path))
    } else if !open || links {
      for line in report.lines { context.console.show(line) }
    }
    if let path { try handOver(path, in: context) }
    return faults > 0 ? .someFailed : .done
  }

  private func write(_ items: [CalendarItem], in context: Context) throws -> String {
    let path: String
    if let output {
      path = context.paths.absolute(output)
    } else {
      let folder = context.machine.stateFolder + "/handoff"
      try PrivateFolder.make(folder)
      path = "\(folder)/\(name)"
    }
    context.warnAboutFallback()
    let writing = CalendarWriting(items, machine: context.machine)
    context.console.warn(about: writing, in: path)
    var bytes: [UInt8] = []
    try writing.write { bytes += $0 }
    try AtomicFile.write(bytes, to: path, permissions: output == nil ? .secret : .shared)
    return path
  }

  /// The file name, derived from the first argument and not from the contents.
  private var name: String {
    let last = files.first?.split(separator: "/").last.map(String.init) ?? ""
    let stem = last.hasSuffix(".ics") ? String(last.dropLast(4)) : last
    let plain = stem.unicodeScalars.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-" || $0 == "_"
    }
    let text = String(String.UnicodeScalarView(plain).prefix(60))
    return (text.isEmpty || text == "-" ? "events" : text) + ".ics"
  }

  private func handOver(_ path: String, in context: Context) throws {
    let words = (handler?.split(separator: " ").map(String.init) ?? ["xdg-open"]) + [path]
    if isPrinted {
      let command = words.map { ShellWord($0).description }.joined(separator: " ")
      context.console.show(ConsoleText(command))
      return
    }
    guard open else {
      if !json { context.console.note("All of it is in \(path)") }
      return
    }
    let process = Subprocess(
      words: words, environment: context.machine.environment, timeLimit: Self.timeLimit,
      outputLimit: 0, stopwatch: context.machine.stopwatch)
    let status: Int32
    do {
      status = try process.run()
    } catch let error as Subprocess.Failure {
      throw Failure(
        .nothingDone, "cannot open \(path): \(words[0]) \(error.reason)",
        hint: "The file is complete; open it with your calendar program.")
    }
    guard status == 0 else {
      throw Failure(
        .nothingDone, "cannot open \(path): \(words[0]) ended with status \(status)",
        hint: "The file is complete; open it with your calendar program.")
    }
    if !json { context.console.say("Handed over: \(path)") }
  }
}

/// The output of `epact handoff`: the links of each item, or the reason why there are none.
private struct HandoffReport: Sendable {
  private struct Entry: Sendable {
    let item: CalendarItem
    let links: [AddLink]
    let refusal: String?
  }

  private let entries: [Entry]

  /// Creates the links of items.
  init(_ items: [CalendarItem], zones: ZoneResolver) {
    entries = items.map { item in
      do throws(HandoffRefusal) {
        let event = try HandoffEvent(item, zones: zones)
        let links = AddLink.Service.allCases.map { AddLink(event, for: $0) }
        return Entry(item: item, links: links, refusal: nil)
      } catch {
        return Entry(item: item, links: [], refusal: error.reason)
      }
    }
  }

  /// The text output.
  var lines: [ConsoleText] {
    entries.flatMap { entry -> [ConsoleText] in
      let head: ConsoleText = "\(entry.item.title, .bold) \("(\(entry.item.uid))", .dim)"
      if let refusal = entry.refusal { return [head, "  \(refusal)"] }
      let width = AddLink.Service.allCases.map { DisplayWidth.of($0.title) }.max() ?? 0
      var lines = [head]
      for link in entry.links {
        lines.append("  \(DisplayWidth.padded(link.service.title, to: width))  \(link.address)")
      }
      for note in Self.notes(entry.links) { lines.append("  \(note)") }
      return lines
    }
  }

  /// The distinct notes, each with its services unless it applies to all.
  private static func notes(_ links: [AddLink]) -> [String] {
    var notes: [String] = []
    for note in links.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
    return notes.map { note in
      let services = links.filter { $0.notes.contains(note) }.map(\.service.title)
      return services.count == links.count
        ? note : "\(services.joined(separator: ", ")): \(note)"
    }
  }

  /// The JSON representation.
  func json(path: String?) -> JSONValue {
    let items = entries.map { entry -> JSONValue in
      let links = entry.links.map { link -> JSONValue in
        [
          "service": .string(link.service.rawValue), "url": .string(link.address),
          "notes": .array(link.notes.map { .string($0) }),
        ]
      }
      return [
        "uid": .string(entry.item.uid.rawValue), "title": .string(entry.item.title),
        "refusal": JSONValue(entry.refusal), "links": .array(links),
      ]
    }
    return ["file": JSONValue(path), "items": .array(items)]
  }
}

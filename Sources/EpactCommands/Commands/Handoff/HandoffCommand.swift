// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarStore
import Epact
import ICalSyntax

/// `epact handoff`: passes events to the user's calendar program, without any access.
struct HandoffCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "handoff",
    abstract: "Hand events to your own calendar program, without any access.",
    discussion: """
      Makes what another program can take: an .ics file, and for each event an address of Google \
      Calendar, Outlook.com and Microsoft 365 that opens their editor with the event filled in. What \
      is saved there, and whether, this program never learns; it contacts nobody.
      """)

  /// The time limit of the handler, in seconds; it starts the program and does not wait for it.
  private static let timeLimit = 60.0

  @Argument(
    help: ArgumentHelp(
      "iCalendar files or folders; - is standard input.", valueName: "file"), completion: .file())
  var files: [String]

  @Flag(help: "Open the file with the system's handler for calendars.")
  var open = false

  @Flag(help: "Print the links alone, and write no file.")
  var links = false

  @Option(
    help: ArgumentHelp(
      "The program that opens the file, with its arguments, instead of xdg-open.",
      valueName: "command"))
  var handler: String?

  @Flag(
    name: .customLong("print"), help: "Print the command that would open it, and do not run it.")
  var isPrinted = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where to write the file, instead of the folder of the ledger.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Print one JSON object instead of lines for people.")
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
      let reading = try ItemReading(file)
      items.merge(reading.items) { _, new in new }
      faults += reading.faults.count
      reading.report(to: context.console)
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
    var export = CalendarExport(
      timeZones: MissingTimeZones.definitions(for: items, in: context), form: .verbatim)
    var bytes: [UInt8] = []
    try export.begin(to: { bytes += Array(copying: $0) })
    for item in items { try export.add(item, to: { bytes += Array(copying: $0) }) }
    try export.end(to: { bytes += Array(copying: $0) })
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

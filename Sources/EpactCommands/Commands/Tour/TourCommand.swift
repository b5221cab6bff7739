// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Epact
import EpactConsole
import ArgumentParser
import CalendarStore
import Glibc

/// `epact tour`: demonstrates the main features in a temporary folder.
struct TourCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract: "Demonstrate the program in a temporary folder.",
    discussion: """
      Runs the real commands on copies of example calendars: import, edits on both sides, syncs \
      with folders under each tier of access, a conflict, a guard, export. Prints each command \
      before it runs it, and stops if a command does not end as expected.
      """)

  /// The time limit of a command, in seconds.
  private static let timeLimit = 120.0

  @Option(
    help: ArgumentHelp(
      "Use the example calendars in the subfolder tour of this folder.",
      valueName: "folder"), completion: .directory)
  var fixtures: String?

  @Flag(help: "Keep the temporary folder.")
  var keep = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let own = try ownCalendars(context)
    let folder = try Self.makeTemporaryFolder(context.machine)
    context.console.show("The tour takes place in \(folder).")
    defer {
      if keep {
        context.console.show("The folder is kept: \(folder)")
      } else {
        try? context.process.enterFolder("/")
        _ = try? process(["rm", "-rf", "--", folder], in: folder, context).run()
      }
    }
    try AtomicFile.write(
      PackageResources.config_toml, to: folder + "/config.toml", permissions: .secret)
    let calendars = own ?? folder + "/examples"
    if own == nil { try TourCalendars.write(to: calendars) }
    let steps = Self.steps(on: calendars)
    try context.process.enterFolder(folder)
    for step in steps {
      try Task.checkCancellation()
      try run(step, in: folder, context)
    }
    let count = steps.count
    context.console.show("\n\("All \(count) commands ended as they should.", .green)")
    return .done
  }

  // MARK: - Steps

  /// A command of the tour.
  private struct Step {
    /// The title of the section that starts with this command.
    let title: String?
    /// The program and its arguments.
    let words: [String]
    /// The expected exit status.
    var status = ExitStatus.done
  }

  /// The commands of `script.txt`, in order, on copies of the example calendars.
  private static func steps(on calendars: String) -> [Step] {
    var steps: [Step] = []
    var title: String?
    let text = String(decoding: PackageResources.script_txt, as: UTF8.self)
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# ") {
        title = String(line.dropFirst(2))
      } else if line.hasPrefix("$ ") {
        let words = ShellWord.words(in: String(line.dropFirst(2))) ?? []
        steps.append(Step(title: title, words: words.map { $0 == "EXAMPLES" ? calendars : $0 }))
        title = nil
      } else if let number = Int32(line.dropFirst("[exit ".count).dropLast()),
        let status = ExitStatus(rawValue: number)
      {
        steps[steps.count - 1].status = status
      }
    }
    return steps
  }

  private func run(_ step: Step, in folder: String, _ context: Context) throws {
    if let title = step.title { context.console.show("\n\("# \(title)", .bold)") }
    let typed = step.words.map { ShellWord($0).description }.joined(separator: " ")
    context.console.show("\("$ \(typed)", .cyan)")
    _ = context.console.finish()
    let status: Int32
    do {
      status = try process(step.words, in: folder, context).run()
    } catch let error as Subprocess.Failure {
      throw Failure(.nothingDone, "\(step.words[0]) \(error.reason)")
    }
    // The reader of standard output is gone.
    guard context.console.finish() == nil, status != 128 + SIGPIPE else {
      throw CancellationError()
    }
    guard status == step.status.rawValue else {
      throw Failure(
        .someFailed,
        "this command ended with status \(status); expected \(step.status.rawValue), which means: "
          + "\(step.status.meaning)"
      )
    }
    if status != 0 { context.console.show("\("[exit \(status): \(step.status.meaning)]", .dim)") }
  }

  /// The process of a command; `epact` is this executable, isolated from the user's files.
  private func process(_ words: [String], in folder: String, _ context: Context) -> Subprocess {
    var words = words
    if words.first == "epact" { words[0] = context.process.executablePath }
    var environment = context.machine.environment
    environment["HOME"] = folder
    environment["XDG_CONFIG_HOME"] = folder + "/config"
    environment["XDG_STATE_HOME"] = folder + "/state"
    return Subprocess(
      words: words, environment: environment, timeLimit: Self.timeLimit, outputLimit: 0,
      stopwatch: context.machine.stopwatch)
  }

  /// The example calendars given by the user, or nil for the embedded ones.
  private func ownCalendars(_ context: Context) throws -> String? {
    guard let folder = fixtures.map({ context.paths.absolute($0) + "/tour" }) else { return nil }
    guard unsafe access(folder + "/work.ics", R_OK) == 0 else {
      throw Failure(
        .nothingDone, "there are no example calendars in \(folder)",
        hint: "Without --fixtures, the embedded example calendars are used.")
    }
    return folder
  }

  private static func makeTemporaryFolder(_ machine: Machine) throws -> String {
    let parent = machine.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/epact-tour-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw Failure(.nothingDone, "cannot make a folder in \(parent): \(SystemError())")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The example calendars of the tour: the files of `Fixtures/tour`, embedded in the program.
package enum TourCalendars {
  /// The names and contents of the files.
  package static var files: [(name: String, bytes: [UInt8])] {
    [
      ("damaged.ics", PackageResources.damaged_ics), ("family.ics", PackageResources.family_ics),
      ("reminders.ics", PackageResources.reminders_ics), ("work.ics", PackageResources.work_ics),
    ]
  }

  /// Writes the files to a new folder.
  fileprivate static func write(to folder: String) throws {
    try PrivateFolder.make(folder)
    for file in files {
      try AtomicFile.write(file.bytes, to: "\(folder)/\(file.name)", permissions: .secret)
    }
  }
}

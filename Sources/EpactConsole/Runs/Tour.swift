// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarStore
package import Epact
import Glibc

/// A demonstration of the program: real commands in a temporary folder.
package struct Tour {
  /// The time limit of a command, in seconds.
  private static let timeLimit = 120.0

  /// A command of the tour.
  private struct Step {
    /// The title of the section that starts with this command.
    let title: String?
    /// The program and its arguments.
    let words: [String]
    /// The expected exit status.
    var status = ExitStatus.done
  }

  /// The temporary folder.
  package let folder: String
  private let console: Console
  private let machine: Machine
  private let process: HostProcess

  /// Makes the temporary folder.
  ///
  /// - Throws: `Failure` if the folder cannot be made.
  package init(_ console: Console, _ machine: Machine, _ process: HostProcess) throws(Failure) {
    (self.console, self.machine, self.process) = (console, machine, process)
    let parent = machine.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/epact-tour-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw Failure(.nothingDone, "cannot make a folder in \(parent): \(SystemError())")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    console.show("The tour takes place in \(folder).")
  }

  /// Removes the folder, or keeps it.
  package func end(keepsFolder: Bool) {
    if keepsFolder {
      console.show("The folder is kept: \(folder)")
    } else {
      try? process.enterFolder("/")
      _ = try? subprocess(["rm", "-rf", "--", folder]).run()
    }
  }

  /// Prints and runs the commands of a script, in which EXAMPLES is the folder of the calendars.
  ///
  /// - Throws: `Failure` if a command cannot be run or ends with another status than expected;
  ///   `CancellationError`.
  package func run(_ script: String, on calendars: String) throws {
    let steps = Self.steps(of: script, on: calendars)
    try process.enterFolder(folder)
    for step in steps {
      try Task.checkCancellation()
      try run(step)
    }
    console.show("\n\("All \(steps.count) commands ended as they should.", .green)")
  }

  private static func steps(of script: String, on calendars: String) -> [Step] {
    var steps: [Step] = []
    var title: String?
    for line in script.split(separator: "\n") {
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

  private func run(_ step: Step) throws {
    if let title = step.title { console.show("\n\("# \(title)", .bold)") }
    let typed = step.words.map { ShellWord($0).description }.joined(separator: " ")
    console.show("\("$ \(typed)", .cyan)")
    _ = console.finish()
    let status: Int32
    do {
      status = try subprocess(step.words).run()
    } catch let error as Subprocess.Failure {
      throw Failure(.nothingDone, "\(step.words[0]) \(error.reason)")
    }
    // The reader of standard output is gone.
    guard console.finish() == nil, status != 128 + SIGPIPE else { throw CancellationError() }
    guard status == step.status.rawValue else {
      throw Failure(
        .someFailed,
        "this command ended with status \(status); expected \(step.status.rawValue), which means: "
          + "\(step.status.meaning)"
      )
    }
    if status != 0 { console.show("\("[exit \(status): \(step.status.meaning)]", .dim)") }
  }

  /// The process of a command; `epact` is this executable, isolated from the user's files.
  private func subprocess(_ words: [String]) -> Subprocess {
    var words = words
    if words.first == "epact" { words[0] = process.executablePath }
    var environment = machine.environment
    environment["HOME"] = folder
    environment["XDG_CONFIG_HOME"] = folder + "/config"
    environment["XDG_STATE_HOME"] = folder + "/state"
    return Subprocess(
      words: words, environment: environment, timeLimit: Self.timeLimit, outputLimit: 0,
      stopwatch: machine.stopwatch)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarStore
package import Epact
import Glibc

/// Lets the user edit a text with `$VISUAL` or `$EDITOR`.
package struct ExternalEditor {
  /// The time limit of the editor, in seconds.
  private static let timeLimit = 86_400.0
  /// The maximum size of the edited text, in bytes.
  private static let sizeLimit = 64 << 20

  private let machine: Machine
  private let ending: String

  /// Creates an editor that is looked up in the environment of a machine.
  ///
  /// - Parameters:
  ///   - machine: The environment.
  ///   - ending: The ending of the file's name, by which editors choose colours.
  package init(machine: Machine, ending: String = "ics") {
    self.machine = machine
    self.ending = ending
  }

  /// Opens a text in the editor, and returns the edited text.
  ///
  /// - Throws: `EpactError` if there is no editor or it fails; errors of the file system.
  package func edit(_ bytes: [UInt8]) throws -> [UInt8] {
    let environment = machine.environment
    let choice = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self)
      .first { !$0.isEmpty }
    guard let choice else {
      throw EpactError(
        .argument, "no editor is known",
        remedy: .other("Set EDITOR, for example: export EDITOR=nano"))
    }
    let folder = environment["TMPDIR"] ?? "/tmp"
    let path = "\(folder)/epact-\(getpid()).\(ending)"
    guard try AtomicFile.create(bytes, at: path, permissions: .secret) else {
      throw EpactError(.failed, "\(path) is in the way")
    }
    defer { _ = unsafe unlink(path) }
    let process = Subprocess(
      words: choice.split(separator: " ").map(String.init) + [path], environment: environment,
      timeLimit: Self.timeLimit, outputLimit: Self.sizeLimit, stopwatch: machine.stopwatch)
    let status: Int32
    do {
      status = try process.interact()
    } catch let error as Subprocess.Failure {
      throw EpactError(
        .failed, "the editor \"\(choice)\" \(error.reason)",
        remedy: .other("Set VISUAL or EDITOR to an editor, for example: export EDITOR=nano"))
    }
    guard status == 0 else {
      throw EpactError(.failed, "the editor \"\(choice)\" ended with status \(status)")
    }
    var stream = try InputStream(path: path)
    guard let edited = try stream.readAll(limit: Self.sizeLimit) else {
      throw EpactError(.failed, "the edited text is too large")
    }
    return edited
  }
}

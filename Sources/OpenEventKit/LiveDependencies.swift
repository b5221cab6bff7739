// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact
import Foundation
import Glibc

/// The dependencies of a store on the process and the machine.
struct StoreEnvironment: Sendable {
  /// The machine with the folders, the clock and the time zones.
  let machine: Machine
  /// The program that uses the store.
  let program: Program
  /// Asks the user for access.
  let prompt: any ProgramPrompt
  /// The default time zone of the program.
  var timeZone: @Sendable () -> TimeZone
  /// Creates the identifiers of stores and of new items.
  var makeIdentifier: @Sendable () -> String

  /// An environment whose default time zone is that of a machine.
  init(machine: Machine, program: Program, prompt: any ProgramPrompt) {
    self.machine = machine
    self.program = program
    self.prompt = prompt
    timeZone = { machine.localZone.flatMap { TimeZone(identifier: $0) } ?? .gmt }
    makeIdentifier = LiveDependencies.makeIdentifier
  }

  /// The environment of this process.
  static func live() -> StoreEnvironment { LiveDependencies.environment() }
}

/// The only access to the process: its program, its time zone, its randomness and its queues.
enum LiveDependencies {
  /// The queue of the delegates of all forms.
  static var mainQueue: DispatchQueue { .main }

  /// The queue of the notifications of all stores.
  static var mainOperations: OperationQueue { .main }

  /// The center of the notifications of all stores.
  static var notificationCenter: NotificationCenter { .default }

  static func makeIdentifier() -> String { UUID().uuidString }

  /// Whether the standard input of the process is a terminal.
  static func hasTerminal() -> Bool { isatty(STDIN_FILENO) == 1 }

  /// Removes a temporary file if possible; the system removes it otherwise.
  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  static func environment() -> StoreEnvironment {
    let machine = Machine.live()
    var environment = StoreEnvironment(
      machine: machine, program: .current(machine: machine),
      prompt: SystemPrompt(machine: machine))
    environment.timeZone = { NSTimeZone.default }
    return environment
  }
}

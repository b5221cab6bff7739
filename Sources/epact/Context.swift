// SPDX-License-Identifier: Apache-2.0

import Logging

/// What a command works with: the console, the log, and what the machine gives.
struct Context: Sendable {
  /// Where the words go.
  let console: Console
  /// Where it is told what happens on the way; silent unless asked for with `-v`.
  let log: Logger
  /// The clock, the environment, the folders and the account.
  let machine: Dependencies
  /// The options that every command has.
  private let configurationPath: String?

  /// Creates what a command with these options works with.
  init(options: GlobalOptions, machine: Dependencies) {
    let console = Console(
      color: options.color, isQuiet: options.quiet, environment: machine.environment)
    self.console = console
    self.machine = machine
    let handler = StandardErrorLog(console: console, verbosity: options.verbose)
    log = Logger(label: "epact", factory: { _ in handler })
    configurationPath = options.config
  }
}

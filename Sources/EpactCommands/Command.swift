// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact

/// A command: receives its dependencies in a context, and returns the exit status.
protocol Command: ParsableCommand {
  /// The options of all commands.
  var global: GlobalOptions { get }

  /// Runs the command.
  func run(in context: Context) async throws -> ExitStatus
}

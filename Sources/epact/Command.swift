// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A command of the program: it gets everything it touches from outside, and tells how it ended.
protocol Command: ParsableCommand {
  /// The options that every command has.
  var global: GlobalOptions { get }

  /// Does what the command is for.
  func run(in context: Context) async throws -> ExitStatus
}

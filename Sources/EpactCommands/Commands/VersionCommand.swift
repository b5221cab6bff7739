// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact version`: prints the versions of the program and its libraries.
struct VersionCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the versions of the program and its libraries.")

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    Version.print(on: context.console, machine: context.machine)
    return .done
  }
}

// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import Epact

/// Parses the command line, and reports errors in it.
package enum Usage {
  /// Parses the command line into a command.
  ///
  /// - Throws: `Failure` for an unknown command; errors of the argument parser.
  package static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    if let word = arguments.first, !word.hasPrefix("-") {
      if let command = command(word, with: Array(arguments.dropFirst())) { return command }
      if !names.contains(word) { throw unknown(word) }
    }
    return try EpactCommand.parseAsRoot(arguments)
  }

  /// The command with a name, if the arguments are a plain call.
  ///
  /// Parsing only the subcommand takes half the time of parsing the command line from the root.
  /// Help and errors need the root, because they mention the full command.
  private static func command(_ name: String, with arguments: [String]) -> (any ParsableCommand)? {
    let type = EpactCommand.configuration.subcommands.first { $0.configuration.commandName == name }
    return try? type?.parseAsRoot(arguments) as? any Command
  }

  private static func unknown(_ word: String) -> Failure {
    let near = Suggestion.nearest(to: word, among: names)
    return Failure(
      .usage,
      near.map { "there is no command \"\(word)\"; did you mean \"\($0)\"?" }
        ?? "there is no command \"\(word)\"",
      hint: "The commands are: \(commands.joined(separator: ", ")).")
  }

  /// Prints the requested help, or the error in the command line.
  static func explain(_ error: any Error, on console: Console) -> ExitStatus {
    if let failure = error as? Failure {
      console.complain(failure)
      return failure.status
    }
    let message = EpactCommand.fullMessage(for: error)
    guard EpactCommand.exitCode(for: error) != .success else {
      console.show(ConsoleText(lines: message))
      return .done
    }
    let prefix = "Error: "
    let text = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
    console.report("\("error:", .red) \(ConsoleText(lines: text))")
    return .usage
  }

  private static var commands: [String] {
    EpactCommand.configuration.subcommands.compactMap { $0.configuration.commandName }.sorted()
  }

  private static var names: [String] { commands + ["help"] }
}

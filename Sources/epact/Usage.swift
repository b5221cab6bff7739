// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Reads the command line, and explains one that makes no sense.
enum Usage {
  /// Parses the command line into the command it names.
  ///
  /// - Throws: A `Failure` for an unknown command, or what the argument parser throws.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    if let word = arguments.first, !word.hasPrefix("-"), !names.contains(word) {
      let near = Suggestion.nearest(to: word, among: names)
      throw Failure(
        .usage,
        near.map { "there is no command \"\(word)\"; did you mean \"\($0)\"?" }
          ?? "there is no command \"\(word)\"",
        hint: "The commands are: \(commands.joined(separator: ", ")).")
    }
    return try Epact.parseAsRoot(arguments)
  }

  /// Prints help that was asked for, or what is wrong with the command line.
  static func explain(_ error: any Error, on console: Console) -> ExitStatus {
    if let failure = error as? Failure {
      console.complain(failure)
      return failure.status
    }
    let message = Epact.fullMessage(for: error)
    guard Epact.exitCode(for: error) != .success else {
      console.show(ConsoleText(lines: message))
      return .done
    }
    let prefix = "Error: "
    let text = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
    console.report("\("error:", .red) \(ConsoleText(lines: text))")
    return .usage
  }

  private static var commands: [String] {
    Epact.configuration.subcommands.compactMap { $0.configuration.commandName }.sorted()
  }

  private static var names: [String] { commands + ["help"] }
}

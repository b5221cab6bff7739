// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser

/// Reads the command line, and explains one that makes no sense.
package enum Usage {
  /// Parses the command line into the command it names.
  ///
  /// - Throws: A `Failure` for an unknown command, or what the argument parser throws.
  package static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    if let word = arguments.first, !word.hasPrefix("-") {
      if let command = command(word, with: Array(arguments.dropFirst())) { return command }
      if !names.contains(word) { throw unknown(word) }
    }
    return try Epact.parseAsRoot(arguments)
  }

  /// The command of a name, if what follows it is a plain call.
  ///
  /// Reading that alone takes half the time of reading the whole command line as the program's, which is
  /// left to what asks for help or makes no sense: only there it matters that the command is a part.
  private static func command(_ name: String, with arguments: [String]) -> (any ParsableCommand)? {
    let type = Epact.configuration.subcommands.first { $0.configuration.commandName == name }
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

// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import CalendarFiles
import CivilTime
import Epact
import EpactConsole
import Glibc
import Logging

/// The life cycle of the program: runs a command, and ends the process.
package enum Program {
  /// Runs the command given by the arguments, and ends the process with its exit status.
  ///
  /// The calling thread only waits. An asynchronous main function would end it instead, for which
  /// the C library loads and reads stack unwinding code.
  package static func main() -> Never {
    LiveDependencies.shareHeap()
    LiveDependencies.ignoreBrokenPipes()
    LiveDependencies.allowManyFiles()
    let (machine, process) = (Machine.live(), LiveDependencies.process())
    let work = Task { await run(on: machine, process) }
    let signals = LiveDependencies.onInterrupt(status: ExitStatus.interrupted.rawValue) {
      work.cancel()
    }
    Task {
      let ending = await work.value
      if let text = ending.paged { page(text, on: machine) }
      if ending.isPipeBroken { LiveDependencies.dieOfBrokenPipe() }
      Glibc.exit(ending.status.rawValue)
    }
    LiveDependencies.waitForTheEnd(keeping: signals)
  }

  /// The end of the program.
  private struct Ending {
    var status: ExitStatus
    var isPipeBroken = false
    /// The output for a pager.
    var paged: [UInt8]?
  }

  /// Shows a text in a pager; without one, writes it.
  private static func page(_ text: [UInt8], on machine: Machine) {
    let pager = Pager(machine: machine)
    guard !LiveDependencies.whilePaging({ pager?.show(text) ?? false }) else { return }
    let console = Console(environment: machine.environment)
    console.write(text)
    _ = console.finish()
  }

  /// Parses the arguments and runs the command; all errors become an exit status.
  private static func run(on machine: Machine, _ process: HostProcess) async -> Ending {
    let console: Console
    let status: ExitStatus
    do {
      let command = try Usage.parse(process.arguments)
      let context = Context(
        options: try (command as? any Command)?.global ?? GlobalOptions.parse([]),
        machine: machine, process: process)
      console = context.console
      if (command as? any Command)?.isPaged ?? true { console.holdOutput() }
      status = await run(command, in: context)
      context.log.debug(
        "the run is over",
        metadata: [
          "status": "\(status.rawValue)", "peakMemory": "\(process.peakMemory() ?? 0)",
        ])
    } catch {
      console = Console(environment: machine.environment)
      console.holdOutput()
      status = Usage.explain(error, of: process.arguments, on: console)
    }
    let paged = console.takeHeldOutput()
    switch console.finish() {
    case nil: return Ending(status: status, paged: paged)
    // A command that only prints ends with SIGPIPE; other commands complete their work.
    case EPIPE:
      return Ending(status: status, isPipeBroken: [.done, .interrupted].contains(status))
    case .some(let code):
      console.complain(Failure(.nothingDone, "cannot write standard output: \(SystemError(code))"))
      return Ending(status: .nothingDone)
    }
  }

  /// Prints the help of a command, which the parser's help command throws as an error.
  private static func help(_ command: any ParsableCommand, on console: Console) -> ExitStatus {
    var command = command
    do {
      try command.run()
      return .done
    } catch {
      return Usage.explain(error, on: console)
    }
  }

  private static func run(_ command: any ParsableCommand, in context: Context) async -> ExitStatus {
    do {
      switch command {
      case let command as any Command:
        return try await command.run(in: try context.actingForAccount())
      case let root as EpactCommand where root.version:
        context.console.show(Version.lines(on: context.machine).map { "\($0)" })
      case is EpactCommand: context.console.show(ConsoleText(lines: EpactCommand.helpMessage()))
      default: return help(command, on: context.console)
      }
      return .done
    } catch {
      let failure = Task.isCancelled ? Failure.interrupted(error) : Failure(describing: error)
      // Without a signal, the reader of the output is gone, and no message is needed.
      if failure.status != .interrupted || Task.isCancelled { context.console.complain(failure) }
      return failure.status
    }
  }
}

/// Parses the command line, and reports errors in it.
package enum Usage {
  /// Parses the command line into a command.
  ///
  /// - Throws: `Failure` for an unknown command; errors of the argument parser.
  package static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    if let word = arguments.first, !word.hasPrefix("-") {
      let type = commandType(named: word)
      let rest = Array(arguments.dropFirst())
      if let type, let command = command(type, with: rest) {
        try rejectRepetition(in: rest, of: type)
        return command
      }
      try rejectSignedValues(in: rest)
      guard let type else {
        if word == "help" { return try EpactCommand.parseAsRoot(arguments) }
        throw unknown(word, among: commands + ["help"], listing: commands)
      }
      let parts = names(of: type.configuration.subcommands)
      // Without a default, the next word has to be a command.
      if !parts.isEmpty, type.configuration.defaultSubcommand == nil, let next = rest.first,
        !next.hasPrefix("-"), !parts.contains(next)
      {
        throw unknown(next, of: word, among: parts, listing: parts)
      }
    }
    let command = try EpactCommand.parseAsRoot(arguments)
    try rejectRepetition(in: arguments, of: EpactCommand.self)
    return command
  }

  /// Rejects an option that is given more than once and takes one value: the parser drops all values
  /// but the last one.
  private static func rejectRepetition(
    in arguments: [String], of type: any ParsableCommand.Type
  ) throws(Failure) {
    let options = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0 != "-" }
    let names = options.map { String($0.prefix { $0 != "=" }) }
    // The description of a command takes longer than most commands.
    guard Set(names).count < names.count,
      let description = try? CommandDescription(parsing: type._dumpHelp())
    else { return }
    let single = description.command(of: arguments).singleOptions
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted && single.contains(name) {
      throw Failure(.usage, "\(name) is given more than once, and takes one value")
    }
  }

  /// Rejects a value such as `-1h` without its option: the parser reads it as the option `-h`.
  private static func rejectSignedValues(in arguments: [String]) throws(Failure) {
    let values = arguments.prefix { $0 != "--" }
    guard let value = values.first(where: { $0.wholeMatch(of: /-\d.*/) != nil }) else { return }
    throw Failure(
      .usage, "expected an option, found \"\(value)\"",
      hint: "A value that begins with a hyphen follows its option and =, as in --start=\(value).")
  }

  private static func commandType(named name: String) -> (any ParsableCommand.Type)? {
    EpactCommand.configuration.subcommands.first { $0.configuration.commandName == name }
  }

  /// The command of a type, if the arguments are a plain call.
  ///
  /// Parsing only the subcommand takes half the time of parsing the command line from the root.
  /// Help and errors need the root, because they mention the full command.
  private static func command(
    _ type: any ParsableCommand.Type, with arguments: [String]
  ) -> (any ParsableCommand)? {
    try? type.parseAsRoot(arguments) as? any Command
  }

  private static func unknown(
    _ word: String, of parent: String? = nil, among names: [String], listing listed: [String]
  ) -> Failure {
    let near =
      parent == nil
      ? usualWords[word.lowercased()] ?? Suggestion.nearest(to: word, among: names)
      : Suggestion.nearest(to: word, among: names)
    let place = parent.map { " of \"\($0)\"" } ?? ""
    return Failure(
      .usage,
      near.map { "there is no command \"\(word)\"\(place); did you mean \"\($0)\"?" }
        ?? "there is no command \"\(word)\"\(place)",
      hint: "The commands are: \(listed.joined(separator: ", ")).")
  }

  /// The commands for words that other programs use.
  package static let usualWords = [
    "accept": "invitation accept", "add": "new", "cancel": "todo cancel",
    "cat": "show", "create": "new", "decline": "invitation decline", "done": "todo done",
    "events": "agenda", "find": "search", "gui": "week", "list": "agenda", "log": "history",
    "logs": "history", "ls": "agenda", "publish": "export", "remind": "todo add",
    "remove": "delete", "rm": "delete", "setup": "init", "tasks": "todo",
    "today": "agenda today", "todos": "todo", "tomorrow": "agenda tomorrow",
    "unsubscribe": "calendars remove",
  ]

  /// Prints the requested help, or the error in the command line.
  ///
  /// - Parameters:
  ///   - error: The error, or the request for help.
  ///   - arguments: The command line, for advice on its values.
  ///   - console: The console.
  /// - Returns: The exit status.
  static func explain(
    _ error: any Error, of arguments: [String] = [], on console: Console
  ) -> ExitStatus {
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
    console.report("\("error:", .red) \(ConsoleText(lines: withoutFarSuggestion(text)))")
    if let advice = advice(on: text, arguments) { console.report(advice) }
    return .usage
  }

  /// The advice to join an option and its value that begins with a hyphen.
  private static func advice(on message: String, _ arguments: [String]) -> ConsoleText? {
    guard let option = message.firstMatch(of: /^Missing value for '(--[^ ']+)/)?.1,
      let place = arguments.firstIndex(of: String(option)),
      let value = arguments.dropFirst(place + 1).first, value.wholeMatch(of: /-[0-9].*/) != nil
    else { return nil }
    return
      "  A value that begins with a hyphen is joined to the option: \(option)=\(ShellWord(value))"
  }

  /// A message of the argument parser, without a suggestion that resembles the option too little.
  private static func withoutFarSuggestion(_ message: String) -> String {
    let pattern = /^Unknown option '-*([^'=]*)[^']*'(\. Did you mean '-*([^']*)'\?)/
    guard let match = message.firstMatch(of: pattern), !match.1.hasPrefix(match.3),
      Suggestion.nearest(to: String(match.1), among: [String(match.3)]) == nil
    else { return message }
    return String(message[..<match.2.startIndex] + message[match.2.endIndex...])
  }

  private static var commands: [String] { names(of: EpactCommand.configuration.subcommands) }

  private static func names(of types: [any ParsableCommand.Type]) -> [String] {
    types.compactMap { $0.configuration.commandName }.sorted()
  }
}

/// `epact version`: prints the versions of the program and its libraries.
struct VersionCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the versions of the program and its libraries.")

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    context.console.show(Version.lines(on: context.machine).map { "\($0)" })
    return .done
  }
}

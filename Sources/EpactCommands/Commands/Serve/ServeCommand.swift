// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact serve`: starts the page.
struct ServeCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show the calendars in a browser, and serve feeds.",
    discussion: """
      Starts epact-serve, a program of its own, and prints an address with a key, which signs a \
      browser in. Only this machine can reach the page. It shows days, weeks, months, tasks, syncs, \
      conflicts and the history, and changes items as the commands do; every change can be undone. \
      Feeds are at /feed/TOKEN.ics, without a key: "epact feed make" prints a token.

      Ends with Ctrl-C.
      """)

  /// How to get the program that serves pages.
  static let buildHint: ConsoleText = "To build it: swift build -c release --product epact-serve"

  @Option(help: ArgumentHelp("The port on 127.0.0.1; 0 for a free one.", valueName: "number"))
  var port = 8338

  @Flag(help: "Show only; nothing can be changed.")
  var readOnly = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("expected --port to be a number from 0 through 65535")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    guard let program = context.machine.pageServer() else {
      throw Failure(
        .configuration, "the program epact-serve is neither beside epact nor in PATH",
        hint: Self.buildHint)
    }
    var words = [program, "--port", String(port)]
    if readOnly { words.append("--read-only") }
    if let file = global.config { words += ["--config", file] }
    try LiveDependencies.become(words)
  }
}

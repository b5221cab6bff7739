// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactServe
import Glibc

/// The program `epact-serve`, which `epact serve` starts.
@main
struct ServeProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "epact-serve",
    abstract: "Shows the calendars in a browser, and serves feeds.",
    discussion: """
      Prints an address with a key, which signs a browser in. Only this machine can reach the server. \
      Feeds are at /feed/TOKEN.ics, without a sign-in.
      """,
    subcommands: [HandoffProgram.self])

  @Option(help: ArgumentHelp("The port on 127.0.0.1; 0 for a free one.", valueName: "number"))
  var port = 8338

  @Flag(help: "Show only; nothing can be changed.")
  var readOnly = false

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
  var config: String?

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("expected --port to be a number from 0 through 65535")
    }
  }

  func run() async throws {
    let machine = Machine.live()
    var options = PageServer.Options()
    options.port = port
    options.isReadOnly = readOnly
    let library = CalendarLibrary(machine: machine, configuration: config)
    let server = try PageServer(library: library, machine: machine, options: options)
    try await server.run { address in
      print(address)
      fflush(nil)
    }
  }
}

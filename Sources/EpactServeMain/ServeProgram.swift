// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CMemory
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
      Prints an address with a key, which signs a browser in. Feeds are at /feed/TOKEN.ics, without a \
      sign-in. "epact serve --help" describes the options.
      """,
    subcommands: [HandoffProgram.self])

  @Option(help: ArgumentHelp("The port; 0 for a free one.", valueName: "number"))
  var port = 8338

  @Option(help: ArgumentHelp("The IP address to listen at.", valueName: "address"))
  var listen = "127.0.0.1"

  @Option(help: ArgumentHelp("The Unix socket to listen at.", valueName: "path"))
  var socket: String?

  @Option(help: ArgumentHelp("The name of a proxy with TLS.", valueName: "name"))
  var host: [String] = []

  @Flag(help: "Show only; nothing can be changed.")
  var readOnly = false

  @Flag(help: "Sign browsers in by the password only.")
  var noKey = false

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
  var config: String?

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("expected --port to be a number from 0 through 65535")
    }
  }

  func run() async throws {
    cmemory_share_heap()
    cmemory_return_large_blocks()
    var options = PageServer.Options()
    (options.address, options.port, options.socket) = (listen, port, socket)
    (options.hosts, options.isReadOnly, options.usesKey) = (host, readOnly, !noKey)
    do {
      try await serve(options)
    } catch let error as EpactError {
      Self.complain("error: \(error.message)")
      switch error.remedy {
      case .setPagePassword: Self.complain("  The option --set-password of epact serve sets one.")
      case .other(let text): Self.complain("  \(text)")
      default: break
      }
      throw ExitCode(Int32(SyncOutcome(error.code).rawValue))
    }
  }

  private func serve(_ options: PageServer.Options) async throws {
    let machine = Machine.live()
    let library = CalendarLibrary(machine: machine, configuration: config)
    let server = try PageServer(library: library, machine: machine, options: options)
    try await server.run { addresses in
      for address in addresses { print(address) }
      if options.isPublic, options.hosts.isEmpty {
        Self.complain(
          "warning: what is sent can be read on the way; put a proxy with TLS in front, and name it with --host"
        )
      }
      fflush(nil)
      ServiceManager.notifyReady(machine.environment)
    }
  }

  private static func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
  }
}

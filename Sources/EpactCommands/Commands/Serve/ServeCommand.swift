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
      browser in. Only this machine can reach the page, unless --listen says otherwise. It shows days, weeks, months, tasks, syncs, \
      conflicts and the history, and changes items as the commands do; every change can be undone. \
      Feeds are at /feed/TOKEN.ics, without a key: "epact feed make" prints a token.

      A password lets other browsers sign in, and is set with --set-password. With it, the page can \
      be reached from other machines, best through a proxy with TLS that passes requests on to the \
      port or the socket; --host names the proxy. "epact schedule install --serve" starts the page \
      whenever a browser asks for it.

      Ends with Ctrl-C.
      """)

  /// How to get the program that serves pages.
  static let buildHint: ConsoleText = "To build it: swift build -c release --product epact-serve"

  @OptionGroup var place: ServeOptions

  @Flag(
    help: """
      Set the password of the page, and end. It is asked for on a terminal, and else it is the first \
      line of standard input.
      """)
  var setPassword = false

  @Flag(help: "Remove the password of the page, and end.")
  var removePassword = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !setPassword || !removePassword else {
      throw ValidationError("--set-password and --remove-password exclude each other")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    try context.expectNoAccount()
    let password = PagePassword(machine: context.machine)
    if setPassword {
      try password.set(try newPassword(in: context))
      context.console.say(
        "The password is set. Browsers that are signed in stay so until the page ends.")
      return .done
    }
    if removePassword {
      let wasSet = try password.remove()
      context.console.say(wasSet ? "The password is removed." : "No password was set.")
      return .done
    }
    try LiveDependencies.become(try place.call.words(in: context, global.config))
  }

  private func newPassword(in context: Context) throws -> Secret {
    let console = context.console
    guard console.canAsk else { return try Console.secretFromInput() }
    guard let first = try console.secret(for: "New password of the page:") else {
      throw Failure(.usage, "there is no password, and nothing was changed")
    }
    guard try console.secret(for: "The same once more:") == first else {
      throw Failure(.usage, "the two passwords differ, and nothing was changed")
    }
    return first
  }
}

/// The options of the page, which `epact schedule install --serve` has, too.
struct ServeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The port; 0 for a free one. The default is \(PageCall.usualPort).", valueName: "number"))
  var port: Int?

  @Option(
    help: ArgumentHelp(
      "Listen at this IP address, so that other machines reach the page. It needs a password.",
      valueName: "address"))
  var listen: String?

  @Option(
    help: ArgumentHelp(
      "Listen at a Unix socket, which only you can connect to.", valueName: "path"))
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The name under which a proxy with TLS passes requests on. Can be repeated.",
      valueName: "name"))
  var host: [String] = []

  @Flag(help: "Show only; nothing can be changed.")
  var readOnly = false

  @Flag(help: "Print no key: browsers are signed in by the password only.")
  var noKey = false

  func validate() throws {
    guard (0...65_535).contains(port ?? 0) else {
      throw ValidationError("expected --port to be a number from 0 through 65535")
    }
    guard socket == nil || listen == nil && port == nil else {
      throw ValidationError("--socket excludes --listen and --port")
    }
    for name in host where name.isEmpty || name.contains(where: { $0 == "/" || $0.isWhitespace }) {
      throw ValidationError(
        "expected --host to be a name such as calendar.example.org, found \"\(name)\"")
    }
  }

  /// The call of the program.
  var call: PageCall {
    var call = PageCall()
    (call.port, call.address, call.socket) = (port ?? call.port, listen, socket)
    (call.hosts, call.isReadOnly, call.usesKey) = (host, readOnly, !noKey)
    return call
  }
}

/// A call of the program of the page.
struct PageCall {
  /// The port that the program has without an option.
  static let usualPort = 8338

  var port = usualPort
  var address: String?
  var socket: String?
  var hosts: [String] = []
  var isReadOnly = false
  var usesKey = true

  /// The program and its options.
  ///
  /// - Throws: `Failure` if the program is not installed.
  func words(in context: Context, _ config: String?) throws -> [String] {
    guard let program = context.machine.pageServer() else {
      throw Failure(
        .configuration, "the program epact-serve is neither beside epact nor in PATH",
        hint: ServeCommand.buildHint)
    }
    var words = [program]
    if port != Self.usualPort { words += ["--port", String(port)] }
    if let address { words += ["--listen", address] }
    if let socket { words += ["--socket", context.paths.absolute(socket)] }
    for name in hosts { words += ["--host", name] }
    if isReadOnly { words.append("--read-only") }
    if !usesKey { words.append("--no-key") }
    if let config { words += ["--config", context.paths.absolute(config)] }
    return words
  }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact login`: signs in to a remote with OAuth 2.
struct LoginCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "login",
    abstract: "Sign in to a remote with OAuth.",
    discussion: """
      For remotes with sign-in = "oauth" and for those of services that require it. Shows what the \
      access is for and the scopes, and opens the page of the service in the browser: of $BROWSER, or \
      of the display. The scopes are the smallest for the granted access; a higher access needs a new \
      sign-in. Without access there is no sign-in.

      The browser returns to a port of this machine. On a machine without a browser, --paste takes \
      the address at which a browser of another machine ended, and --device shows a code to enter on \
      another device, if the service supports that.

      The tokens are stored as token-store in the configuration says, and renewed by each command \
      that needs them. No token appears in the output, the ledger or the arguments of programs.
      """)

  /// The longest time to wait for a browser, in seconds.
  private static let longestWait = 3600

  @Argument(
    help: ArgumentHelp("Sign in to this remote or account.", valueName: "name"),
    completion: .remoteNames)
  var remote: String

  @Flag(help: "Ask for the address at which a browser of any machine ended.")
  var paste = false

  @Flag(help: "Show a code to enter on another device.")
  var device = false

  @Flag(name: .customLong("no-browser"), help: "Show the address, and open no browser.")
  var isWithoutBrowser = false

  @Option(help: ArgumentHelp("Wait so long for the browser.", valueName: "seconds"))
  var wait = Int(SignIn.usualTimeLimit)

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !paste || !device else {
      throw ValidationError("--paste and --device exclude each other")
    }
    guard !isWithoutBrowser || (!paste && !device) else {
      throw ValidationError("--paste and --device open no browser")
    }
    guard (1...Self.longestWait).contains(wait) else {
      throw ValidationError("expected --wait to be a number from 1 through \(Self.longestWait)")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let signIn = try await SignIn(
      to: remote, in: try context.configuration(), machine: context.machine, log: context.log)
    let run = SignInRun(
      context.console, machine: context.machine, opensBrowser: !isWithoutBrowser)
    try await run.run(
      signIn, paste ? .paste : device ? .device : .browser, timeLimit: Double(wait))
    return .done
  }
}

/// `epact logout`: revokes the tokens of a remote and removes them.
struct LogoutCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Sign out of a remote, and revoke its tokens.",
    discussion: """
      Revokes the tokens at the service (RFC 7009), and removes them from this machine. If the service \
      has no revocation, as Microsoft, or cannot be reached, it says so; the tokens are removed in \
      any case. The access that was granted to the program stays; epact access changes it.
      """)

  @Argument(
    help: ArgumentHelp("Sign out of this remote or account.", valueName: "name"),
    completion: .remoteNames)
  var remote: String

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let signIn = try await SignIn(
      to: remote, in: try context.configuration(), machine: context.machine, log: context.log)
    let run = SignInRun(context.console, machine: context.machine, opensBrowser: false)
    return try await run.end(signIn) ? .done : .unavailable
  }
}

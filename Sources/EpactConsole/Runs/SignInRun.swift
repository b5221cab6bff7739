// SPDX-License-Identifier: Apache-2.0

package import Epact

/// Signs in to remotes, and out of them.
package struct SignInRun: Sendable {
  private let console: Console
  private let machine: Machine
  /// The browser to open; nil to show the address only.
  private let browser: Browser?
  /// Whether the user is shown the address only, at his own request.
  private let isWithoutBrowser: Bool

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - console: The terminal.
  ///   - machine: The machine with the browser.
  ///   - opensBrowser: Whether the browser is opened, if there is one.
  package init(_ console: Console, machine: Machine, opensBrowser: Bool) {
    (self.console, self.machine) = (console, machine)
    browser = opensBrowser ? Browser(machine: machine) : nil
    isWithoutBrowser = !opensBrowser
  }

  /// Signs in.
  ///
  /// - Parameters:
  ///   - signIn: The sign-in.
  ///   - way: The way of the answer.
  ///   - timeLimit: The time to wait for a browser, in seconds.
  /// - Throws: Errors of `SignIn`.
  package func run(_ signIn: SignIn, _ way: SignIn.Way, timeLimit: Double) async throws {
    var signIn = signIn
    try await signIn.askForAccess(console)
    let record = try await signIn.run(way, timeLimit: timeLimit, prompt: self)
    console.say("\(signIn.name, .bold): signed in at \(record.server)")
    let end = record.refreshToken == nil ? record.expiresAt : record.refreshExpiresAt
    if let end {
      let reason =
        record.refreshToken == nil ? ", because the server issued no refresh token" : ""
      console.warn(
        "the sign-in ends at \(machine.localTime(Instant(secondsSinceEpoch: end)))\(reason)")
    }
  }

  /// Signs out.
  ///
  /// - Returns: Whether no valid token may be left.
  /// - Throws: Errors of `SignIn`.
  package func end(_ signIn: SignIn) async throws -> Bool {
    let name = signIn.name
    switch try await signIn.end() {
    case nil: console.say("\(name, .bold): not signed in")
    case .revoked?: console.say("\(name, .bold): signed out, and the tokens are revoked")
    case .ended?:
      console.say("\(name, .bold): signed out; the tokens were not valid any more")
    case .notRevocable(let server)?:
      console.say("\(name, .bold): signed out; the tokens are removed from this machine")
      console.note(
        "\(server) revokes no tokens at the request of a program. To end the access there, too: "
          + "remove the program in the settings of the account.")
    case .failed(let error)?:
      console.say("\(name, .bold): the tokens are removed from this machine")
      console.warn(
        "they are not revoked at the server, and may still be valid there: \(error.message)")
      return false
    }
    return true
  }
}

extension SignInRun: SignInPrompt {
  package func introduce(_ introduction: SignInIntroduction) {
    let tier = introduction.tier.rawValue
    let use = introduction.isReading ? "reading" : tier
    console.report(
      "\(introduction.remote, .bold) signs in at \(introduction.server), for \(use) access.")
    console.report("What for: \(introduction.purpose)")
    if introduction.scopes.isEmpty {
      console.report("The server decides which scopes are granted.")
    } else {
      console.report("Scopes:")
      for scope in introduction.scopes { console.report("  \(scope)") }
    }
  }

  package func open(_ address: String) throws {
    guard let browser else {
      if !isWithoutBrowser { console.report("There is no browser to open.") }
      console.report("Open this address in a browser of this machine:")
      console.report("  \(address)")
      return
    }
    console.report("The browser opens. If it does not, open this address:")
    console.report("  \(address)")
    do throws(EpactError) {
      try browser.launch(address)
    } catch {
      console.warn("\(error.message)")
    }
  }

  package func pastedAddress(after address: String, isRetry: Bool) throws -> String {
    if isRetry {
      console.report("That is not the address at which the browser ended. Copy the whole address.")
    } else {
      console.report("Open this address in a browser of any machine:")
      console.report("  \(address)")
      console.report(
        "At the end the browser shows that it cannot open a page at 127.0.0.1 or localhost. Copy the "
          + "address of that page.")
    }
    // The address contains the code, which is not shown.
    guard let text = try console.secret(for: "Address:") else {
      throw Failure(.usage, "expected the address at which the browser ended, found none")
    }
    return text.revealed
  }

  package func show(code: String, page: String) {
    console.report("Open this page on any device: \(page)")
    console.report("Enter this code there: \(code, .bold)")
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The place where a form for another program is shown.
package enum HandoffFace: Hashable, Sendable {
  /// The terminal of the process.
  case terminal
  /// A page in the user's browser, from the server at this path.
  case page(server: String)

  /// The reason why no form can be shown without a terminal.
  package enum Failure: Error, Hashable, Sendable {
    /// No browser can be opened: there is no display, and no other browser is named.
    case noBrowser
    /// The program that serves the page is not installed.
    case noServer
  }

  /// Chooses the terminal, or else the page.
  ///
  /// - Parameters:
  ///   - hasTerminal: Whether the process can ask the user on its terminal.
  ///   - machine: The environment.
  ///   - program: The path of the program that starts the server; nil for that of the process.
  /// - Throws: ``Failure``.
  package init(
    hasTerminal: Bool, machine: Machine, startedBy program: String? = nil
  ) throws(Failure) {
    guard !hasTerminal else {
      self = .terminal
      return
    }
    guard Browser(machine: machine) != nil else { throw .noBrowser }
    guard let server = machine.pageServer(startedBy: program) else { throw .noServer }
    self = .page(server: server)
  }
}

extension Machine {
  /// The path of the program that serves pages: beside another program, or in `PATH`.
  ///
  /// - Parameter program: The path of the other program; nil for that of the process.
  /// - Returns: The path; nil if the program is not found.
  package func pageServer(startedBy program: String? = nil) -> String? {
    companion("epact-serve", of: program.map { PathResolver.canonical($0) })
  }
}

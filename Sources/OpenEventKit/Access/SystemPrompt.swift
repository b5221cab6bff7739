// SPDX-License-Identifier: Apache-2.0

package import Epact

/// Asks the user with a dialog of the desktop if there is a display, or else on the terminal.
package struct SystemPrompt: ProgramPrompt {
  private let dialog: DialogPrompt
  private let terminal: TerminalPrompt

  /// Creates a prompt.
  ///
  /// - Parameters:
  ///   - machine: The machine with the environment.
  ///   - terminal: The path of the terminal; by default that of the process.
  package init(machine: Machine, terminal: String = "/dev/tty") {
    dialog = DialogPrompt(machine: machine)
    self.terminal = TerminalPrompt(path: terminal)
  }

  package var canAsk: Bool { dialog.canAsk || terminal.canAsk }

  package func ask(_ question: ProgramQuestion) throws -> ProgramAnswer? {
    dialog.canAsk ? try dialog.ask(question) : try terminal.ask(question)
  }
}

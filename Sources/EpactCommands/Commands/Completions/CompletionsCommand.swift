// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact completions`: prints a completion script.
struct CompletionsCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print the completion script for a shell.",
    discussion: """
      The script completes commands, options and their values, files, and the names of calendars, \
      remotes, syncs, runs and time zones. It is installed in this way:

        bash   epact completions bash > ~/.local/share/bash-completion/completions/epact
        zsh    epact completions zsh > ~/.zfunc/_epact, with ~/.zfunc in $fpath before compinit
        fish   epact completions fish > ~/.config/fish/completions/epact.fish
      """)

  /// A shell with a completion script.
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  @Argument(help: ArgumentHelp("The shell: bash, zsh or fish.", valueName: "shell"))
  var shell: Shell

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let kind: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    context.console.write(Array((EpactCommand.completionScript(for: kind) + "\n").utf8))
    return .done
  }
}

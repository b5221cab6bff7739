// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import CivilTime
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

/// Shell completions of arguments.
///
/// The generated scripts call the program for names. It reads the configuration given on the
/// incomplete command line, and returns no names if it cannot read the configuration.
extension CompletionKind {
  /// The names of syncs.
  static var syncNames: CompletionKind {
    .custom { words, _, _ in CompletionNames(words).configuration?.syncNames ?? [] }
  }

  /// The numbers of runs, newest first.
  static var runs: CompletionKind {
    .custom { words, _, _ in History.numbers(machine: CompletionNames(words).machine) }
  }

  /// The names of syncs, and the numbers of runs.
  static var syncsAndRuns: CompletionKind {
    .custom { words, _, _ in
      let names = CompletionNames(words)
      let syncs = names.configuration?.syncNames ?? []
      return syncs + ["import"] + History.numbers(machine: names.machine)
    }
  }

  /// The names of remotes.
  static var remoteNames: CompletionKind {
    .custom { words, _, _ in
      CompletionNames(words).configuration?.grantNames ?? []
    }
  }

  /// The names of calendars, and paths.
  static var calendars: CompletionKind {
    .custom { words, _, prefix in
      let names = CompletionNames(words)
      let calendars = names.configuration?.calendars.keys.sorted() ?? []
      return calendars + FileSource.paths(beginningWith: prefix, on: names.machine)
    }
  }

  /// The names of time zones.
  static var zoneNames: CompletionKind {
    .custom { words, _, _ in CompletionNames(words).machine.zones.names.sorted() }
  }
}

/// The source of completions.
private struct CompletionNames {
  let machine = Machine.live()
  private let words: [String]

  /// Takes the words of the incomplete command line.
  init(_ words: [String]) {
    self.words = words
  }

  /// The configuration given on the command line, or nil if it cannot be read.
  var configuration: Configuration? {
    var option: String?
    for (index, word) in words.enumerated() {
      if word.hasPrefix("--config=") { option = String(word.dropFirst(9)) }
      if word == "--config", index + 1 < words.count { option = words[index + 1] }
    }
    return try? ConfigurationFile(option, machine: machine).load()
  }
}

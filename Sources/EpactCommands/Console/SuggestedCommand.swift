// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
import Epact

/// A suggested call of this program in a message, to be copied into a shell.
///
/// All commands in messages are created here; a test passes each of them to the command line
/// parser.
package struct SuggestedCommand: Hashable, Sendable {
  private let words: [String]
  private let operands: [String]
  private let options: [Option]

  private struct Option: Hashable, Sendable {
    let name: String
    let value: String?
  }

  private init(
    _ words: String..., operands: [String] = [], options: KeyValuePairs<String, String?> = [:]
  ) {
    self.words = words
    self.operands = operands
    self.options = options.map { Option(name: $0.key, value: $0.value) }
  }

  /// The command line.
  ///
  /// - Parameter configuration: The path given with `--config`, which the suggested call needs,
  ///   too.
  /// - Returns: The command line, with words quoted for a shell.
  package func line(configuration: String? = nil) -> String {
    let all = options + (configuration.map { [Option(name: "--config", value: $0)] } ?? [])
    let choices = all.flatMap { option in
      guard let value = option.value else { return [option.name] }
      // The parser would interpret a separate value with a leading hyphen as an option.
      return value.hasPrefix("-") ? ["\(option.name)=\(value)"] : [option.name, value]
    }
    let isHyphenated = operands.contains { $0.hasPrefix("-") && $0 != "-" }
    let rest = isHyphenated ? choices + ["--"] + operands : operands + choices
    return (["epact"] + words + rest.map { ShellWord($0).description }).joined(separator: " ")
  }
}

// MARK: Syncs

extension SuggestedCommand {
  /// Runs all syncs.
  package static var sync: SuggestedCommand { SuggestedCommand("sync") }

  /// Runs a sync that a safeguard stopped.
  package static func sync(_ name: String, allowDelete number: Int) -> SuggestedCommand {
    SuggestedCommand("sync", operands: [name], options: ["--allow-delete": String(number)])
  }

  /// Installs the nightly schedule.
  package static var scheduleInstall: SuggestedCommand { SuggestedCommand("schedule", "install") }

  /// Installs the nightly schedule without systemd.
  package static var scheduleInstallCron: SuggestedCommand {
    SuggestedCommand("schedule", "install", options: ["--cron": nil])
  }

  /// Removes the nightly schedule.
  package static var scheduleRemove: SuggestedCommand { SuggestedCommand("schedule", "remove") }

  /// Lists the runs.
  package static var history: SuggestedCommand { SuggestedCommand("history") }

  /// Shows a run.
  package static func history(_ run: RunID) -> SuggestedCommand {
    SuggestedCommand("history", operands: [String(run.rawValue)])
  }
}

// MARK: Conflicts

extension SuggestedCommand {
  /// Lists the conflicts of all syncs, or of one.
  package static func conflicts(of sync: String? = nil) -> SuggestedCommand {
    sync.map { SuggestedCommand("conflicts", options: ["--sync": $0]) }
      ?? SuggestedCommand("conflicts")
  }

  /// Shows a conflict.
  package static func conflict(_ uid: UID) -> SuggestedCommand {
    SuggestedCommand("conflicts", operands: [uid.rawValue])
  }

  /// Resolves a conflict with the local version.
  package static func settle(_ uid: UID) -> SuggestedCommand {
    SuggestedCommand("conflicts", operands: [uid.rawValue], options: ["--take": "local"])
  }
}

// MARK: Access and configuration

extension SuggestedCommand {
  /// Grants access to a remote; the default purpose is a placeholder.
  package static func grant(
    _ tier: AccessTier, to remote: String, purpose: String = Purpose.placeholder,
    isConfirmed: Bool = false
  ) -> SuggestedCommand {
    isConfirmed
      ? SuggestedCommand(
        "access", operands: [remote],
        options: ["--grant": tier.rawValue, "--purpose": purpose, "--yes": nil])
      : SuggestedCommand(
        "access", operands: [remote], options: ["--grant": tier.rawValue, "--purpose": purpose])
  }

  /// Creates a configuration.
  package static var initialize: SuggestedCommand { SuggestedCommand("init") }

  /// Creates a configuration for a server with a custom certificate.
  package static var initializeWithCertificates: SuggestedCommand {
    SuggestedCommand("init", options: ["--ca-file": "FILE"])
  }

  /// Finds problems that prevent syncs.
  package static var doctor: SuggestedCommand { SuggestedCommand("doctor") }

  /// Checks a file or a folder.
  package static func check(_ path: String) -> SuggestedCommand {
    SuggestedCommand("check", operands: [path])
  }

  /// Converts a file to iCalendar.
  package static func convert(_ path: String) -> SuggestedCommand {
    SuggestedCommand("convert", operands: [path], options: ["--to": "ics"])
  }
}

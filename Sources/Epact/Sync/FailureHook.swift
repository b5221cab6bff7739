// SPDX-License-Identifier: Apache-2.0

/// Runs the configured `on-failure` command for a non-zero exit status.
///
/// The command gets the name of the sync, the exit status and the message. It inherits only the
/// environment variables for paths, languages and the desktop, because other variables may contain
/// passwords.
package struct FailureHook: Sendable {
  /// The time limit of the command, in seconds.
  private static let timeLimit = 60.0
  /// The maximum output of the command, in bytes; the output is not shown.
  private static let outputLimit = 1 << 20
  /// The maximum length of the message, in bytes.
  private static let messageLimit = 4096
  /// The inherited variables.
  private static let variables: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "DISPLAY",
    "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME",
    "DBUS_SESSION_BUS_ADDRESS",
  ]

  /// The command: its name or path, followed by its arguments.
  private let words: [String]
  private let machine: Machine

  /// Creates the hook from the command in a configuration.
  package init(words: [String], machine: Machine) {
    self.words = words
    self.machine = machine
  }

  /// Runs the command.
  ///
  /// - Parameters:
  ///   - sync: The name of the sync, or empty for all syncs.
  ///   - status: The exit status.
  ///   - message: The message on one line.
  /// - Throws: `EpactError` if the command is not trusted or fails.
  package func run(sync: String, status: Int32, message: String) throws(EpactError) {
    var environment = machine.environment.filter { name, _ in
      Self.variables.contains(name) || name.hasPrefix("LC_")
    }
    environment["EPACT_SYNC"] = Self.plain(sync)
    environment["EPACT_STATUS"] = String(status)
    environment["EPACT_MESSAGE"] = Self.plain(message)
    let process = Subprocess(
      words: words, environment: environment, timeLimit: Self.timeLimit,
      outputLimit: Self.outputLimit, stopwatch: machine.stopwatch)
    if words[0].contains("/") {
      try FileTrust(machine, isStrict: false).expect(words[0], "on-failure command")
    }
    do {
      _ = try process.output()
    } catch let error as Subprocess.Failure {
      throw EpactError(.failed, "the on-failure command, \(words[0]), \(error.reason)")
    } catch {
      throw EpactError(.interrupted, "the on-failure command, \(words[0]), was stopped")
    }
  }

  /// The text on one line, without control characters.
  private static func plain(_ text: String) -> String {
    let line = SafeText.escaped(text.replacing("\n", with: " "))
    return String(decoding: line.utf8.prefix(messageLimit), as: UTF8.self)
  }
}

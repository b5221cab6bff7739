// SPDX-License-Identifier: Apache-2.0

import Epact

/// Runs the configured `on-failure` command for a non-zero exit status.
///
/// The command gets the name of the sync, the exit status and the message. It inherits only the
/// environment variables for paths, languages and the desktop, because other variables may contain
/// passwords.
struct FailureHook: Sendable {
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
  let words: [String]
  let context: Context

  /// Runs the command; its failure is only reported.
  ///
  /// - Parameters:
  ///   - sync: The name of the sync, or empty for all syncs.
  ///   - status: The exit status.
  ///   - message: The message on one line.
  func run(sync: String, status: ExitStatus, message: ConsoleText) {
    var environment = context.machine.environment.filter { name, _ in
      Self.variables.contains(name) || name.hasPrefix("LC_")
    }
    environment["EPACT_SYNC"] = Self.plain(sync)
    environment["EPACT_STATUS"] = String(status.rawValue)
    environment["EPACT_MESSAGE"] = Self.plain(context.console.plain(message))
    let process = Subprocess(
      words: words, environment: environment, timeLimit: Self.timeLimit,
      outputLimit: Self.outputLimit, stopwatch: context.machine.stopwatch)
    do {
      if words[0].contains("/") {
        try FileTrust(context.machine, isStrict: false).expect(words[0], "on-failure command")
      }
      _ = try process.output()
    } catch let error as EpactError {
      context.console.warn(Failure(describing: error).line)
    } catch let error as Subprocess.Failure {
      context.console.warn("the on-failure command, \(words[0]), \(error.reason)")
    } catch {
      context.console.warn("the on-failure command, \(words[0]), was stopped")
    }
  }

  /// The text on one line, without control characters.
  private static func plain(_ text: String) -> String {
    let line = SafeText.escaped(text.replacing("\n", with: " "))
    return String(decoding: line.utf8.prefix(messageLimit), as: UTF8.self)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Runs the `on-failure` command of the configuration for what did not end with 0.
///
/// The command learns which sync it is about and how it ended, and nothing else of this program's
/// environment than what finding files, languages and a desktop takes: variables may hold passwords.
struct FailureHook: Sendable {
  /// How long the command may take, in seconds.
  private static let timeLimit = 60.0
  /// How much it may print, in bytes; it is not shown.
  private static let outputLimit = 1 << 20
  /// The longest message that is handed over, in bytes.
  private static let messageLimit = 4096
  /// The variables that are handed on.
  private static let variables: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "DISPLAY",
    "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME",
    "DBUS_SESSION_BUS_ADDRESS",
  ]

  /// The command, its name or path and then its arguments.
  let words: [String]
  let context: Context

  /// Runs the command; that it fails is told, and changes nothing else.
  ///
  /// - Parameters:
  ///   - sync: The name of the sync, or nothing if it is about all of them.
  ///   - status: How it ended.
  ///   - message: What there is to say, on one line.
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
    } catch let failure as Failure {
      context.console.warn(failure.line)
    } catch let error as Subprocess.Failure {
      context.console.warn("the on-failure command, \(words[0]), \(error.reason)")
    } catch {
      context.console.warn("the on-failure command, \(words[0]), was stopped")
    }
  }

  /// The text on one line, without what controls a terminal and without a NUL.
  private static func plain(_ text: String) -> String {
    let line = SafeText.escaped(text.replacing("\n", with: " "))
    return String(decoding: line.utf8.prefix(messageLimit), as: UTF8.self)
  }
}

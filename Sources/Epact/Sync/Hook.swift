// SPDX-License-Identifier: Apache-2.0

/// A command of the user that is run when something happened, such as a failed sync.
///
/// The command is a list of words, and no shell is involved. It inherits only the environment
/// variables for paths, languages and the desktop, because other variables may contain passwords.
package struct Hook: Sendable {
  /// The time limit of the command, in seconds.
  private static let timeLimit = 60.0
  /// The maximum output of the command, in bytes; the output is not shown.
  private static let outputLimit = 1 << 20
  /// The maximum length of a variable, in bytes.
  private static let variableLimit = 4096
  /// The name of the hook in messages, such as `on-failure`.
  private let name: String
  /// The command: its name or path, followed by its arguments.
  private let words: [String]
  private let machine: Machine

  /// Creates a hook.
  ///
  /// - Parameters:
  ///   - name: The name in messages, such as `on-failure`.
  ///   - words: The command: its name or path, followed by its arguments.
  ///   - machine: The machine with the environment.
  package init(_ name: String, words: [String], machine: Machine) {
    self.name = name
    self.words = words
    self.machine = machine
  }

  /// Runs the command.
  ///
  /// - Parameters:
  ///   - variables: The variables to add to the environment, each on one line.
  ///   - arguments: The arguments to append.
  ///   - input: The standard input.
  /// - Throws: `EpactError` if the command is not trusted or fails.
  package func run(
    _ variables: KeyValuePairs<String, String>, appending arguments: [String] = [],
    input: String = ""
  ) throws(EpactError) {
    var environment = machine.plainEnvironment
    for (name, value) in variables { environment[name] = Self.plain(value) }
    var process = Subprocess(
      words: words + arguments, environment: environment, timeLimit: Self.timeLimit,
      outputLimit: Self.outputLimit, stopwatch: machine.stopwatch)
    process.input = Array(input.utf8)
    if words[0].contains("/") {
      try FileTrust(machine, isStrict: false).expect(words[0], "\(name) command")
    }
    do {
      _ = try process.output()
    } catch let error as Subprocess.Failure {
      throw EpactError(.failed, "the \(name) command, \(words[0]), \(error.reason)")
    } catch {
      throw EpactError(.interrupted, "the \(name) command, \(words[0]), was stopped")
    }
  }

  /// The text on one line, without control characters.
  private static func plain(_ text: String) -> String {
    let line = SafeText.escaped(text.replacing("\n", with: " "))
    return String(decoding: line.utf8.prefix(variableLimit), as: UTF8.self)
  }
}

extension Machine {
  /// The inherited variables of programs that need no secrets.
  private static let plainVariables: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "DISPLAY",
    "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME",
    "XDG_CACHE_HOME", "DBUS_SESSION_BUS_ADDRESS",
  ]

  /// The variables for paths, languages and the desktop; others may contain passwords.
  var plainEnvironment: [String: String] {
    environment.filter { Self.plainVariables.contains($0.key) || $0.key.hasPrefix("LC_") }
  }
}

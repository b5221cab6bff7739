// SPDX-License-Identifier: Apache-2.0

import Epact
import CalendarStore
import Glibc

/// The user's systemd timer: a service and a timer in `~/.config/systemd/user`.
struct SystemdTimer: Sendable {
  /// The first line of the files written by this program.
  private static let mark = "# Written by epact schedule; what is changed here is overwritten."
  private static let sizeLimit = 1 << 16
  /// The time limit of `systemctl`, in seconds.
  private static let timeLimit = 30.0

  let context: Context

  private var folder: String {
    let machine = context.machine
    let base = machine.environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (base ?? machine.homeFolder + "/.config") + "/systemd/user"
  }

  private var servicePath: String { folder + "/epact.service" }
  private var timerPath: String { folder + "/epact.timer" }

  /// Writes the files and starts the timer; files with the same contents are not rewritten.
  ///
  /// - Throws: `Failure` if a file is not from this program, or if systemd does not start the
  ///   timer.
  func install(_ job: ScheduledJob, isDryRun: Bool) throws {
    let files = [(servicePath, Self.service(job)), (timerPath, Self.timer(job))]
    if isDryRun {
      for (path, text) in files {
        context.console.show("\("# \(path)", .dim)\n\(ConsoleText(lines: text))")
      }
      return
    }
    var hasChanged = false
    for (path, text) in files {
      let present = try read(path)
      if present == text { continue }
      try checkOwn(present, path)
      try PrivateFolder.make(folder)
      try AtomicFile.write(Array(text.utf8), to: path, permissions: .shared)
      hasChanged = true
    }
    if hasChanged { try systemctl(["daemon-reload"]) }
    try systemctl(["enable", "--now", "epact.timer"])
    // A running timer keeps its old time until it is restarted.
    if hasChanged { try systemctl(["restart", "epact.timer"]) }
    context.console.say("The timer \(hasChanged ? "is" : "was") installed: \(job.times).")
    if linger == false {
      context.console.note(
        "It runs while you are logged in; to let it run always: loginctl enable-linger")
    }
  }

  /// Stops the timer and removes the files.
  ///
  /// - Returns: Whether there was a timer.
  /// - Throws: `Failure` if a file is not from this program.
  func remove() throws -> Bool {
    let paths = [timerPath, servicePath]
    var isThere = false
    for path in paths {
      guard let text = try read(path) else { continue }
      try checkOwn(text, path)
      isThere = true
    }
    guard isThere else { return false }
    // The files are removed even if the timer is already stopped or systemd is no longer installed.
    _ = try? systemctl(["disable", "--now", "epact.timer"])
    for path in paths where unsafe unlink(path) != 0 && errno != ENOENT {
      throw Failure(.nothingDone, "cannot remove \(path): \(SystemError())")
    }
    _ = try? systemctl(["daemon-reload"])
    context.console.say("The timer is removed.")
    return true
  }

  /// The installed timer, regardless of its origin; nil if there is none.
  func installed() throws -> InstalledJob? {
    guard let text = try read(timerPath) else { return nil }
    func value(_ key: String) -> String? {
      text.split(separator: "\n").first { $0.hasPrefix(key + "=") }
        .map { String($0.dropFirst(key.count + 1)) }
    }
    guard let clock = value("OnCalendar")?.split(separator: " ").last,
      let time = ScheduleTime(
        argument: clock.split(separator: ":").prefix(2).joined(separator: ":"))
    else {
      throw Failure(.nothingDone, "the time in \(timerPath) was not written here, and is not known")
    }
    let delay = value("RandomizedDelaySec").flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    return InstalledJob(
      kind: "systemd", place: timerPath, time: time, delay: delay,
      isActive: try? answer(["is-active", "epact.timer"]) == "active")
  }

  // MARK: Files

  private static func service(_ job: ScheduledJob) -> String {
    """
    \(mark)
    [Unit]
    Description=Reconcile calendars

    [Service]
    Type=oneshot
    ExecStart=\(job.words.map(word).joined(separator: " "))
    Nice=10

    """
  }

  private static func timer(_ job: ScheduledJob) -> String {
    """
    \(mark)
    [Unit]
    Description=Reconcile calendars every night

    [Timer]
    OnCalendar=*-*-* \(job.time):00
    RandomizedDelaySec=\(job.delay)min
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
  }

  /// A word of a command in systemd syntax, quoted and with specifiers and variables escaped.
  private static func word(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\\(scalar)"
      case "%": result += "%%"
      case "$": result += "$$"
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    let isPlain =
      result == text && !text.isEmpty
      && !text.contains { $0.isWhitespace || $0 == "'" || $0 == ";" }
    return isPlain ? text : "\"\(result)\""
  }

  private func read(_ path: String) throws -> String? {
    var file: InputStream
    do {
      file = try InputStream(path: path)
    } catch  where [ENOENT, ENOTDIR].contains(error.code) {
      return nil
    } catch {
      throw Failure(.nothingDone, "cannot read \(path): \(error)")
    }
    guard let bytes = try file.readAll(limit: Self.sizeLimit) else {
      throw Failure(.nothingDone, "\(path) is too large for a unit of systemd")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func checkOwn(_ text: String?, _ path: String) throws(Failure) {
    guard let text, !text.hasPrefix(Self.mark) else { return }
    throw Failure(
      .nothingDone, "\(path) was not written by epact, and is left as it is",
      hint: "If it is not needed any more, remove it first.")
  }

  // MARK: systemd

  private func systemctl(_ words: [String]) throws {
    do {
      _ = try process(["systemctl", "--user"] + words).output()
    } catch let error as Subprocess.Failure {
      let command = "systemctl --user \(words.joined(separator: " "))"
      throw Failure(
        .unavailable, "the files are written, but \(command) \(error.reason)",
        hint:
          "Without systemd: \(SuggestedCommand.scheduleRemove); \(SuggestedCommand.scheduleInstallCron)"
      )
    }
  }

  private func answer(_ words: [String]) throws -> String {
    do {
      return Self.line(try process(["systemctl", "--user"] + words).output())
    } catch Subprocess.Failure.exited {
      return ""
    }
  }

  /// Whether systemd runs the user's services without a login session; nil if unknown.
  private var linger: Bool? {
    let words = ["loginctl", "show-user", context.machine.userName(), "-p", "Linger", "--value"]
    guard let bytes = try? process(words).output() else { return nil }
    return Self.line(bytes) == "yes"
  }

  private func process(_ words: [String]) -> Subprocess {
    Subprocess(
      words: words, environment: context.machine.environment, timeLimit: Self.timeLimit,
      outputLimit: Self.sizeLimit, stopwatch: context.machine.stopwatch)
  }

  private static func line(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }
}

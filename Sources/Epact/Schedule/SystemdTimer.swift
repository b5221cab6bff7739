// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Glibc

/// The user's systemd timer: a service and a timer in `~/.config/systemd/user`.
package struct SystemdTimer: Sendable {
  /// The first line of the files written by this program.
  private static let mark = "# Written by epact schedule; what is changed here is overwritten."
  private static let sizeLimit = 1 << 16
  /// The time limit of `systemctl`, in seconds.
  private static let timeLimit = 30.0

  private let machine: Machine

  /// Creates an instance for a machine.
  package init(machine: Machine) {
    self.machine = machine
  }

  private var folder: String { machine.configurationFolder + "/systemd/user" }

  private var servicePath: String { folder + "/epact.service" }
  private var timerPath: String { folder + "/epact.timer" }

  /// The files that ``install(_:)`` writes.
  package func files(for job: ScheduledJob) -> [(path: String, text: String)] {
    [(servicePath, Self.service(job)), (timerPath, Self.timer(job))]
  }

  /// Writes the files and starts the timer; files with the same contents are not rewritten.
  ///
  /// - Returns: Whether a file has changed.
  /// - Throws: `EpactError` if a file is not from this program, or if systemd does not start the
  ///   timer.
  package func install(_ job: ScheduledJob) throws -> Bool {
    var hasChanged = false
    for (path, text) in files(for: job) {
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
    return hasChanged
  }

  /// Stops the timer and removes the files.
  ///
  /// - Returns: Whether there was a timer.
  /// - Throws: `EpactError` if a file is not from this program.
  package func remove() throws -> Bool {
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
      throw EpactError(.failed, "cannot remove \(path): \(SystemError())")
    }
    _ = try? systemctl(["daemon-reload"])
    return true
  }

  /// The installed timer, regardless of its origin; nil if there is none.
  package func installed() throws -> InstalledJob? {
    guard let text = try read(timerPath) else { return nil }
    func value(_ key: String) -> String? {
      text.split(separator: "\n").first { $0.hasPrefix(key + "=") }
        .map { String($0.dropFirst(key.count + 1)) }
    }
    guard let clock = value("OnCalendar")?.split(separator: " ").last,
      let time = ScheduleTime(
        parsing: clock.split(separator: ":").prefix(2).joined(separator: ":"))
    else {
      throw EpactError(.failed, "the time in \(timerPath) was not written here, and is not known")
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
      throw EpactError(.failed, "cannot read \(path): \(error)")
    }
    guard let bytes = try file.readAll(limit: Self.sizeLimit) else {
      throw EpactError(.failed, "\(path) is too large for a unit of systemd")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func checkOwn(_ text: String?, _ path: String) throws(EpactError) {
    guard let text, !text.hasPrefix(Self.mark) else { return }
    throw EpactError(
      .failed, "\(path) was not written by epact, and is not changed",
      subject: path,
      remedy: .other("If it is not needed any more, remove it first."))
  }

  // MARK: systemd

  private func systemctl(_ words: [String]) throws {
    do {
      _ = try process(["systemctl", "--user"] + words).output()
    } catch let error as Subprocess.Failure {
      let command = "systemctl --user \(words.joined(separator: " "))"
      throw EpactError(
        .unavailable, "the files are written, but \(command) \(error.reason)",
        remedy: .scheduleWithCron)
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
  package var linger: Bool? {
    let words = ["loginctl", "show-user", machine.userName(), "-p", "Linger", "--value"]
    guard let bytes = try? process(words).output() else { return nil }
    return Self.line(bytes) == "yes"
  }

  private func process(_ words: [String]) -> Subprocess {
    Subprocess(
      words: words, environment: machine.environment, timeLimit: Self.timeLimit,
      outputLimit: Self.sizeLimit, stopwatch: machine.stopwatch)
  }

  private static func line(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }
}

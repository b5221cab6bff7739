// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarStore
import Glibc

/// The user's systemd units in `~/.config/systemd/user`: a timer with its service, or a service
/// that watches.
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
  private var watchPath: String { folder + "/\(Self.watchUnit)" }

  private static let timerUnit = "epact.timer"
  private static let watchUnit = "epact-watch.service"

  /// The files that ``install(_:)`` writes.
  package func files(for job: ScheduledJob) -> [(path: String, text: String)] {
    if job.times == .always { return [(watchPath, Self.watchService(job))] }
    return [(servicePath, Self.service(job)), (timerPath, Self.timer(job))]
  }

  /// Writes the files and starts the unit; files with the same contents are not rewritten.
  ///
  /// The timer replaces the watching service, and vice versa.
  ///
  /// - Returns: Whether a file has changed.
  /// - Throws: `EpactError` if a file is not from this program, or if systemd does not start the
  ///   unit.
  package func install(_ job: ScheduledJob) throws -> Bool {
    var hasChanged = false
    let isWatch = job.times == .always
    let unit = isWatch ? Self.watchUnit : Self.timerUnit
    for (path, text) in files(for: job) {
      let present = try read(path)
      if present == text { continue }
      try checkOwn(present, path)
      try PrivateFolder.make(folder)
      try AtomicFile.write(Array(text.utf8), to: path, permissions: .shared)
      hasChanged = true
    }
    let hadOther =
      try isWatch
      ? remove(Self.timerUnit, [timerPath, servicePath]) : remove(Self.watchUnit, [watchPath])
    if hasChanged || hadOther { try systemctl(["daemon-reload"]) }
    try systemctl(["enable", "--now", unit])
    // A running unit keeps its old settings until it is restarted.
    if hasChanged { try systemctl(["restart", unit]) }
    return hasChanged
  }

  /// Stops the units and removes the files.
  ///
  /// - Returns: Whether there was a unit.
  /// - Throws: `EpactError` if a file is not from this program.
  package func remove() throws -> Bool {
    let hadTimer = try remove(Self.timerUnit, [timerPath, servicePath])
    let hadWatch = try remove(Self.watchUnit, [watchPath])
    guard hadTimer || hadWatch else { return false }
    _ = try? systemctl(["daemon-reload"])
    return true
  }

  private func remove(_ unit: String, _ paths: [String]) throws -> Bool {
    var isThere = false
    for path in paths {
      guard let text = try read(path) else { continue }
      try checkOwn(text, path)
      isThere = true
    }
    guard isThere else { return false }
    // The files are removed even if the unit is already stopped or systemd is no longer installed.
    _ = try? systemctl(["disable", "--now", unit])
    for path in paths where unsafe unlink(path) != 0 && errno != ENOENT {
      throw EpactError(.failed, "cannot remove \(path): \(SystemError())")
    }
    return true
  }

  /// The installed unit, regardless of its origin; nil if there is none.
  package func installed() throws -> InstalledJob? {
    guard let text = try read(timerPath) else {
      guard try read(watchPath) != nil else { return nil }
      return InstalledJob(
        kind: "systemd", place: watchPath, times: .always, delay: 0,
        isActive: isActive(Self.watchUnit))
    }
    func value(_ key: String) -> String? {
      text.split(separator: "\n").first { $0.hasPrefix(key + "=") }
        .map { String($0.dropFirst(key.count + 1)) }
    }
    guard let times = value("OnCalendar").flatMap(Self.times) else {
      throw EpactError(.failed, "the time in \(timerPath) was not written here, and is not known")
    }
    let delay = value("RandomizedDelaySec").flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    return InstalledJob(
      kind: "systemd", place: timerPath, times: times, delay: delay,
      isActive: isActive(Self.timerUnit))
  }

  private func isActive(_ unit: String) -> Bool? {
    try? answer(["is-active", unit]) == "active"
  }

  // MARK: Times

  /// The times in systemd's syntax of calendar events.
  private static func calendar(_ times: ScheduleTimes) -> String {
    switch times {
    case .daily(let time): "*-*-* \(time):00"
    case .every(let minutes) where minutes < 60: "*-*-* *:0/\(minutes):00"
    case .every(let minutes): "*-*-* 0/\(minutes / 60):00:00"
    // The watching service has no timer.
    case .always: "*:*"
    }
  }

  /// The times of a calendar event that ``calendar(_:)`` wrote, or of a time of day.
  private static func times(_ text: String) -> ScheduleTimes? {
    let parts = (text.split(separator: " ").last ?? "").split(separator: ":")
    guard parts.count >= 2 else { return nil }
    if parts[0] == "*", parts[1].hasPrefix("0/") {
      return Int(parts[1].dropFirst(2)).map { .every(minutes: $0) }
    }
    if parts[0].hasPrefix("0/") {
      return Int(parts[0].dropFirst(2)).map { .every(minutes: $0 * 60) }
    }
    return ScheduleTime(parsing: parts.prefix(2).joined(separator: ":")).map { .daily($0) }
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

  private static func watchService(_ job: ScheduledJob) -> String {
    """
    \(mark)
    [Unit]
    Description=Reconcile calendars \(job.times)

    [Service]
    Type=exec
    ExecStart=\(job.words.map(word).joined(separator: " "))
    Restart=on-failure
    RestartSec=1min
    Nice=10

    [Install]
    WantedBy=default.target

    """
  }

  private static func timer(_ job: ScheduledJob) -> String {
    """
    \(mark)
    [Unit]
    Description=Reconcile calendars \(job.times)

    [Timer]
    OnCalendar=\(calendar(job.times))
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

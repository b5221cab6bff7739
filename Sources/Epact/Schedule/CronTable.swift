// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Glibc

/// The entry in the user's crontab, below a line that identifies it.
package struct CronTable: Sendable {
  private static let mark = "# epact schedule: this line and the next belong together"
  private static let sizeLimit = 1 << 20
  /// The time limit of `crontab`, in seconds.
  private static let timeLimit = 30.0

  private let machine: Machine

  /// Creates an instance for a machine.
  package init(machine: Machine) {
    self.machine = machine
  }

  /// The lines that ``install(_:)`` writes.
  package func text(of job: ScheduledJob) -> String { "\(Self.mark)\n\(entry(job))" }

  /// Writes the entry, replacing an earlier one.
  ///
  /// - Returns: Whether the crontab has changed.
  /// - Throws: `EpactError`.
  package func install(_ job: ScheduledJob) throws -> Bool {
    let lines = try lines()
    let wanted = Self.without(lines) + [Self.mark, entry(job)]
    guard lines != wanted else { return false }
    try write(wanted)
    return true
  }

  /// Removes the entry.
  ///
  /// - Returns: Whether there was an entry.
  /// - Throws: `EpactError`.
  package func remove() throws -> Bool {
    let lines = try lines()
    let rest = Self.without(lines)
    guard rest != lines else { return false }
    try write(rest)
    return true
  }

  /// The installed entry; nil if there is none or crontab cannot be read.
  package func installed() -> InstalledJob? {
    guard let lines = try? lines(), let index = lines.firstIndex(of: Self.mark),
      index + 1 < lines.count
    else { return nil }
    let words = lines[index + 1].split(separator: " ")
    guard words.count > 5, let times = Self.times(words[0], words[1]) else { return nil }
    let delay = words.firstRange(of: ["\\%"]).flatMap { range in
      range.upperBound < words.count ? Int(words[range.upperBound].prefix { $0.isNumber }) : nil
    }
    return InstalledJob(
      kind: "cron", place: "crontab", times: times, delay: delay.map { $0 / 60 } ?? 0,
      isActive: nil
    ).calling(lines[index + 1])
  }

  /// The fields of minutes and hours.
  private static func fields(_ times: ScheduleTimes) -> String {
    switch times {
    case .daily(let time): "\(time.minute) \(time.hour)"
    case .every(let minutes) where minutes < 60: "*/\(minutes) *"
    case .every(let minutes): "0 */\(minutes / 60)"
    case .always: "* *"
    }
  }

  private static func times(_ minutes: Substring, _ hours: Substring) -> ScheduleTimes? {
    if let minute = Int(minutes), let hour = Int(hours) {
      return .daily(ScheduleTime(hour: hour, minute: minute))
    }
    if minutes.hasPrefix("*/"), let number = Int(minutes.dropFirst(2)) {
      return .every(minutes: number)
    }
    return hours.hasPrefix("*/") ? Int(hours.dropFirst(2)).map { .every(minutes: $0 * 60) } : nil
  }

  /// The crontab line; an unescaped percent sign would end it.
  private func entry(_ job: ScheduledJob) -> String {
    let command = machine.keepingFolders(job.words).map { ShellWord($0).description }.joined(
      separator: " "
    )
    .replacing("%", with: "\\%")
    let pause =
      job.delay > 0
      ? "sleep $(( $(od -An -N4 -tu4 /dev/urandom) \\% \(job.delay * 60) )); " : ""
    return "\(Self.fields(job.times)) * * * \(pause)\(command)"
  }

  private static func without(_ lines: [String]) -> [String] {
    guard let index = lines.firstIndex(of: mark) else { return lines }
    var rest = lines
    rest.removeSubrange(index..<min(index + 2, lines.count))
    return rest
  }

  /// The lines of the crontab; empty if there is no crontab.
  ///
  /// Only the message "no crontab" counts as an empty crontab, so that an unreadable one is not
  /// overwritten.
  private func lines() throws -> [String] {
    // The last line of a crontab may have no line end.
    let script = "crontab -l 2>&1; printf '\\nstatus %s\\n' $?"
    let output: [UInt8]
    do {
      output = try process(["sh", "-c", script]).output()
    } catch let error as Subprocess.Failure {
      throw EpactError(.failed, "crontab \(error.reason)")
    }
    var lines = String(decoding: output, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    if lines.last == "" { lines.removeLast() }
    let status = lines.popLast()
    if lines.last == "" { lines.removeLast() }
    if status == "status 0" { return lines }
    let text = lines.joined(separator: " ")
    guard status == "status 1", text.contains("no crontab") else {
      throw EpactError(.failed, "crontab cannot be read: \(text)")
    }
    return []
  }

  private func write(_ lines: [String]) throws {
    let folder = machine.stateFolder
    try PrivateFolder.make(folder)
    let path = folder + "/crontab"
    let text = lines.map { $0 + "\n" }.joined()
    try AtomicFile.write(Array(text.utf8), to: path, permissions: .secret)
    defer { unsafe unlink(path) }
    do {
      _ = try process(["crontab", path]).output()
    } catch let error as Subprocess.Failure {
      throw EpactError(.failed, "crontab \(error.reason)")
    }
  }

  private func process(_ words: [String]) -> Subprocess {
    Subprocess(
      words: words, environment: machine.environment, timeLimit: Self.timeLimit,
      outputLimit: Self.sizeLimit, stopwatch: machine.stopwatch)
  }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CivilTime
import Epact

/// A local time of day, such as `03:15`.
struct ScheduleTime: ExpressibleByArgument, CustomStringConvertible, Sendable, Hashable {
  /// The default: a time of low load.
  static let usual = ScheduleTime(hour: 3, minute: 15)

  let hour: Int
  let minute: Int

  init(hour: Int, minute: Int) {
    self.hour = hour
    self.minute = minute
  }

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ 1...2 ~= $0.utf8.count }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), 0...23 ~= hour, 0...59 ~= minute
    else { return nil }
    self.init(hour: hour, minute: minute)
  }

  var description: String {
    [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// The next occurrence of the time in a zone, such as `2026-11-22 03:15`.
  func next(after now: Instant, in zone: ZoneRules) -> String? {
    guard let today = zone.civil(at: now)?.date,
      let time = TimeOfDay(hour: hour, minute: minute)
    else { return nil }
    for days in 0...1 {
      guard let date = today.adding(days: days) else { return nil }
      guard zone.instant(of: CivilDateTime(date, time)) > now else { continue }
      let digits = [date.month, date.day].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return "\(date.year)-\(digits.joined(separator: "-")) \(self)"
    }
    return nil
  }
}

/// A scheduled sync.
struct ScheduledJob: Sendable {
  let time: ScheduleTime
  /// The maximum random delay, in minutes.
  let delay: Int
  /// The syncs to run; empty for all.
  let names: [String]
  /// The configuration path given on the command line, or nil.
  let config: String?
  /// The path of the executable.
  let executable: String

  /// The schedule as text.
  var times: String {
    "every day at \(time)" + (delay > 0 ? ", up to \(delay) min later" : "")
  }

  /// The command as words.
  var words: [String] {
    [executable, "sync", "--quiet"] + (config.map { ["--config", $0] } ?? []) + names
  }
}

/// An installed job.
struct InstalledJob: Sendable {
  /// `systemd` or `cron`.
  let kind: String
  /// The location of the job.
  let place: String
  let time: ScheduleTime
  let delay: Int
  /// Whether the job is active; nil if unknown.
  let isActive: Bool?
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CivilTime

/// A time on the clock on the wall, as `03:15`.
struct ScheduleTime: ExpressibleByArgument, CustomStringConvertible, Sendable, Hashable {
  /// When most machines and people have nothing to do.
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

  /// The next time it is so late in a zone, as `2026-11-22 03:15`.
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

/// What is to run, and when.
struct ScheduledJob: Sendable {
  let time: ScheduleTime
  /// Up to how many minutes later, by chance.
  let delay: Int
  /// The syncs to run; none for all.
  let names: [String]
  /// The configuration that was named on the command line.
  let config: String?
  /// The program's own file.
  let executable: String

  /// When it runs, for people.
  var times: String {
    "every day at \(time)" + (delay > 0 ? ", up to \(delay) min later" : "")
  }

  /// The command, word by word.
  var words: [String] {
    [executable, "sync", "--quiet"] + (config.map { ["--config", $0] } ?? []) + names
  }
}

/// A job that is installed.
struct InstalledJob: Sendable {
  /// `systemd` or `cron`.
  let kind: String
  /// Where it is written.
  let place: String
  let time: ScheduleTime
  let delay: Int
  /// Whether it is going to run; nil if that cannot be told.
  let isActive: Bool?
}

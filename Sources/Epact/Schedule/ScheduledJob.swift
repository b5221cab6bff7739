// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// A local time of day, such as `03:15`.
package struct ScheduleTime: CustomStringConvertible, Sendable, Hashable {
  /// The default: a time of low load.
  package static let usual = ScheduleTime(hour: 3, minute: 15)

  let hour: Int
  let minute: Int

  /// Creates a time from a valid hour and minute.
  package init(hour: Int, minute: Int) {
    self.hour = hour
    self.minute = minute
  }

  /// Parses a time such as `3:15`; nil if the text is none.
  package init?(parsing text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ 1...2 ~= $0.utf8.count }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), 0...23 ~= hour, 0...59 ~= minute
    else { return nil }
    self.init(hour: hour, minute: minute)
  }

  /// The hour and the minute with two digits each.
  package var description: String {
    [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// The next occurrence of the time in a zone, such as `2026-11-22 03:15`.
  package func next(after now: Instant, in zone: ZoneRules) -> String? {
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

/// The times at which a job runs.
package enum ScheduleTimes: Hashable, Sendable, CustomStringConvertible {
  /// Every day at a time.
  case daily(ScheduleTime)
  /// At an interval that divides an hour or a day, in minutes.
  case every(minutes: Int)
  /// Whenever something changes: the job watches the calendars.
  case always

  /// The shortest interval, in minutes.
  package static let shortest = 5

  /// Creates times at an interval; nil if it is shorter than five minutes, or divides neither an
  /// hour nor a day.
  ///
  /// Neither systemd's calendar nor a crontab can express other intervals.
  package init?(every span: TimeSpan) {
    let minutes = span.seconds / 60
    guard span.seconds.isMultiple(of: 60), minutes >= Self.shortest else { return nil }
    let divides = minutes <= 60 ? 60.isMultiple(of: minutes) : minutes.isMultiple(of: 60)
    guard divides, 1440.isMultiple(of: minutes) else { return nil }
    self = .every(minutes: minutes)
  }

  /// The maximum random delay, in minutes, if the user chooses none: at most a tenth of an interval.
  package var usualDelay: Int {
    switch self {
    case .daily: 20
    case .every(let minutes): min(20, minutes / 10)
    case .always: 0
    }
  }

  /// The times as text.
  package var description: String {
    switch self {
    case .daily(let time): "every day at \(time)"
    case .every(let minutes): "every \(TimeSpan(minutes: minutes))"
    case .always: "whenever something changes"
    }
  }

  /// The next time in a zone, such as `2026-11-22 03:15`; nil if it is unknown.
  package func next(after now: Instant, in zone: ZoneRules) -> String? {
    switch self {
    case .daily(let time): return time.next(after: now, in: zone)
    case .every(let minutes):
      return stride(from: 0, to: 1440, by: minutes)
        .compactMap {
          ScheduleTime(hour: $0 / 60, minute: $0 % 60).next(after: now, in: zone)
        }
        .min()
    case .always: return nil
    }
  }
}

/// A scheduled sync.
package struct ScheduledJob: Sendable {
  let times: ScheduleTimes
  /// The maximum random delay, in minutes.
  let delay: Int
  /// The syncs to run; empty for all.
  let names: [String]
  /// The configuration path given on the command line, or nil.
  let config: String?
  /// The path of the executable.
  let executable: String

  /// Creates a job.
  package init(
    times: ScheduleTimes, delay: Int, names: [String], config: String?, executable: String
  ) {
    self.times = times
    self.delay = delay
    self.names = names
    self.config = config
    self.executable = executable
  }

  /// The schedule as text.
  package var text: String { "\(times)" + (delay > 0 ? ", up to \(delay) min later" : "") }

  /// The command as words.
  var words: [String] {
    let command = times == .always ? "watch" : "sync"
    return [executable, command, "--quiet"] + (config.map { ["--config", $0] } ?? []) + names
  }
}

/// An installed job.
package struct InstalledJob: Sendable {
  /// `systemd` or `cron`.
  package let kind: String
  /// The location of the job.
  package let place: String
  package let times: ScheduleTimes
  package let delay: Int
  /// Whether the job is active; nil if unknown.
  package let isActive: Bool?
  /// The configuration path on its command line; nil for the usual one.
  package private(set) var config: String?
  /// The syncs that it runs; empty for all.
  package private(set) var names: [String] = []

  /// The job with what its command line says, as ``ScheduledJob/words`` writes it.
  func calling(_ command: String) -> InstalledJob {
    let words = ShellWord.words(in: command) ?? []
    var rest = words[(words.firstIndex(of: "--quiet").map { $0 + 1 } ?? words.endIndex)...]
    var job = self
    if rest.first == "--config" {
      job.config = rest.dropFirst().first
      rest = rest.dropFirst(2)
    }
    job.names = Array(rest)
    return job
  }
}

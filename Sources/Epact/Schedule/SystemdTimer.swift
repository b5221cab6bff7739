// SPDX-License-Identifier: Apache-2.0

/// The user's systemd units in `~/.config/systemd/user`: a timer with its service, or a service
/// that watches.
package struct SystemdTimer: Sendable {
  private let units: SystemdUnits

  /// Creates an instance for a machine.
  package init(machine: Machine) {
    units = SystemdUnits(machine: machine, remedy: .scheduleWithCron)
  }

  private var servicePath: String { units.path(of: Self.serviceUnit) }
  private var timerPath: String { units.path(of: Self.timerUnit) }
  private var watchPath: String { units.path(of: Self.watchUnit) }

  private static let serviceUnit = "epact.service"
  private static let timerUnit = "epact.timer"
  private static let watchUnit = "epact-watch.service"

  /// The files that ``install(_:)`` writes.
  package func files(for job: ScheduledJob) -> [(path: String, text: String)] {
    if job.times == .always { return [(watchPath, watchService(job))] }
    return [(servicePath, service(job)), (timerPath, Self.timer(job))]
  }

  /// Writes the files and starts the unit; files with the same contents are not rewritten.
  ///
  /// The timer replaces the watching service, and vice versa.
  ///
  /// - Returns: Whether a file has changed.
  /// - Throws: `EpactError` if a file is not from this program, or if systemd does not start the
  ///   unit.
  package func install(_ job: ScheduledJob) throws -> Bool {
    let isWatch = job.times == .always
    let unit = isWatch ? Self.watchUnit : Self.timerUnit
    let hasChanged = try units.write(files(for: job))
    let hadOther = try isWatch ? removeTimer() : removeWatch()
    if hasChanged || hadOther { try units.systemctl(["daemon-reload"]) }
    try units.systemctl(["enable", "--now", unit])
    // A running unit keeps its old settings until it is restarted.
    if hasChanged { try units.systemctl(["restart", unit]) }
    return hasChanged
  }

  /// Stops the units and removes the files.
  ///
  /// - Returns: Whether there was a unit.
  /// - Throws: `EpactError` if a file is not from this program.
  package func remove() throws -> Bool {
    let hadTimer = try removeTimer()
    let hadWatch = try removeWatch()
    guard hadTimer || hadWatch else { return false }
    _ = try? units.systemctl(["daemon-reload"])
    return true
  }

  private func removeTimer() throws -> Bool {
    try units.remove([Self.timerUnit, Self.serviceUnit], stopping: [Self.timerUnit])
  }

  private func removeWatch() throws -> Bool {
    try units.remove([Self.watchUnit], stopping: [Self.watchUnit])
  }

  /// Whether systemd runs the user's services without a login session; nil if unknown.
  package var linger: Bool? { units.linger }

  /// The installed unit, regardless of its origin; nil if there is none.
  package func installed() throws -> InstalledJob? {
    guard let text = try units.text(of: Self.timerUnit) else {
      guard let service = try units.text(of: Self.watchUnit) else { return nil }
      return InstalledJob(
        kind: "systemd", place: watchPath, times: .always, delay: 0,
        isActive: units.isActive(Self.watchUnit)
      ).calling(Self.command(in: service))
    }
    guard let times = Self.value("OnCalendar", in: text).flatMap(Self.times) else {
      throw EpactError(.failed, "the time in \(timerPath) was not written here, and is not known")
    }
    let delay =
      Self.value("RandomizedDelaySec", in: text)
      .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    let service = try units.text(of: Self.serviceUnit) ?? ""
    return InstalledJob(
      kind: "systemd", place: timerPath, times: times, delay: delay,
      isActive: units.isActive(Self.timerUnit)
    ).calling(Self.command(in: service))
  }

  private static func value(_ key: String, in text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix(key + "=") }
      .map { String($0.dropFirst(key.count + 1)) }
  }

  /// The command of a service, in which systemd's escapes are those of a shell (`SystemdUnits.word`).
  private static func command(in service: String) -> String {
    (value("ExecStart", in: service) ?? "").replacing("%%", with: "%").replacing("$$", with: "$")
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

  /// A sync that ends with conflicts did its work, and systemd reports no failed unit.
  private static let conflictsAreNoFailure = "SuccessExitStatus=3"

  private func service(_ job: ScheduledJob) -> String {
    """
    \(SystemdUnits.mark)
    [Unit]
    Description=Reconcile calendars

    [Service]
    Type=oneshot
    ExecStart=\(units.command(job.words))
    Nice=10
    \(Self.conflictsAreNoFailure)
    \(SystemdUnits.restrictions)

    """
  }

  private func watchService(_ job: ScheduledJob) -> String {
    """
    \(SystemdUnits.mark)
    [Unit]
    Description=Reconcile calendars \(job.times)

    [Service]
    Type=exec
    ExecStart=\(units.command(job.words))
    Restart=on-failure
    RestartSec=1min
    Nice=10
    \(SystemdUnits.restrictions)

    [Install]
    WantedBy=default.target

    """
  }

  private static func timer(_ job: ScheduledJob) -> String {
    """
    \(SystemdUnits.mark)
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
}

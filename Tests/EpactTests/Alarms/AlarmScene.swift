// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarStore
import CivilTime
import Epact
import Synchronization
import TestSupport

/// A calendar with alarms, and a machine whose wall clock a test controls.
struct AlarmScene: Sendable {
  static let viewer = ZoneRules(
    fixed: LocalTimeType(offset: .zero, isDaylight: false, abbreviation: "UTC"), name: "UTC")

  let folder: TemporaryFolder
  let machine: Machine
  private let clock: Mutexed<Instant>
  private let events = Mutexed<(@Sendable (MachineEvent) -> Void)?>(nil)

  /// Makes the scene with a clock in UTC.
  init(at now: String) throws {
    folder = try TemporaryFolder()
    clock = Mutexed(try Self.time(now))
    var machine = Machine.live()
    machine.environment = ["PATH": machine.environment["PATH"] ?? ""]
    (machine.homeFolder, machine.currentFolder) = (folder.path, folder.path)
    machine.now = { [clock] in clock.value.withLock(\.self) }
    machine.watch = { [events] body in
      events.value.withLock { $0 = body }
      return events
    }
    machine.pace = PatientTransport.Pace(
      now: machine.now, stopwatch: { .zero },
      // Alarms follow the clock of the test; the pause after a change of a file is a real one.
      sleep: { try await Task.sleep(for: $0 > .seconds(1) ? .seconds(1_000_000) : $0) },
      random: { .random(in: 0...1) })
    self.machine = machine
    try folder.makeFolder("home")
    try folder.write(
      """
      [calendar.home]
      path = "~/home"

      """.utf8, to: "config.toml")
  }

  static func time(_ text: String) throws -> Instant {
    Instant(utc: try CivilDateTime(parsing: text))
  }

  /// Writes an event with an alarm at its start.
  func write(_ uid: String, at start: String) throws {
    try folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:\(uid)",
        "DTSTAMP:20260101T000000Z", "DTSTART:\(start)Z", "SUMMARY:\(uid)", "BEGIN:VALARM",
        "ACTION:DISPLAY", "DESCRIPTION:\(uid)", "TRIGGER:PT0S", "END:VALARM", "END:VEVENT",
        "END:VCALENDAR",
      ], to: "home/\(uid).ics")
  }

  func text(_ uid: String) throws -> String {
    String(decoding: try folder.bytes(of: "home/\(uid).ics"), as: UTF8.self)
  }

  /// Sets the clock, and reports an event of the machine.
  func report(_ event: MachineEvent, at time: String) throws {
    let instant = try Self.time(time)
    clock.value.withLock { $0 = instant }
    events.value.withLock(\.self)?(event)
  }

  var watch: AlarmWatch {
    AlarmWatch(
      [CalendarLocation(path: folder.path(of: "home"))], viewer: Self.viewer, machine: machine)
  }
}

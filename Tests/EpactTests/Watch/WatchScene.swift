// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarStore
import Epact
import Synchronization
import TestSupport

/// A configuration with a sync of two folders, and a machine whose events and clock a test controls.
struct WatchScene: Sendable {
  static let configuration = """
    [calendar.home]
    path = "local"
    [remote.disk]
    kind = "folder"
    path = "remote"
    [[sync]]
    name = "home"
    calendar = "home"
    remote = "disk"

    """

  /// A sync of all calendars of an account with the folder `cals`.
  static let account = """
    [account.ours]
    kind = "caldav"
    url = "https://dav.example.org/"
    username = "ada"
    password-command = ["true"]
    [[sync]]
    name = "all"
    account = "ours"
    folder = "cals"

    """

  let scene: SyncScene
  let machine: Machine
  private let events: Mutexed<(@Sendable (MachineEvent) -> Void)?>
  /// The time of the machine, which continues during suspends.
  private let clock: Mutexed<Double>

  /// Makes the folders; with a controlled clock, waiting ends by events alone.
  init(isClockControlled: Bool = false) throws {
    scene = try SyncScene()
    let handler = Mutexed<(@Sendable (MachineEvent) -> Void)?>(nil)
    let uptime = Mutexed(1000.0)
    var machine = scene.machine
    machine.watch = { body in
      handler.value.withLock { $0 = body }
      return handler
    }
    if isClockControlled {
      machine.uptime = { uptime.value.withLock(\.self) }
      machine.pace = PatientTransport.Pace(
        now: machine.now, stopwatch: { .zero },
        sleep: { _ in try await Task.sleep(for: .seconds(1_000_000)) }, random: { 0.5 })
    }
    self.machine = machine
    (self.events, self.clock) = (handler, uptime)
    try scene.folder.write(Self.configuration.utf8, to: "config.toml")
  }

  var file: ConfigurationFile {
    ConfigurationFile(scene.folder.path(of: "config.toml"), machine: machine)
  }

  /// Sets the clock, and reports an event of the machine.
  func report(_ event: MachineEvent, at time: Double) {
    clock.value.withLock { $0 = time }
    events.value.withLock(\.self)?(event)
  }
}

/// A value that closures share.
final class Mutexed<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) {
    self.value = Mutex(value)
  }
}

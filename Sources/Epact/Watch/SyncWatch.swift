// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarStore
import CivilTime

/// Runs the syncs of a configuration when local files change, at an interval, after a resume from
/// suspend, and when the network has a new address.
///
/// ```swift
/// let file = ConfigurationFile(machine: machine)
/// try await SyncWatch(file, machine: machine).run { causes in
///   let result = try await SyncSet(file.load(), machine: machine).run()
///   return result.syncs.map(\.outcome).contains(.unavailable) ? .failed : .done
/// }
/// ```
///
/// - The system reports the events, so that the watch uses no processor time between runs; network
///   folders are listed every few seconds (`FolderWatch`).
/// - Files that a sync wrote start no other sync. The ledger tells them from the user's edits.
/// - Only one watch of a configuration runs at a time.
/// - ``WatchPlan`` decides when a run is due.
public struct SyncWatch: Sendable {
  /// The end of a run of the syncs.
  public enum RunEnd: Hashable, Sendable {
    /// The syncs ran, with or without problems of single items.
    case done
    /// A sync as a whole failed, and is tried again after a pause.
    case failed
  }

  /// The syncs to run; all if empty.
  private let names: [String]
  private let file: ConfigurationFile
  private let machine: Machine
  private let timing: WatchPlan.Timing

  /// Creates a watch of the syncs of a configuration.
  ///
  /// - Parameters:
  ///   - file: The configuration, which may change during the watch.
  ///   - names: The names of the syncs to run; all if empty.
  ///   - timing: The times.
  ///   - machine: The machine with the clock and the events.
  public init(
    _ file: ConfigurationFile, names: [String] = [], timing: WatchPlan.Timing = .init(),
    machine: Machine
  ) {
    self.file = file
    self.names = names
    self.timing = timing
    self.machine = machine
  }

  /// Watches until the task is cancelled; the first run is due at once.
  ///
  /// - Parameters:
  ///   - started: Called once the files are watched, before the first run.
  ///   - pausing: Called with the seconds until the next attempt, after each failed run.
  ///   - sync: Runs the syncs. An error that it throws ends the watch.
  /// - Throws: `StoreError` with the code `locked` if the configuration is watched already;
  ///   `CancellationError`; errors of `sync`.
  public func run(
    started: () -> Void = {}, pausing: (_ seconds: Double) -> Void = { _ in },
    _ sync: (Set<WatchCause>) async throws -> RunEnd
  ) async throws {
    let id = StableIdentifier(of: "watch", PathResolver.canonical(file.path)).text
    let lock = try StoreLock.acquire(
      machine.stateFolder + "/watch-\(id).lock", for: "watch", since: machine.timeOfDay())
    defer { extendLifetime(lock) }
    let bell = WatchBell<WatchCause>()
    let events = machine.watch { event in
      switch event {
      case .resumed: bell.ring(.resume)
      case .networkJoined: bell.ring(.network)
      // The clock of the plan is not affected.
      case .clockSet: break
      }
    }
    defer { extendLifetime(events) }
    var folders = WatchedFolders(file, machine)
    var plan = WatchPlan(timing, at: machine.uptime())
    var edits: LocalEdits?
    try folders.observe(ringing: bell)
    started()
    while true {
      let seconds = plan.nextRun - machine.uptime()
      if seconds > 0 {
        let causes = await bell.wait(seconds: seconds, machine.pace.sleep)
        try folders.observe(ringing: bell)
        for cause in causes where cause != .configuration || folders.isConfigurationChanged() {
          plan.note(cause, at: machine.uptime())
        }
      }
      try Task.checkCancellation()
      let now = machine.uptime()
      guard plan.nextRun <= now else { continue }
      let found = await localEdits()
      if plan.isOnlyForChanges(at: now), let found, let edits, !found.hasNew(since: edits) {
        plan.dismissChanges()
        continue
      }
      edits = found
      let end = try await sync(plan.begin(at: now))
      plan.end(
        isFailure: end == .failed, at: machine.uptime(), random: machine.pace.random())
      if end == .failed { pausing(max(0, plan.nextRun - machine.uptime())) }
    }
  }

  /// The edits that no sync has settled; nil if they cannot be found, which a run reports.
  private func localEdits() async -> LocalEdits? {
    guard let configuration = try? file.load() else { return nil }
    guard let syncs = try? configuration.syncs(named: names) else { return nil }
    return try? await LocalEdits(
      of: syncs, configuration.accountSyncs(named: names), in: configuration, machine: machine)
  }
}

/// The folders of a configuration and its calendars, and the watch of them.
private struct WatchedFolders: ~Copyable {
  private let file: ConfigurationFile
  private let machine: Machine
  private var version: FileVersion?
  private var folders: [String] = []
  private var watch: FolderWatch?

  init(_ file: ConfigurationFile, _ machine: Machine) {
    self.file = file
    self.machine = machine
    version = FileVersion(ofFileAt: file.path, at: machine.now())
  }

  /// Watches the folders, of which a changed configuration may have others.
  ///
  /// While the configuration is invalid, those of the last valid one are watched.
  ///
  /// - Throws: `StoreError` if the process has too many open files.
  mutating func observe(ringing bell: WatchBell<WatchCause>) throws(StoreError) {
    let home = CalendarLocation(path: PathResolver.canonical(file.path)).folder
    guard let configuration = try? file.load() else {
      if watch == nil { try begin([home], [], home, bell) }
      return
    }
    let calendars = Set(configuration.calendars.values.map(\.watchedFolder))
      .union(configuration.accountSyncs.map { PathResolver.canonical($0.folder) })
    let wanted = calendars.union([home]).sorted()
    guard wanted != folders else { return }
    try begin(wanted, calendars, home, bell)
  }

  private mutating func begin(
    _ wanted: [String], _ calendars: Set<String>, _ home: String, _ bell: WatchBell<WatchCause>
  ) throws(StoreError) {
    watch = try FolderWatch(wanted) { changed in
      if changed.contains(where: calendars.contains) { bell.ring(.change) }
      if changed.contains(home) { bell.ring(.configuration) }
    }
    folders = wanted
  }

  /// Whether the configuration may differ from that of the last call.
  mutating func isConfigurationChanged() -> Bool {
    let new = FileVersion(ofFileAt: file.path, at: machine.now())
    defer { version = new }
    return !new.isCertainlySame(as: version)
  }
}

extension CalendarSettings {
  /// The folder whose changes concern the calendar.
  var watchedFolder: String {
    CalendarLocation(path: PathResolver.canonical(path)).watchedFolder
  }
}

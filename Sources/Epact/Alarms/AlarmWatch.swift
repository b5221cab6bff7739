// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
public import CalendarModel
import CalendarRemotes
import CalendarStore
public import CivilTime

/// Shows alarms when they are due, until the task is cancelled.
///
/// ```swift
/// let watch = AlarmWatch(calendars, viewer: berlin, machine: machine)
/// try await watch.run { alarm, view in
///   print(alarm.alarm.occurrence.uid, alarm.isLate)
///   return true
/// }
/// ```
///
/// Changes of the calendars, of the clock and resumes from suspend are noticed. The alarms that
/// were shown are stored in the state folder before they are shown, so that none is shown twice,
/// even after a crash (``AlarmSchedule``).
public struct AlarmWatch: Sendable {
  private enum Signal: Hashable, Sendable {
    case files, clock
  }

  /// The longest time between two looks at the calendars, in seconds.
  private static let horizon: Int64 = 86_400
  /// The time to wait for further changes of files, in seconds.
  private static let settling = 1.0
  /// The number of attempts to show an alarm.
  private static let attemptLimit = 3
  /// The time between two attempts, in seconds.
  private static let attemptPause: Int64 = 60

  private let inputs: [CalendarLocation]
  private let viewer: ZoneRules
  private let options: ReadingOptions
  private let user: Set<CalendarAddress>
  private let machine: Machine

  /// Creates a watch of calendars.
  ///
  /// - Parameters:
  ///   - inputs: The calendars; not standard input.
  ///   - viewer: The viewer's time zone.
  ///   - options: The choices for reading.
  ///   - user: The user's addresses; alarms of declined events are not shown.
  ///   - machine: The machine with the clock and the events.
  public init(
    _ inputs: [CalendarLocation], viewer: ZoneRules, options: ReadingOptions = ReadingOptions(),
    user: Set<CalendarAddress> = [], machine: Machine
  ) {
    self.inputs = inputs
    self.viewer = viewer
    self.options = options
    self.user = user
    self.machine = machine
  }

  /// Shows alarms until the task is cancelled.
  ///
  /// - Parameters:
  ///   - waiting: Called before each pause, with the time of the next alarm if there is one.
  ///   - show: Shows an alarm of a view, and returns whether that was possible. A failed attempt is
  ///     repeated twice.
  /// - Throws: `StoreError` with the code `locked` if another watch runs; `CancellationError`.
  public func run(
    waiting: (Instant?) -> Void = { _ in },
    _ show: (AlarmSchedule.Due, AlarmView) async -> Bool
  ) async throws {
    let folder = machine.stateFolder
    let lock = try StoreLock.acquire(
      folder + "/alarms.lock", for: "alarms", since: machine.timeOfDay())
    defer { extendLifetime(lock) }
    let bell = WatchBell<Signal>()
    let folders = inputs.map { CalendarLocation(path: PathResolver.canonical($0.path)) }
    let watch = try FolderWatch(Set(folders.map(\.watchedFolder)).sorted()) { _ in
      bell.ring(.files)
    }
    let events = machine.watch { event in
      if event != .networkJoined { bell.ring(.clock) }
    }
    defer { extendLifetime((watch, events)) }
    var memory = try AlarmMemory(path: folder + "/alarms", at: machine.now())
    while true {
      try Task.checkCancellation()
      let now = machine.now()
      let view = try view(from: memory.schedule.start(at: now), now)
      for due in memory.schedule.due(view.alarms, at: now) {
        try Task.checkCancellation()
        try memory.store { $0.show(due.alarm, at: now) }
        let isShown = await show(due, view)
        try memory.end(due.alarm, isShown: isShown, limit: Self.attemptLimit)
      }
      let next = memory.schedule.next(view.alarms, after: now)
      waiting(next)
      await wait(until: next, isRetrying: memory.isRetrying, bell)
    }
  }

  private func wait(
    until next: Instant?, isRetrying: Bool, _ bell: WatchBell<Signal>
  ) async {
    let rest = (next?.secondsSinceEpoch ?? .max).subtractingReportingOverflow(
      machine.now().secondsSinceEpoch
    ).partialValue
    let longest = isRetrying ? Self.attemptPause : Self.horizon
    let seconds = Double(max(0, min(rest, longest)))
    let signals = await bell.wait(seconds: max(0.05, seconds), machine.pace.sleep)
    // More changes are likely to follow the first one.
    if signals == [.files] { _ = await bell.wait(seconds: Self.settling, machine.pace.sleep) }
  }

  private func view(from start: Instant, _ now: Instant) throws -> AlarmView {
    let end = now.adding(seconds: Self.horizon + 1) ?? now
    var request = ViewRequest(inputs, in: start..<max(start, end), viewer: viewer)
    request.options = options
    request.user = user
    // Problems of files are those of `epact check`, and would be repeated here.
    return try AlarmView(alarmsOf: request, machine: machine) { _ in }
  }
}

/// The stored schedule, and the failed attempts.
private struct AlarmMemory: Sendable {
  private static let sizeLimit = 1 << 22

  private(set) var schedule: AlarmSchedule
  private let path: String
  private var failures: [AlarmOccurrence: Int] = [:]

  /// Reads the schedule, or begins one at a time.
  init(path: String, at now: Instant) throws {
    self.path = path
    var text = ""
    if FileMode(path) != nil {
      var file = try InputStream(path: path)
      text = String(decoding: try file.readAll(limit: Self.sizeLimit) ?? [], as: UTF8.self)
    }
    schedule = AlarmSchedule(parsing: text) ?? AlarmSchedule(since: now)
    try store { _ in }
  }

  /// Whether an alarm could not be shown yet.
  var isRetrying: Bool { !failures.isEmpty }

  mutating func store(_ change: (inout AlarmSchedule) -> Void) throws {
    change(&schedule)
    try AtomicFile.write(Array(schedule.text.utf8), to: path, permissions: .secret)
  }

  /// Ends an attempt; an alarm that could not be shown is forgotten until the next one.
  mutating func end(_ alarm: AlarmOccurrence, isShown: Bool, limit: Int) throws {
    let count = (failures.removeValue(forKey: alarm) ?? 0) + 1
    guard !isShown, count < limit else { return }
    failures[alarm] = count
    try store { $0.withdraw(alarm) }
  }
}

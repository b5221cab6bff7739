// SPDX-License-Identifier: Apache-2.0

/// The reason why a watcher runs its syncs.
public enum WatchCause: String, Hashable, Sendable, CaseIterable {
  /// The watcher started.
  case start
  /// Local files changed.
  case change
  /// The interval has passed.
  case interval
  /// The machine resumed from suspend.
  case resume
  /// The network has a new address.
  case network
  /// The configuration changed.
  case configuration
  /// The pause after a failed run has passed.
  case retry
}

/// Decides when a watcher runs its syncs; does neither input nor output.
///
/// Times are seconds of one clock that continues during suspends.
///
/// - Changes of files are collected: a run starts once no file has changed for a while, or at the
///   latest some time after the first change. Runs for changes keep a distance.
/// - A failed run is followed by a pause, which doubles with each further failure. Only a resume, a
///   new network or a new configuration ends a pause early.
///
/// ```swift
/// var plan = WatchPlan(at: seconds)
/// plan.note(.change, at: seconds)
/// if plan.nextRun <= seconds { let causes = plan.begin(at: seconds) }
/// ```
public struct WatchPlan: Hashable, Sendable {
  /// The times of a watcher, in seconds.
  public struct Timing: Hashable, Sendable {
    /// The time between two runs without a change.
    public var interval = 900.0
    /// The part of the interval by which it varies at random, from 0 to 1.
    public var jitter = 0.1
    /// The time without changes before a run starts.
    public var settling = 2.0
    /// The longest time from the first change to the start of a run.
    public var patience = 20.0
    /// The least time between the starts of two runs for changes.
    public var distance = 10.0
    /// The pause after the first failed run.
    public var firstPause = 30.0
    /// The longest pause.
    public var longestPause = 3600.0

    /// Creates the default times.
    public init() {}
  }

  /// The time of the first and of the last change that no run has handled.
  private struct Changes: Hashable, Sendable {
    let first: Double
    var last: Double
  }

  private let timing: Timing
  private var changes: Changes?
  /// The other causes, with the time at which they are due.
  private var events: [WatchCause: Double] = [:]
  private var nextInterval: Double
  private var lastStart: Double?
  /// The number of failed runs since the last successful one.
  public private(set) var failures = 0
  /// The end of the pause after a failed run; nil if there is none.
  public private(set) var pauseEnd: Double?

  /// Creates a plan whose first run is due at once.
  public init(_ timing: Timing = Timing(), at now: Double) {
    self.timing = timing
    nextInterval = now + timing.interval
    events[.start] = now
  }

  /// Adds a cause at a time.
  public mutating func note(_ cause: WatchCause, at now: Double) {
    switch cause {
    case .change:
      changes = Changes(first: changes?.first ?? now, last: now)
    case .start, .interval, .retry: events[cause] = events[cause] ?? now
    case .configuration, .resume, .network:
      pauseEnd = nil
      // The connections of a new network are set up meanwhile.
      events[cause] = events[cause] ?? now + timing.settling
    }
  }

  /// The time of the next run; infinite during a run without an end.
  public var nextRun: Double {
    if let pauseEnd { return pauseEnd }
    let due = [nextInterval, changesDue].compactMap(\.self) + events.values
    return due.min() ?? nextInterval
  }

  private var changesDue: Double? {
    guard let changes else { return nil }
    let settled = min(changes.last + timing.settling, changes.first + timing.patience)
    return max(settled, lastStart.map { $0 + timing.distance } ?? settled)
  }

  /// Whether the next run is due for no other reason than changed files.
  public func isOnlyForChanges(at now: Double) -> Bool {
    pauseEnd == nil && changes != nil && events.isEmpty && nextInterval > now
  }

  /// Forgets the changed files, because they were changes of syncs.
  public mutating func dismissChanges() {
    changes = nil
  }

  /// Begins a run, and returns its causes.
  public mutating func begin(at now: Double) -> Set<WatchCause> {
    var causes = Set(events.keys)
    if changes != nil { causes.insert(.change) }
    if pauseEnd.map({ $0 <= now }) == true { causes.insert(.retry) }
    if nextInterval <= now { causes.insert(.interval) }
    (changes, pauseEnd) = (nil, nil)
    events = [:]
    lastStart = now
    return causes
  }

  /// Ends a run.
  ///
  /// - Parameters:
  ///   - isFailure: Whether the run failed as a whole.
  ///   - now: The time.
  ///   - random: A random number from 0 to 1.
  public mutating func end(isFailure: Bool, at now: Double, random: Double) {
    let shift = (2 * random - 1) * timing.jitter
    nextInterval = now + timing.interval * (1 + shift)
    guard isFailure else {
      failures = 0
      return
    }
    failures += 1
    // The exponent is limited, so that the pause stays finite.
    var pause = timing.firstPause
    for _ in 1..<min(failures, 32) where pause < timing.longestPause { pause *= 2 }
    // An event during the run ends the pause before it begins.
    guard events.isEmpty else { return }
    pauseEnd = now + min(pause, timing.longestPause) * (1 + abs(shift))
  }
}

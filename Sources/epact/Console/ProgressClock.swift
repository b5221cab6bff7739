// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// Decides when a bar is drawn anew: at each change of phase, and else ten times a second at most.
struct ProgressClock: Sendable {
  /// The shortest time between two drawings, in seconds.
  private static let interval = 0.1

  private var phase: SyncProgress.Phase?
  private var drawnAt = -Double.infinity

  /// Whether a step is shown, at a time in seconds.
  mutating func isDue(_ progress: SyncProgress, at time: Double) -> Bool {
    guard
      progress.phase != phase || progress.done == progress.total
        || time - drawnAt >= Self.interval
    else { return false }
    phase = progress.phase
    drawnAt = time
    return true
  }
}

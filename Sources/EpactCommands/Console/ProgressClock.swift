// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact

/// Limits redrawing of the progress bar: at phase changes, and otherwise ten times a second.
struct ProgressClock: Sendable {
  /// The minimum time between two updates, in seconds.
  private static let interval = 0.1

  private var phase: SyncProgress.Phase?
  private var drawnAt = -Double.infinity

  /// Whether to draw a step at a time in seconds.
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

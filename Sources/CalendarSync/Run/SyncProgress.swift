// SPDX-License-Identifier: Apache-2.0

/// The progress of a phase of a run.
public struct SyncProgress: Hashable, Sendable {
  /// The phases of a run in order; a phase without work is skipped.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The run reads changed local files and requests the remote changes; the total is unknown.
    case reading
    /// The run fetches items from the remote.
    case fetching
    /// The run carries out the plan on both sides.
    case writing
  }

  /// The phase.
  public let phase: Phase
  /// The number of finished items.
  public let done: Int
  /// The total number of items, constant during a phase; 0 if it is unknown.
  public let total: Int

  /// Creates a progress value.
  public init(_ phase: Phase, done: Int, total: Int) {
    self.phase = phase
    self.done = done
    self.total = total
  }
}

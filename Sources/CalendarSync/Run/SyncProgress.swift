// SPDX-License-Identifier: Apache-2.0

/// How far a phase of a run has come.
public struct SyncProgress: Hashable, Sendable {
  /// What a run does, in this order; a phase that has nothing to do is left out.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// Local files are read that changed, and the remote is asked what did; how much there is to read is
    /// not known.
    case reading
    /// Items are fetched from the remote.
    case fetching
    /// The plan is carried out, on both sides.
    case writing
  }

  /// The phase.
  public let phase: Phase
  /// How many items are done with.
  public let done: Int
  /// How many items there are to do, the same all through a phase; 0 where that is not known.
  public let total: Int

  /// Creates a step of a phase.
  public init(_ phase: Phase, done: Int, total: Int) {
    self.phase = phase
    self.done = done
    self.total = total
  }
}

// SPDX-License-Identifier: Apache-2.0

/// How a sync runs.
public struct SyncOptions: Hashable, Sendable {
  /// Whether to make the plan and do nothing of it; then nothing is written, not even to the ledger.
  public var isDryRun = false
  /// How many deletions are believed.
  public var safeguards = Safeguards()
  /// How many items are written to the local calendar at a time.
  public var batchSize = 50
  /// After how many failed requests in a row the remote counts as unreachable.
  public var failuresInARow = 3

  /// The default options.
  public init() {}
}

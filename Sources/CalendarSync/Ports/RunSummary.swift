// SPDX-License-Identifier: Apache-2.0

/// The results of a run of a sync: numbers of changed items and calendar properties.
public struct RunSummary: Hashable, Sendable {
  /// Added to or changed on the remote.
  public var uploaded = 0
  /// Added to or changed in the local calendar.
  public var downloaded = 0
  /// Deleted on the remote.
  public var deletedRemotely = 0
  /// Deleted in the local calendar.
  public var deletedLocally = 0
  /// Added under write-only access.
  public var appended = 0
  /// Unresolved conflicts at the end of the run.
  public var conflicts = 0
  /// Items that could not be synchronized; each is reported.
  public var failed = 0
  /// Items that changed in the meantime, or whose place was taken; the next run handles them.
  public var deferred = 0
  /// Calendar properties that were set or removed, on either side.
  public var properties = 0
  /// Whether a safeguard stopped the run before any change.
  public var stoppedByGuard = false

  /// Whether the run changed any item on either side.
  var hasChanges: Bool {
    uploaded + downloaded + deletedRemotely + deletedLocally + appended > 0
  }

  /// Creates a summary of a run that did nothing.
  public init() {}
}

// SPDX-License-Identifier: Apache-2.0

/// What a run of a sync did, in numbers of items, and of properties of the calendar as a whole.
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
  /// Conflicts that wait at the end of the run.
  public var conflicts = 0
  /// Items that could not be dealt with, each reported.
  public var failed = 0
  /// Items that changed meanwhile, or whose place was taken; left for the next run.
  public var deferred = 0
  /// Properties of the calendar as a whole that were set or removed, on either side.
  public var properties = 0
  /// Whether the run stopped before it changed anything, because of a guard.
  public var stoppedByGuard = false

  /// Whether any item was changed on either side.
  var hasChanges: Bool {
    uploaded + downloaded + deletedRemotely + deletedLocally + appended > 0
  }

  /// Creates a summary of a run that did nothing.
  public init() {}
}

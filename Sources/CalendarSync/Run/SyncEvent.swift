// SPDX-License-Identifier: Apache-2.0

/// An event of a running sync, for display.
public enum SyncEvent: Hashable, Sendable {
  /// The progress of a phase; reported at its start, after each batch, and at its end.
  case progress(SyncProgress)
  /// The plan is complete; nothing has been changed yet.
  case planned(SyncPlan)
  /// An operation succeeded.
  case done(PlannedOperation)
  /// The item changed in the meantime; the next run handles it.
  case deferred(PlannedOperation)
  /// An item could not be synchronized; the run continues with the others.
  case failed(PlannedOperation, reason: String)
  /// The remote lost a part of the sent content; each loss is reported once per run.
  case lost(RemoteLoss)
  /// A property of the calendar as a whole was changed.
  case property(CollectionChange, CollectionChange.Outcome)
  /// The properties of the calendar as a whole could not be read.
  case propertiesFailed(reason: String)
}

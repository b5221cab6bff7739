// SPDX-License-Identifier: Apache-2.0

/// What happens while a sync runs, for whoever shows it.
public enum SyncEvent: Hashable, Sendable {
  /// A phase goes on; told at its beginning, after each batch, and at its end.
  case progress(SyncProgress)
  /// The plan is made; nothing was changed yet.
  case planned(SyncPlan)
  /// An operation is done.
  case done(PlannedOperation)
  /// The item changed meanwhile; it is left for the next run.
  case deferred(PlannedOperation)
  /// An item could not be dealt with; the others go on.
  case failed(PlannedOperation, reason: String)
  /// The remote does not keep something of what it was sent; each loss is told of once in a run.
  case lost(RemoteLoss)
  /// Something was done with a property of the calendar as a whole.
  case property(CollectionChange, CollectionChange.Outcome)
  /// The properties of the calendar as a whole could not be looked at.
  case propertiesFailed(reason: String)
}

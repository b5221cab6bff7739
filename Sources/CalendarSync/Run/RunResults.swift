// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The results of a run: counts, writes and settlements, and the work that is left for the next run.
struct RunResults {
  /// The numbers of changes, conflicts and failures.
  private(set) var summary = RunSummary()
  /// The items with remaining work, whose known versions are not reliable.
  private(set) var unfinished: Set<UID> = []

  /// The agreed ETags of this run, by href.
  private(set) var agreed: [Href: EntityTag] = [:]
  /// The items that this run settled.
  private(set) var settled: Set<UID> = []
  /// The intents of earlier runs whose outcomes are undecided.
  private(set) var undecided: [UID: [Intent]] = [:]
  /// Whether the remote stored an item without returning an ETag.
  private(set) var hasMissingETag = false

  /// The items that the run wrote or deleted, by their names here and their places on the remote.
  private(set) var written: (local: [String: UID], remote: [Href: UID]) = ([:], [:])
  /// The places of additions to the remote.
  private(set) var added: [Href] = []
  /// The places where the run replaced or deleted an item of the remote.
  private(set) var replaced: [Href] = []
  /// The places where the remote already holds items to be added; the next run checks them.
  private(set) var taken: [RemoteEntry] = []

  /// The number of failed requests since the last successful one.
  private(set) var failuresInARow = 0
  /// The reason why the local calendar accepts no changes at the moment.
  private(set) var unavailable: UnavailableSide?
  /// The kinds of parts that the remote was found to store.
  private(set) var stored: Set<PartKind> = []
  /// The losses of the remote that were reported.
  private var losses: Set<RemoteLoss> = []

  // MARK: Plans and reports

  /// Counts the unresolved parts of a plan.
  mutating func count(_ plan: SyncPlan) {
    summary.conflicts += plan.conflicts
    summary.failed += plan.operations.count(where: \.isFailure)
    summary.stoppedByGuard = summary.stoppedByGuard || plan.objection != nil
  }

  /// Records the items with remaining work.
  mutating func note(_ event: SyncEvent) {
    switch event {
    case .planned(let plan):
      unfinished.formUnion(plan.operations.filter(\.isFailure).map(\.uid))
    case .deferred(let operation), .failed(let operation, _): unfinished.insert(operation.uid)
    default: break
    }
  }

  /// Records a loss, and returns whether it is new.
  mutating func note(_ loss: RemoteLoss) -> Bool { losses.insert(loss).inserted }

  /// Counts a failure.
  mutating func countFailure() { summary.failed += 1 }

  /// Counts an item that is left to the next run.
  mutating func countDeferral() { summary.deferred += 1 }

  /// Counts a changed property of the calendar.
  mutating func countProperty() { summary.properties += 1 }

  // MARK: Changes

  /// Records a change here under a name.
  mutating func write(_ uid: UID, as name: String) { written.local[name] = uid }

  /// Counts a change here.
  mutating func countLocalChange(isDeletion: Bool) {
    if isDeletion { summary.deletedLocally += 1 } else { summary.downloaded += 1 }
  }

  /// Records a request that may change a place of the remote.
  mutating func touch(_ uid: UID, at href: Href) { written.remote[href] = uid }

  /// Records an item that the remote stored.
  mutating func send(_ uid: UID, to href: Href, isAddition: Bool) {
    summary.uploaded += 1
    touch(uid, at: href)
    if isAddition { added.append(href) } else { replaced.append(href) }
  }

  /// Records a deletion on the remote.
  mutating func deleteRemotely(at href: Href?) {
    summary.deletedRemotely += 1
    if let href { replaced.append(href) }
  }

  /// Counts an event that was added without read access.
  mutating func countAddition() { summary.appended += 1 }

  /// Records a place that the remote already holds.
  mutating func note(taken place: RemoteEntry) { taken.append(place) }

  /// Records kinds of parts that the remote stores.
  mutating func note(stored kinds: Set<PartKind>) { stored.formUnion(kinds) }

  // MARK: Requests

  /// Records an answer to a request.
  mutating func noteAnswer() { failuresInARow = 0 }

  /// Counts a request without an answer.
  ///
  /// Repeated failures of an item do not count, because a few bad items would stop all others.
  mutating func noteFailedRequest(isRepeated: Bool) {
    summary.failed += 1
    if !isRepeated { failuresInARow += 1 }
  }

  /// Records that the local calendar accepts no changes at the moment.
  mutating func note(unavailable reason: String) {
    if unavailable == nil { unavailable = UnavailableSide(reason: reason) }
  }

  // MARK: Settlements

  /// Begins with the intents of interrupted runs, whose outcomes are undecided from now on.
  mutating func begin(with intents: [Intent]) {
    undecided = Dictionary(grouping: intents, by: \.uid)
  }

  /// Records settlements.
  mutating func remember(_ settlements: [Settlement]) {
    for settlement in settlements {
      switch settlement.change {
      case .keep, .withdraw, .appended: continue
      case .forget: break
      case .record(let entry):
        agreed[entry.href] = entry.etag
        if entry.etag == nil { hasMissingETag = true }
      }
      settled.insert(settlement.uid)
      undecided[settlement.uid] = nil
    }
  }
}

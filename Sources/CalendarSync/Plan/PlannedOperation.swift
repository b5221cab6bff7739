// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// One thing that a sync is going to do with one item, and why.
public struct PlannedOperation: Hashable, Sendable {
  /// What is going to be done.
  ///
  /// It is indirect because plans are sorted, filtered and handed on: each copy of what an action holds
  /// would count up the references of all its parts.
  public indirect enum Action: Hashable, Sendable {
    /// Add the item to the remote.
    case createRemote(LocalEntry)
    /// Replace the item on the remote, if it still has the tag.
    case updateRemote(LocalEntry, href: Href, ifMatch: EntityTag)
    /// Delete the item on the remote, if it still has the tag.
    case deleteRemote(Href, ifMatch: EntityTag)
    /// Add the item to the local calendar.
    case createLocal(CalendarItem, RemoteEntry)
    /// Replace the item in the local calendar, if it still has the revision.
    case updateLocal(CalendarItem, RemoteEntry, replacing: LocalEntry)
    /// Replace the item on both sides by what was merged of both versions.
    case merge(PlannedMerge)
    /// Replace the item on the remote by what was merged, but for what waits for a choice.
    case sendMerged(PlannedMerge)
    /// Delete the item in the local calendar, if it still has the revision.
    case deleteLocal(LocalEntry)
    /// Take back what a run did to the item, on one side and then perhaps on the other.
    case putBack(PutBack)
    /// Add the event to a remote that may not be read.
    case append(CalendarItem)
    /// Write down that both sides agree; nothing is sent and no file is touched.
    case record(LedgerEntry)
    /// Write down that both sides are without the item.
    case forget
    /// Keep both versions until somebody chooses, and write down what the sides agree on beside that.
    case conflict(StoredConflict, agreed: LedgerEntry?)
    /// Leave the item alone.
    case skip
  }

  /// The item.
  public let uid: UID
  /// Its title, for people.
  public let title: String
  /// What is going to be done.
  public let action: Action
  /// Why, for people.
  public let reason: String
  /// Whether the item cannot be dealt with, and counts as failed.
  public let isFailure: Bool
  /// What the remote holds and is going to lose, where it was read: it stays in the journal.
  let replaced: CalendarItem?
  /// The version that the remote lists and does not give, if that is why the item is left alone.
  private(set) var undelivered: RemoteEntry?

  /// Creates an operation.
  public init(
    uid: UID, title: String, action: Action, reason: String, isFailure: Bool = false
  ) {
    self.init(
      uid: uid, title: title, action: action, reason: reason, isFailure: isFailure, replacing: nil)
  }

  /// Creates an operation that replaces what was read on the remote.
  init(
    uid: UID, title: String, action: Action, reason: String, isFailure: Bool = false,
    replacing replaced: CalendarItem?
  ) {
    self.replaced = replaced
    self.uid = uid
    self.title = title
    self.action = action
    self.reason = reason
    self.isFailure = isFailure
  }

  /// Creates the report of a place that the remote lists and gives nothing for.
  ///
  /// - Parameters:
  ///   - entry: The place and the version, as they are listed.
  ///   - isAwaited: Whether something is to be done that cannot be without it.
  init(undelivered entry: RemoteEntry, isAwaited: Bool) {
    self.init(
      uid: UID(entry.href.rawValue), title: entry.href.rawValue, action: .skip,
      reason: "the remote lists the item but does not give it; it is left alone", isFailure: true)
    if !isAwaited { undelivered = entry }
  }

  /// Whether the operation changes one of the sides.
  public var isChange: Bool {
    switch action {
    case .record, .forget, .conflict, .skip: false
    default: true
    }
  }

  /// Whether something of the item waits for a choice, whatever else is done with it.
  public var isWaiting: Bool { waiting != nil }

  /// What waits for a choice once the operation is done.
  var waiting: StoredConflict? {
    switch action {
    case .conflict(let conflict, agreed: _): conflict
    case .merge(let planned), .sendMerged(let planned): planned.conflict
    default: nil
    }
  }

  /// What waits for a choice if the operation is not done after all.
  var kept: StoredConflict? {
    if case .putBack(let planned) = action { planned.conflict } else { waiting }
  }

  /// Whether the operation changes the local calendar.
  var isLocal: Bool {
    switch action {
    case .createLocal, .updateLocal, .merge, .deleteLocal: true
    case .putBack(let planned): planned.side == .local
    default: false
    }
  }

  /// Whether the operation takes an item away from one of the sides.
  var isDeletion: Bool {
    switch action {
    case .deleteLocal, .deleteRemote: true
    case .putBack(let planned): planned.content == nil
    default: false
    }
  }

  /// Whether the operation would be another one if the remote held the item after all.
  var needsAbsence: Bool {
    switch action {
    case .createRemote, .deleteLocal, .forget: true
    default: false
    }
  }

  /// A word for the action, stable for programs: `create-remote`, `conflict`.
  public var verb: String {
    switch action {
    case .createRemote: "create-remote"
    case .updateRemote: "update-remote"
    case .deleteRemote: "delete-remote"
    case .createLocal: "create-local"
    case .updateLocal: "update-local"
    case .merge, .sendMerged: "merge"
    case .deleteLocal: "delete-local"
    case .putBack(let planned): planned.verb.rawValue
    case .append: "append"
    case .record: "record"
    case .forget: "forget"
    case .conflict: "conflict"
    case .skip: "skip"
    }
  }
}

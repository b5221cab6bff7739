// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The planned operations of a sync, as a value that can be reviewed before execution.
public struct SyncPlan: Hashable, Sendable, CustomStringConvertible {
  /// The operations, in order of UID.
  public internal(set) var operations: [PlannedOperation]
  /// The reason for stopping the plan, or nil if there is none.
  public internal(set) var objection: GuardObjection?
  /// The number of unresolved conflicts after the plan.
  public let conflicts: Int

  /// Creates a plan.
  public init(
    operations: [PlannedOperation], objection: GuardObjection? = nil, conflicts: Int = 0
  ) {
    self.operations = operations
    self.objection = objection
    self.conflicts = conflicts
  }

  /// One line for each operation that is relevant to the user: verb, title, UID and reason.
  public var description: String {
    let lines = operations.filter { $0.verb != "record" && $0.verb != "forget" }
      .map(\.description)
    return (lines + (objection.map { ["stopped: \($0)"] } ?? [])).joined(separator: "\n")
  }
}

/// A planned change of one item, with its reason.
public struct PlannedOperation: Hashable, Sendable, CustomStringConvertible {
  /// The kind and the contents of an operation.
  ///
  /// The enum is indirect because plans are sorted, filtered and passed on: each copy of a direct
  /// enum would retain all parts of its contents.
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
    /// Replace the item on both sides by the merged item.
    case merge(PlannedMerge)
    /// Replace the item on the remote by the merged item, except the conflicting parts.
    case sendMerged(PlannedMerge)
    /// Delete the item in the local calendar, if it still has the revision.
    case deleteLocal(LocalEntry)
    /// Undo the changes of a run to the item, on one side and then possibly on the other.
    case putBack(PutBack)
    /// Add the event to a remote without read access.
    case append(CalendarItem)
    /// Record that both sides agree; no request is sent and no file is changed.
    case record(LedgerEntry)
    /// Record that neither side holds the item.
    case forget
    /// Keep both versions until the user chooses, and record the agreement on the other parts.
    case conflict(StoredConflict, agreed: LedgerEntry?)
    /// Skip the item.
    case skip
  }

  /// The item.
  public let uid: UID
  /// Its title, for display.
  public let title: String
  /// The kind and the contents.
  public let action: Action
  /// The reason.
  public private(set) var reason: PlanReason
  /// Whether the item cannot be synchronized, and counts as failed.
  public let isFailure: Bool
  /// The remote version that will be replaced or deleted, if it was read; stored in the journal.
  let replaced: CalendarItem?
  /// The content of the remote side under the tag of the operation, if both sides agreed on it.
  private(set) var held: [UInt8]?
  /// Whether the operation adds an item again that one side deleted and the other side edited, or
  /// keeps or brings back such a part of an item: an override, an occurrence, an alarm or a property.
  ///
  /// An edit overrides a deletion under every policy.
  public private(set) var overridesDeletion = false
  /// Whether a policy decided between different edits of both sides, so that one of them is lost.
  public private(set) var isDecidedByPolicy = false
  /// Whether both sides held the same version that the last run did not know, so that nothing is sent.
  public private(set) var isAlreadyThere = false
  /// The names of the properties and components that go into the stash of the remote.
  public private(set) var stashed: [String] = []
  /// The version that the remote lists but does not return, if that is the reason for skipping.
  private(set) var undelivered: RemoteEntry?

  /// Creates an operation.
  public init(
    uid: UID, title: String, action: Action, reason: PlanReason, isFailure: Bool = false
  ) {
    self.init(
      uid: uid, title: title, action: action, reason: reason, isFailure: isFailure, replacing: nil)
  }

  /// Creates an operation that replaces a version that was read from the remote.
  init(
    uid: UID, title: String, action: Action, reason: PlanReason, isFailure: Bool = false,
    replacing replaced: CalendarItem?
  ) {
    self.replaced = replaced
    self.uid = uid
    self.title = title
    self.action = action
    self.reason = reason
    self.isFailure = isFailure
  }

  /// Creates an operation that skips an item.
  init(
    skipping uid: UID, title: String, because obstacle: ItemObstacle, isFailure: Bool = false
  ) {
    self.init(
      uid: uid, title: title, action: .skip, reason: .obstacle(obstacle), isFailure: isFailure)
  }

  /// The reason for skipping the item; nil if it is not skipped.
  public var obstacle: ItemObstacle? {
    if case .obstacle(let obstacle) = reason { obstacle } else { nil }
  }

  /// Returns the operation with the content of the remote side under its tag.
  func holding(_ content: [UInt8]?) -> PlannedOperation {
    var operation = self
    operation.held = content
    return operation
  }

  /// Returns the operation with what goes into the stash of the remote.
  func stashing(_ names: [String]) -> PlannedOperation {
    var operation = self
    operation.stashed = names
    return operation
  }

  /// The operation as one that adds a deleted item again, because the other side edited it.
  var overridingDeletion: PlannedOperation {
    var operation = self
    operation.overridesDeletion = true
    return operation
  }

  /// The operation as one in which a policy decided between different edits of both sides.
  var decidedByPolicy: PlannedOperation {
    var operation = self
    operation.isDecidedByPolicy = true
    return operation
  }

  /// The operation as the agreement on a version that both sides held already.
  var alreadyThere: PlannedOperation {
    var operation = self
    operation.isAlreadyThere = true
    return operation
  }

  /// The operation as one that brings back what was deleted here, with the reason.
  func bringingBack(_ reason: PlanReason) -> PlannedOperation {
    var operation = overridingDeletion
    operation.reason = reason
    return operation
  }

  /// Creates a report about a resource that the remote lists but does not return.
  ///
  /// - Parameters:
  ///   - entry: The href and ETag from the listing.
  ///   - isAwaited: Whether another operation depends on the resource.
  init(undelivered entry: RemoteEntry, isAwaited: Bool) {
    self.init(
      skipping: UID(entry.href.rawValue), title: entry.href.rawValue, because: .notDelivered,
      isFailure: true)
    if !isAwaited { undelivered = entry }
  }

  /// Creates a report about a local file that is not one readable item.
  init(unreadable file: UnreadableEntry) {
    self.init(
      skipping: UID(file.name), title: file.name, because: .localFile(file.reason),
      isFailure: true)
  }

  /// The first change of the operation and its side; nil if it changes neither side.
  var effect: Effect? {
    switch action {
    case .createRemote, .append: Effect(.add, on: .remote)
    case .updateRemote, .sendMerged: Effect(.replace, on: .remote)
    case .deleteRemote: Effect(.delete, on: .remote)
    case .createLocal: Effect(.add, on: .local)
    case .updateLocal, .merge: Effect(.replace, on: .local)
    case .deleteLocal: Effect(.delete, on: .local)
    case .putBack(let planned): planned.effect
    case .record, .forget, .conflict, .skip: nil
    }
  }

  /// Whether the operation changes one of the sides.
  public var isChange: Bool { effect != nil }

  /// Whether the operation changes the local calendar.
  var isLocal: Bool { effect?.side == .local }

  /// Whether the operation adds an item to the remote.
  var isRemoteAddition: Bool { effect == Effect(.add, on: .remote) }

  /// Whether the operation deletes an item on one of the sides.
  var isDeletion: Bool { effect?.kind == .delete }

  /// Whether the item has an unresolved conflict, whatever else the operation does.
  public var isWaiting: Bool { waiting != nil }

  /// The unresolved conflict after the operation.
  var waiting: StoredConflict? {
    switch action {
    case .conflict(let conflict, agreed: _): conflict
    case .merge(let planned), .sendMerged(let planned): planned.conflict
    default: nil
    }
  }

  /// The unresolved conflict if the operation is not carried out.
  var kept: StoredConflict? {
    if case .putBack(let planned) = action { planned.conflict } else { waiting }
  }

  /// Whether the operation depends on the absence of the item on the remote.
  var needsAbsence: Bool {
    switch action {
    case .createRemote, .deleteLocal, .forget: true
    default: false
    }
  }

  /// One line for display: `update-remote "Lunch" (lunch@example.org): changed-local`.
  public var description: String { "\(verb) \"\(title)\" (\(uid)): \(reason)" }

  /// The name of the action, stable for programs: `create-remote`, `conflict`.
  public var verb: String {
    switch action {
    case .merge, .sendMerged: "merge"
    case .append: "append"
    case .record: "record"
    case .forget: "forget"
    case .conflict: "conflict"
    case .skip: "skip"
    default: effect?.verb ?? "skip"
    }
  }
}

/// The change of one side by an operation.
struct Effect: Hashable, Sendable {
  /// The kind of a change.
  enum Kind: String, Hashable, Sendable {
    case add = "create"
    case replace = "update"
    case delete
  }

  let kind: Kind
  let side: MergeSide

  init(_ kind: Kind, on side: MergeSide) {
    (self.kind, self.side) = (kind, side)
  }

  /// The name of the change: `create-remote`, `delete-local`.
  var verb: String { "\(kind.rawValue)-\(side.rawValue)" }
}

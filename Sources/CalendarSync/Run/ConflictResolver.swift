// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
import ICalSyntax

/// Resolves stored conflicts without contacting the remote.
///
/// The resolver writes the chosen version to the local calendar, and records the remote version as
/// the agreed one. The next sync then sends the choice like any other edit, on the condition that
/// the remote version is unchanged. If the remote version has changed, the next sync merges again.
public struct ConflictResolver: Sendable {
  /// The chosen resolution.
  public enum Choice: Hashable, Sendable {
    /// The local version of the conflicting parts; the other parts are merged.
    case local
    /// The remote version of the conflicting parts; the other parts are merged.
    case remote
    /// Like `local`, and the remote version is added as a separate item with a new UID.
    case both
    /// A version that the user edited.
    case edited(CalendarItem)
  }

  private let calendar: any LocalCalendar
  private let ledger: any Ledger & RunHistory
  private let binding: SyncBinding
  private let normalForm: NormalForm
  private let now: @Sendable () -> Instant

  /// Creates a resolver for the conflicts of one sync.
  ///
  /// - Parameters:
  ///   - calendar: The local calendar.
  ///   - ledger: The ledger that stores the conflicts.
  ///   - binding: The binding of the sync.
  ///   - normalForm: The normal form of the sync for comparing items.
  ///   - now: The clock.
  public init(
    calendar: any LocalCalendar, ledger: any Ledger & RunHistory, binding: SyncBinding,
    normalForm: NormalForm = NormalForm(), now: @escaping @Sendable () -> Instant
  ) {
    self.calendar = calendar
    self.ledger = ledger
    self.binding = binding
    self.normalForm = normalForm
    self.now = now
  }

  /// The merged versions of a conflict, with the conflicting parts of one side.
  ///
  /// - Parameters:
  ///   - conflict: The conflict.
  ///   - side: The side whose version of the conflicting parts is used.
  ///   - local: The current local version, if it changed since the conflict was found.
  /// - Returns: The merged item and the conflicts.
  /// - Throws: `ConflictError` if a version is missing or cannot be read.
  public func merged(
    _ conflict: StoredConflict, taking side: MergeSide, local: CalendarItem? = nil
  ) throws(ConflictError) -> MergeResult {
    try Self.merged(conflict, taking: side, local: local, normalForm: normalForm)
  }

  /// The merged versions of a conflict, with the conflicting parts of one side, in a normal form.
  ///
  /// - Throws: `ConflictError` if a version is missing or cannot be read.
  public static func merged(
    _ conflict: StoredConflict, taking side: MergeSide, local: CalendarItem? = nil,
    normalForm: NormalForm
  ) throws(ConflictError) -> MergeResult {
    func item(_ bytes: [UInt8]?) throws(ConflictError) -> CalendarItem {
      try Self.item(bytes, conflict.uid, normalForm)
    }
    let here: CalendarItem
    if let local { here = local } else { here = try item(conflict.local) }
    let remote = try item(conflict.remote)
    // The user chooses one of the two versions, because a merge would repeat the undone changes.
    if conflict.isTakenBack {
      return MergeResult(item: side == .local ? here : remote, conflicts: [])
    }
    let base = try? item(conflict.base)
    let remoteBase = (try? item(conflict.remoteBase)) ?? base
    let policy: MergePolicy = side == .local ? .local : .remote
    return ThreeWayMerge(policies: MergePolicies(policy), normalForm: normalForm).merge(
      localBase: base, remoteBase: remoteBase, local: here, remote: remote)
  }

  /// Resolves a conflict, in a run that is recorded as the user's choice.
  ///
  /// - Returns: Whether the next sync sends something; false if the remote holds the choice already.
  /// - Throws: `ConflictError`, or an error of the calendar or the ledger; the conflict is then
  ///   kept.
  @discardableResult
  public func resolve(_ conflict: StoredConflict, as choice: Choice) async throws -> Bool {
    let listing = try await calendar.scan()
    guard let entry = listing.entries.first(where: { $0.item.uid == conflict.uid }) else {
      throw ConflictError.gone(conflict.uid)
    }
    let known = try await ledger.entries(of: binding).first { $0.uid == conflict.uid }
    guard let href = conflict.href ?? known?.href else {
      throw ConflictError.unplaced(conflict.uid)
    }
    let remote = try item(conflict.remote, conflict.uid)
    let planned = PlannedMerge(
      item: try item(for: choice, conflict, entry.item.normalized(by: normalForm)), local: entry,
      remote: RemoteEntry(href: href, etag: conflict.etag), remoteItem: remote, isSent: true)
    let run = try await ledger.beginRun(of: binding, at: now())
    try await ledger.noteChoice(run)
    var summary = RunSummary()
    if choice == .both { try await keep(remote, in: run, &summary) }
    try await carryOut(planned, in: run, &summary)
    try await ledger.endRun(run, summary: summary, at: now())
    return choice == .both || planned.item.fingerprint != remote.fingerprint
  }

  private func item(
    for choice: Choice, _ conflict: StoredConflict, _ local: CalendarItem
  ) throws(ConflictError) -> CalendarItem {
    switch choice {
    case .local, .both: return try merged(conflict, taking: .local, local: local).item
    case .remote: return try merged(conflict, taking: .remote, local: local).item
    case .edited(let item):
      guard item.uid == conflict.uid else {
        throw .otherItem(item.uid, expected: conflict.uid)
      }
      // The user who edited the item has not seen later local changes.
      guard try self.item(conflict.local, conflict.uid).fingerprint == local.fingerprint else {
        throw .editedSince(conflict.uid)
      }
      return item
    }
  }

  /// Writes the chosen item; records its intent before and the agreement afterwards.
  private func carryOut(
    _ planned: PlannedMerge, in run: RunID, _ summary: inout RunSummary
  ) async throws {
    let uid = planned.item.uid
    var name = planned.local.name
    // A choice that writes nothing here is recorded as well, so that it can be undone.
    try await ledger.record(
      [
        Intent(
          uid: uid, action: .updateLocal, content: planned.item.serialized(),
          fingerprint: planned.item.fingerprint, before: planned.local.item.serialized(),
          mergedWith: planned.remoteItem.serialized(),
          other: planned.remoteItem.serialized(), href: planned.remote.href,
          etag: planned.remote.etag)
      ], in: run)
    if planned.item != planned.local.item {
      name = try await write(
        .update(name: name, from: planned.local.revision, to: planned.item), of: uid)
      summary.downloaded += 1
    }
    try await ledger.settle(
      [Settlement(uid: uid, change: .record(planned.agreement(name)))], in: run)
  }

  /// Adds the remote version as a separate item; repeated attempts add the same item.
  private func keep(
    _ remote: CalendarItem, in run: RunID, _ summary: inout RunSummary
  ) async throws {
    guard let copy = ConflictCopy(of: remote).item else {
      throw ConflictError.notCopied(remote.uid)
    }
    // The remote has no place for the copy, so that an undo deletes it here.
    try await ledger.record(
      [
        Intent(
          uid: copy.uid, action: .createLocal, content: copy.serialized(),
          fingerprint: copy.fingerprint, before: nil, href: nil, etag: nil)
      ], in: run)
    let outcomes = try await calendar.apply([.create(copy)])
    switch outcomes.first {
    case .done?:
      summary.downloaded += 1
      try await ledger.settle([Settlement(uid: copy.uid, change: .forget)], in: run)
    // An earlier try added it.
    case .conditionFailed?:
      try await ledger.settle([Settlement(uid: copy.uid, change: .keep)], in: run)
    case .failed(let reason)?, .unavailable(let reason)?:
      throw ConflictError.notWritten(copy.uid, reason: reason)
    case nil: return
    }
  }

  private func write(_ change: LocalChange, of uid: UID) async throws -> String {
    switch try await calendar.apply([change]).first {
    case .done(let name, _)?: return name
    case .failed(let reason)?, .unavailable(let reason)?:
      throw ConflictError.notWritten(uid, reason: reason)
    case .conditionFailed?, nil: throw ConflictError.notWritten(uid, reason: nil)
    }
  }

  private func item(_ bytes: [UInt8]?, _ uid: UID) throws(ConflictError) -> CalendarItem {
    try Self.item(bytes, uid, normalForm)
  }

  private static func item(
    _ bytes: [UInt8]?, _ uid: UID, _ normalForm: NormalForm
  ) throws(ConflictError) -> CalendarItem {
    guard let bytes, let item = try? CalendarItem(parsing: bytes, normalForm: normalForm)
    else {
      throw .unreadable(uid)
    }
    return item
  }
}

/// The reason why a conflict cannot be resolved.
///
/// Programs word the values. The code identifies the reason in logs.
public enum ConflictError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The item is no longer in the local calendar; the next sync decides.
  case gone(UID)
  /// The item changed in the local calendar since the user edited it; the next sync decides.
  case editedSince(UID)
  /// The place of the item on the remote is unknown; the next sync finds it.
  case unplaced(UID)
  /// A version of the item is missing or cannot be read.
  case unreadable(UID)
  /// The components of the item are no valid copy.
  case notCopied(UID)
  /// The edited item has another UID.
  case otherItem(UID, expected: UID)
  /// The local calendar rejected the change of the item for this reason, in its own words; nil if the
  /// item changed in the meantime.
  case notWritten(UID, reason: String?)

  /// The code and the values, for logs.
  public var description: String {
    switch self {
    case .gone(let uid): String(code: "gone", [uid.rawValue])
    case .editedSince(let uid): String(code: "edited-since", [uid.rawValue])
    case .unplaced(let uid): String(code: "unplaced", [uid.rawValue])
    case .unreadable(let uid): String(code: "unreadable", [uid.rawValue])
    case .notCopied(let uid): String(code: "not-copied", [uid.rawValue])
    case .otherItem(let uid, let expected):
      String(code: "other-item", [uid.rawValue, expected.rawValue])
    case .notWritten(let uid, let reason):
      String(code: "not-written", [uid.rawValue] + (reason.map { [$0] } ?? []))
    }
  }
}

/// A copy of a version of an item, with a different UID.
///
/// The UID is derived from the content, so that repeated copies are the same item. The copy refers
/// to the original item (RELATED-TO, RFC 5545 §3.8.4.5). Its attendees have SCHEDULE-AGENT=CLIENT
/// (RFC 6638 §7.1), so that a server that stores the copy sends no mail.
struct ConflictCopy {
  private static let prefix = "epact-copy-"

  private let original: CalendarItem

  init(of original: CalendarItem) {
    self.original = original
  }

  /// Whether an item is a copy.
  static func isCopy(_ uid: UID) -> Bool { uid.rawValue.hasPrefix(prefix) }

  /// The copy, or nil if the components are not a valid item.
  var item: CalendarItem? {
    let uid = "\(Self.prefix)\(original.fingerprint.rawValue.prefix(32))"
    let components = original.components.map { component in
      var copy = component
      copy[.uid] = Property(.uid, text: uid)
      copy.properties = PropertyList(
        copy.properties.map { property in
          guard property.isNamed(.attendee) || property.isNamed(.organizer) else { return property }
          var person = property
          person[.scheduleAgent] = "CLIENT"
          person[.scheduleForceSend] = nil
          return person
        })
      copy.properties.append(
        Property(
          .relatedTo, text: original.uid.rawValue,
          parameters: [Parameter(.relationshipType, "SIBLING")]))
      return copy
    }
    do throws(ItemError) {
      return try original.replacing(components: components, timeZones: original.timeZones)
    } catch {
      return nil
    }
  }
}

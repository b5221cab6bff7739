// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
public import CalendarSync
import ICalSyntax

/// A pending conflict of a sync: versions of an item that both sides changed.
public struct PendingConflict: Sendable {
  /// The name of the sync.
  public let sync: String
  /// The binding of the sync.
  let binding: SyncBinding
  /// The stored versions.
  public let stored: StoredConflict

  /// The UID of the item.
  public var uid: UID { stored.uid }
}

/// The pending conflicts of a set of syncs: lists and compares them, and stores the user's choices.
///
/// ```swift
/// try await set.resolveConflicts { conflicts in
///   for conflict in conflicts.pending { try await conflicts.resolve(conflict, as: .local) }
/// }
/// ```
public struct Conflicts: Sendable {
  /// A difference between the versions of a conflict.
  public struct Difference: Sendable {
    /// The component, the property, and the value in each version: the base, here and there.
    public let row: ItemComparison.Row
    /// Whether the difference is a reason for the conflict.
    public let isContested: Bool
  }

  /// The maximum number of candidates in an error.
  private static let candidateLimit = 10

  /// All pending conflicts, in the order of the syncs, then by UID.
  public let pending: [PendingConflict]
  /// The normal form in which a sync compares items.
  let normalForm: NormalForm
  private let configuration: Configuration
  let ledger: any LedgerStore
  let machine: Machine

  /// Reads the pending conflicts of some syncs.
  package init(
    of syncs: [SyncSettings], in configuration: Configuration, ledger: any LedgerStore,
    machine: Machine
  ) async throws {
    self.configuration = configuration
    self.ledger = ledger
    self.machine = machine
    normalForm = machine.normalForm
    var found: [PendingConflict] = []
    for sync in syncs {
      let binding = try SyncBinding(of: sync, in: configuration, machine)
      for stored in try await ledger.conflicts(of: binding) {
        found.append(PendingConflict(sync: sync.name, binding: binding, stored: stored))
      }
    }
    pending = found
  }

  /// The conflict of the item with a UID or a title, or with a beginning of one, as ``ItemFinder``
  /// finds items.
  ///
  /// - Throws: `EpactError` if there is none, or more than one.
  public func conflict(of item: String) throws(EpactError) -> PendingConflict {
    let found =
      item.isEmpty
      ? []
      : ItemNaming.closest(to: item, among: pending) { ($0.uid, title(of: $0)) }
    guard let first = found.first else {
      throw EpactError(.argument, "no conflict of \"\(item)\" is pending", subject: item)
    }
    guard found.count == 1 else {
      let lines = found.prefix(Self.candidateLimit).map { conflict in
        "\"\(title(of: conflict))\" in \(conflict.sync) (\(conflict.uid))"
      }
      let rest = found.count - lines.count
      throw EpactError(
        .argument, "\"\(item)\" is the name of \(found.count) conflicts",
        details: lines + (rest > 0 ? ["and \(rest) more"] : []), subject: item,
        remedy: .completeUID)
    }
    return first
  }

  /// The title of the item, in the first of its versions that can be read.
  private func title(of conflict: PendingConflict) -> String {
    let stored = conflict.stored
    return [stored.local, stored.remote, stored.base].lazy.compactMap { $0.flatMap(item) }
      .first?.title ?? ""
  }

  /// Resolves a conflict: writes the chosen version to the local calendar, for the next sync.
  ///
  /// It is called in ``SyncSet/resolveConflicts(_:)``, so that no run changes the ledger meanwhile.
  ///
  /// - Returns: Whether the next sync sends something; false if the remote holds the choice already.
  /// - Throws: `EpactError` if the version cannot be read or written; errors of the ledger.
  @discardableResult
  public func resolve(
    _ conflict: PendingConflict, as choice: ConflictResolver.Choice
  ) async throws -> Bool {
    guard let place = try location(of: conflict) else { return false }
    do {
      return try await ConflictResolver(
        calendar: try place.open(for: .writing, knowing: machine.knownNames(in: ledger)),
        ledger: ledger, binding: conflict.binding,
        normalForm: normalForm, now: machine.now
      ).resolve(conflict.stored, as: choice)
    } catch let error as ConflictError {
      throw EpactError(error)
    }
  }

  /// The local calendar of the conflict's sync.
  func location(of conflict: PendingConflict) throws -> CalendarLocation? {
    try configuration.syncs.first { $0.name == conflict.sync }.map {
      try configuration.location(of: $0.calendar)
    }
  }

  // MARK: Comparing

  /// The differences between the base, the local and the remote version.
  public func differences(of conflict: PendingConflict) -> [Difference] {
    let versions = [conflict.stored.base, conflict.stored.local, conflict.stored.remote]
      .map { bytes in bytes.flatMap(item) }
    let contested = contested(conflict)
    // The number of a revision says nothing to a person, and the merge takes the higher one.
    let rows = ItemComparison(versions, normalForm: normalForm).rows.filter { row in
      row.subject != PropertyName.sequence.canonicalName
    }
    return rows.map { row in
      guard !conflict.stored.isTakenBack else {
        return Difference(row: row, isContested: row.versions[1] != row.versions[2])
      }
      let isContested = contested.contains { found in
        found.component == row.component
          && row.subject.split(separator: ", ").contains { name in
            found.subject.split(whereSeparator: { $0 == "," || $0 == " " }).contains(name)
          }
      }
      return Difference(row: row, isContested: isContested)
    }
  }

  /// Whether a version of a conflict is a meeting of an organizer with one of some addresses.
  package func isMeeting(
    _ conflict: PendingConflict, organizedBy user: Set<CalendarAddress>
  ) -> Bool {
    [conflict.stored.local, conflict.stored.remote].compactMap(\.self).contains { bytes in
      (try? CalendarItem(parsing: bytes))?.isMeeting(organizedBy: user) ?? false
    }
  }

  /// The conflicting parts of the item.
  package func contested(_ conflict: PendingConflict) -> [MergeConflict] {
    (try? merged(conflict))?.conflicts.filter(\.isWaiting) ?? []
  }

  /// The merged versions; the item has the local version of each conflict.
  private func merged(_ conflict: PendingConflict) throws(EpactError) -> MergeResult {
    let stored = conflict.stored
    guard let local = stored.local.flatMap(item), let remote = stored.remote.flatMap(item) else {
      throw EpactError(.failed, "a version of \"\(conflict.uid)\" cannot be read")
    }
    let base = stored.base.flatMap(item)
    return ThreeWayMerge(normalForm: normalForm).merge(
      localBase: base, remoteBase: stored.remoteBase.flatMap(item) ?? base, local: local,
      remote: remote)
  }

  /// The merged versions, with all conflicts resolved in favour of one side.
  ///
  /// - Throws: `EpactError` if a version cannot be read.
  public func merged(
    _ conflict: PendingConflict, taking side: MergeSide
  ) throws(EpactError) -> CalendarItem {
    do throws(ConflictError) {
      return try ConflictResolver.merged(conflict.stored, taking: side, normalForm: normalForm).item
    } catch {
      throw EpactError(error)
    }
  }

  /// The errors that prevent an edited item from being saved, except those that `original` has.
  ///
  /// - Throws: `EpactError` if the local calendar is not configured.
  func faults(
    of item: CalendarItem, editedFrom original: CalendarItem, in conflict: PendingConflict
  ) throws -> [SaveError] {
    let rules = SavingRules(zones: normalForm.zones)
    let calendar = try location(of: conflict).map {
      SavingPlace(store: conflict.binding.local, isReadOnly: $0.isReadOnly)
    }
    // Errors of the unedited item are ignored: the user did not cause them.
    let known = Set(rules.errors(in: original).map(\.code))
    return rules.errors(in: item, savedIn: calendar, readFrom: conflict.binding.local)
      .filter { !known.contains($0.code) }
  }

  func item(_ bytes: [UInt8]) -> CalendarItem? {
    try? CalendarItem(parsing: bytes, normalForm: normalForm)
  }
}

extension SyncSet {
  /// Calls `body` with the pending conflicts, while no run can change them.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: `StoreError` with the code `locked` if a run is in progress; errors of the ledger
  ///   and of `body`; `EpactError` or `StoreError` if a side does not exist.
  public func resolveConflicts<Result>(
    _ body: (Conflicts) async throws -> Result
  ) async throws -> Result {
    try await ledgerFolder.whileRunning("conflicts", keeping: configuration.historyDays) { ledger in
      try await body(try await conflicts(in: ledger))
    }
  }

  /// The pending conflicts of the set's syncs.
  ///
  /// - Throws: Errors of the ledger; `EpactError` or `StoreError` if a side does not exist.
  public func conflicts() async throws -> Conflicts {
    try await conflicts(in: try ledgerFolder.openLedger())
  }

  private func conflicts(in ledger: any LedgerStore) async throws -> Conflicts {
    try await Conflicts(of: syncs, in: configuration, ledger: ledger, machine: machine)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Epact

/// Lists conflicts of the ledger, shows them, and passes the user's choices to the engine.
struct ConflictDesk {
  private let ledger: any LedgerStore
  let context: Context
  private let configuration: Configuration
  private let syncs: [SyncSettings]
  /// The normal form in which a sync compares items.
  let normalForm: NormalForm

  /// Creates an instance for all configured syncs, or for one.
  ///
  /// - Throws: `Failure` or `ConfigurationError`.
  init(ledger: any LedgerStore, sync: String?, in context: Context) throws {
    self.ledger = ledger
    self.context = context
    normalForm = context.normalForm
    configuration = try context.configuration()
    syncs = configuration.syncs.filter { sync == nil || $0.name == sync }
    if let sync, syncs.isEmpty {
      throw Failure(.configuration, "there is no sync \"\(sync)\" in the configuration")
    }
  }

  /// All pending conflicts, in the order of the configuration, then by UID.
  func waiting() async throws -> [WaitingConflict] {
    var found: [WaitingConflict] = []
    for sync in syncs {
      let binding = try binding(of: sync)
      for stored in try await ledger.conflicts(of: binding) {
        found.append(WaitingConflict(sync: sync.name, binding: binding, stored: stored))
      }
    }
    return found
  }

  /// Resolves a conflict.
  func resolve(_ conflict: WaitingConflict, as choice: ConflictResolver.Choice) async throws {
    guard let place = try place(of: conflict) else { return }
    do {
      try await resolver(conflict, try place.open(for: .writing))
        .resolve(conflict.stored, as: choice)
    } catch let error as ConflictError {
      throw Failure(error.code == .notWritten ? .someFailed : .nothingDone, "\(error)")
    }
  }

  /// The local calendar of the conflict's sync.
  func place(of conflict: WaitingConflict) throws -> CalendarLocation? {
    try syncs.first { $0.name == conflict.sync }.map {
      try CalendarLocation($0.calendar, configuration: configuration, machine: context.machine)
    }
  }

  private func binding(of sync: SyncSettings) throws -> SyncBinding {
    try SyncBinding(of: sync, in: configuration, context)
  }

  private func resolver(
    _ conflict: WaitingConflict, _ calendar: any LocalCalendar
  ) -> ConflictResolver {
    ConflictResolver(
      calendar: calendar, ledger: ledger, binding: conflict.binding,
      normalForm: normalForm, now: context.machine.now)
  }

  // MARK: Showing

  /// The sync, the item and the conflicting properties on one line.
  func line(_ conflict: WaitingConflict) -> ConsoleText {
    let subjects =
      conflict.stored.isTakenBack
      ? "a run was taken back; the sides differ since"
      : contested(conflict).map(\.subject).joined(separator: "; ")
    let name: ConsoleText = "\"\(conflict.stored.title)\" \("(\(conflict.uid))", .dim)"
    return "\(conflict.sync): \(name): \(subjects)"
  }

  /// Shows the differences of the three versions side by side; a mark precedes each conflict.
  func show(_ conflict: WaitingConflict, asJSON: Bool) {
    guard !asJSON else { return context.console.write(json(conflict)) }
    context.console.show(line(conflict))
    let table = VersionTable(
      heads: ["agreed on", "here", "there"],
      rows: rows(of: conflict).map { row, isContested in
        VersionTable.Row(
          isMarked: isContested, title: "\(row.component): \(row.subject)", cells: row.values)
      }, columns: context.console.columns)
    for line in table.lines { context.console.show(line) }
    context.console.note(
      "To settle it: \(SuggestedCommand.settle(conflict.uid)) (or remote, or both; or with --edit)")
  }

  /// The JSON representation.
  func json(_ conflict: WaitingConflict) -> JSONValue {
    [
      "sync": .string(conflict.sync), "uid": .string(conflict.uid.rawValue),
      "title": .string(conflict.stored.title),
      "differences": .array(
        rows(of: conflict).map { row, isContested in
          let versions = row.versions.map { JSONValue.array($0.map { .string($0) }) }
          return [
            "component": .string(row.component), "name": .string(row.subject),
            "conflict": .bool(isContested), "base": versions[0], "local": versions[1],
            "remote": versions[2],
          ]
        }),
    ]
  }

  private func rows(
    of conflict: WaitingConflict
  ) -> [(row: ItemComparison.Row, isContested: Bool)] {
    let versions = [conflict.stored.base, conflict.stored.local, conflict.stored.remote]
      .map { bytes in bytes.flatMap(item) }
    let contested = contested(conflict)
    if conflict.stored.isTakenBack {
      return ItemComparison(versions, normalForm: normalForm).rows.map {
        ($0, $0.versions[1] != $0.versions[2])
      }
    }
    return ItemComparison(versions, normalForm: normalForm).rows.map { row in
      let isContested = contested.contains { found in
        found.component == row.component
          && row.subject.split(separator: ", ").contains { name in
            found.subject.split(whereSeparator: { $0 == "," || $0 == " " }).contains(name)
          }
      }
      return (row, isContested)
    }
  }

  /// The conflicting parts of the item.
  private func contested(_ conflict: WaitingConflict) -> [MergeConflict] {
    (try? merged(conflict))?.conflicts.filter(\.isWaiting) ?? []
  }

  /// The merged versions; the item has the local version of each conflict.
  ///
  /// - Throws: `Failure` if a version cannot be read.
  func merged(_ conflict: WaitingConflict) throws -> MergeResult {
    let stored = conflict.stored
    guard let local = stored.local.flatMap(item), let remote = stored.remote.flatMap(item) else {
      throw Failure(.nothingDone, "a version of \"\(conflict.uid)\" cannot be read")
    }
    let base = stored.base.flatMap(item)
    return ThreeWayMerge(normalForm: normalForm).merge(
      localBase: base, remoteBase: stored.remoteBase.flatMap(item) ?? base, local: local,
      remote: remote)
  }

  /// The merged versions, with all conflicts resolved in favour of one side.
  ///
  /// - Throws: `Failure` if a version cannot be read.
  func merged(_ conflict: WaitingConflict, taking side: MergeSide) throws -> CalendarItem {
    do throws(ConflictError) {
      return try ConflictResolver.merged(conflict.stored, taking: side, normalForm: normalForm).item
    } catch {
      throw Failure(.nothingDone, "\(error)")
    }
  }

  private func item(_ bytes: [UInt8]) -> CalendarItem? {
    try? CalendarItem(parsing: bytes, normalForm: normalForm)
  }
}

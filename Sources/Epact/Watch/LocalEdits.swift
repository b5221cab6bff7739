// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// The differences between local calendars and what their syncs agreed on.
///
/// They tell the user's edits from the files that syncs wrote: what a sync wrote is as agreed.
/// Items that no sync settles, such as conflicts and those outside of a filter, remain in the set,
/// so that only its new elements are new edits.
package struct LocalEdits: Hashable, Sendable {
  /// The local state of an item; with an empty name if there is none.
  private struct Edit: Hashable, Sendable {
    let sync: String
    let uid: UID
    let name: String
    /// The fingerprint, or the reason why the file cannot be read.
    let content: String
  }

  private var edits: Set<Edit> = []

  /// Finds the edits of some syncs.
  ///
  /// The folders of accounts count as edits, too.
  ///
  /// - Throws: Errors of the calendars and of the ledger.
  package init(
    of syncs: [SyncSettings], _ accounts: [AccountSyncSettings] = [],
    in configuration: Configuration, machine: Machine
  ) async throws {
    for account in accounts {
      for folder in try FolderAccount(path: account.folder).collections() {
        edits.insert(
          Edit(
            sync: account.name, uid: UID(folder.place), name: folder.place,
            content: folder.title ?? ""))
      }
    }
    let ledger = try LedgerFolder(machine: machine, isReadOnly: true).openLedger()
    for sync in syncs {
      let binding = try SyncBinding(of: sync, in: configuration, machine)
      if let mirror = configuration.mirror(of: sync) {
        let cursor = try await ledger.checkpoint(of: binding).cursor
        try await add(
          mirror, since: cursor.flatMap(MirrorCursor.init), of: sync.name, in: configuration,
          machine)
      }
      let calendar = try configuration.location(of: sync.calendar)
        .open(for: .reading, knowing: machine.knownNames)
      let survey = try await calendar.survey(
        since: try await ledger.checkpoint(of: binding).snapshot, in: machine.normalForm,
        at: machine.now())
      let places = try await ledger.places(of: binding)
      add(survey, places, of: sync.name)
    }
  }

  /// Adds the items of a mirror's sources that changed since its last run.
  private mutating func add(
    _ mirror: MirrorSettings, since cursor: MirrorCursor?, of sync: String,
    in configuration: Configuration, _ machine: Machine
  ) async throws {
    for (index, name) in mirror.sources.enumerated() {
      let calendar = try configuration.location(of: name)
        .open(for: .reading, knowing: machine.knownNames)
      let snapshots = cursor?.snapshots ?? []
      let survey = try await calendar.survey(
        since: snapshots.indices.contains(index) ? snapshots[index] : nil, in: machine.normalForm,
        at: machine.now())
      guard !survey.isUnchanged else { continue }
      for record in survey.changes?.found ?? survey.records() {
        edits.insert(
          Edit(
            sync: "\(sync)/\(name)", uid: record.uid, name: record.name,
            content: "\(record.fingerprint)"))
      }
      for (name, uid) in survey.changes?.gone ?? [:] {
        edits.insert(Edit(sync: sync, uid: uid, name: name, content: ""))
      }
    }
  }

  private mutating func add(
    _ survey: LocalSurvey, _ places: [LedgerSummary], of sync: String
  ) {
    var agreed: [UID: LedgerSummary] = [:]
    for place in places { agreed[place.uid] = place }
    for record in survey.records() {
      let place = agreed.removeValue(forKey: record.uid)
      if let place, place.localBase == record.fingerprint, place.localName == record.name {
        continue
      }
      edits.insert(
        Edit(
          sync: sync, uid: record.uid, name: record.name, content: "\(record.fingerprint)"))
    }
    for uid in agreed.keys {
      edits.insert(Edit(sync: sync, uid: uid, name: "", content: ""))
    }
    for entry in survey.unreadable {
      edits.insert(
        Edit(sync: sync, uid: UID(entry.name), name: entry.name, content: entry.reason))
    }
  }

  /// Whether there are edits that an earlier set does not contain.
  package func hasNew(since earlier: LocalEdits) -> Bool { !edits.isSubset(of: earlier.edits) }
}

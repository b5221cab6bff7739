// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Glibc

/// The calendar into which items are imported, with the items found by the last scan.
struct ImportTarget {
  private let calendar: (any EditableCalendar)?
  /// The recorder of the changes; nil if nothing is written.
  private let recorder: ChangeRecorder?
  private var run: ChangeRun
  private var entries: [UID: LocalEntry] = [:]
  /// The unreadable entries of the calendar, which are neither updated nor replaced.
  private(set) var unreadable: [UnreadableEntry] = []

  /// Whether the calendar is one file, which each batch of changes rewrites as a whole.
  var isFile: Bool { calendar?.isHandledAsWhole ?? false }

  /// Opens a calendar and reads it.
  ///
  /// A calendar that does not exist is created. If nothing is written, it is treated as empty
  /// instead.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the calendar; nil if there is none, so that nothing is written.
  ///   - recorder: The recorder of the changes; nil if nothing is written.
  ///   - names: The names by which syncs know items.
  /// - Throws: `StoreError`.
  init(_ path: String?, recorder: ChangeRecorder?, knowing names: KnownNames) throws {
    calendar = try path.flatMap { path throws(StoreError) in
      guard recorder != nil || FileMode(path) != nil else { return nil }
      return try LocalCalendars.openEditable(
        path: path, for: recorder == nil ? .reading : .creating, knowing: names)
    }
    self.recorder = recorder
    run = ChangeRun(of: .imports(into: calendar?.location ?? ""))
    try rescan()
  }

  /// The stored entry with a UID.
  subscript(uid: UID) -> LocalEntry? { entries[uid] }

  /// Scans the calendar, at the start or after another program has changed it.
  mutating func rescan() throws {
    guard let listing = try calendar?.scan() else { return }
    entries = [:]
    for entry in listing.entries { entries[entry.item.uid] = entry }
    unreadable = listing.unreadable
  }

  /// Stores items, unless nothing is written.
  ///
  /// - Returns: The errors of the items that were not stored.
  /// - Throws: `StoreError`; errors of the ledger.
  mutating func store(_ items: [CalendarItem]) throws -> [UID: BatchError] {
    guard let recorder, let calendar else { return [:] }
    let known = items.map { entries[$0.uid] }
    let outcomes = try recorder.commit(in: &run) {
      try ChangeSet.independent(
        zip(items, known).map { $1?.change(to: $0) ?? .create($0) },
        zip(items, known).map { Intent(storing: $0, over: $1?.item) }, in: calendar)
    }
    let errors = outcomes.flatMap { outcome in
      outcome.changes.intents.map { ($0.uid, outcome.error) }
    }
    return Dictionary(errors) { $1 }.compactMapValues(\.self)
  }

  /// Ends the run in the history.
  mutating func end() throws { try recorder?.end(&run) }
}

extension LocalEntry {
  fileprivate func change(to item: CalendarItem) -> LocalChange {
    .update(name: name, from: revision, to: item)
  }
}

extension Intent {
  /// The intent of storing an item of an import.
  fileprivate init(storing item: CalendarItem, over old: CalendarItem?) {
    self.init(
      uid: item.uid, action: old == nil ? .createLocal : .updateLocal,
      content: item.serialized(forStorage: true), fingerprint: item.fingerprint,
      before: old?.serialized(), href: nil, etag: nil)
  }
}

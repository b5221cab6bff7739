// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Synchronization

/// A local calendar that notes the bytes of its files, so that an import can be undone exactly.
///
/// The journal of an import has the items. That is not all of a file: a calendar in one file has an
/// order, and a file of a folder can have a byte order mark or blank lines around its calendar. The
/// record has one change for a calendar in one file, over all batches, and one for each file of a
/// folder whose item does not have the bytes of the file.
///
/// It is a class, because the run and the import share the record.
final class RecordedCalendar: LocalCalendar {
  private struct Record {
    /// The names of files with other bytes than those of their items.
    var oddNames: Set<String> = []
    /// The changes of files in a folder.
    var files: [FileChange] = []
    /// The first and the last contents of a calendar in one file.
    var whole: (before: [UInt8]?, after: [UInt8])?
    /// Whether another program wrote the file between two batches.
    var isBroken = false
  }

  private let calendar: any EditableCalendar
  private let record = Mutex(Record())

  init(_ calendar: any EditableCalendar) {
    self.calendar = calendar
  }

  var location: String { calendar.location }
  var isHandledAsWhole: Bool { calendar.isHandledAsWhole }
  var properties: (any CollectionPropertyStore)? { calendar.properties }

  /// The recorded changes.
  var changes: [FileChange] {
    record.withLock { record in
      guard let whole = record.whole else { return record.files }
      return record.isBroken
        ? [] : [FileChange(of: location, from: whole.before, to: whole.after)]
    }
  }

  func scan() async throws -> LocalListing {
    let listing = try read()
    guard !isHandledAsWhole else { return listing }
    let odd = listing.entries.filter { Revision(of: $0.item.serialized()) != $0.revision }
    record.withLock { $0.oddNames = Set(odd.map(\.name)) }
    return listing
  }

  private func read() throws -> LocalListing { try calendar.scan() }

  func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
    try write(changes)
  }

  private func write(_ changes: [LocalChange]) throws -> [LocalOutcome] {
    if let file = calendar as? FileCalendar {
      return try file.apply(changes) { before, after in note(before, after) }
    }
    let odd = record.withLock(\.oddNames)
    let contents = try changes.map { change -> [UInt8]? in
      guard let (name, revision) = change.replaced, odd.contains(name) else { return nil }
      let bytes = try FileChange.contents(at: "\(location)/\(name)")
      return bytes.map { Revision(of: $0) } == revision ? bytes : nil
    }
    let outcomes = try calendar.apply(changes)
    for ((change, before), outcome) in zip(zip(changes, contents), outcomes) {
      // The condition of the change was the revision of these bytes.
      guard let before, let name = change.replaced?.name, case .done = outcome else { continue }
      let file = FileChange(of: "\(location)/\(name)", from: before, to: change.contents)
      record.withLock { $0.files.append(file) }
    }
    return outcomes
  }

  private func note(_ before: [UInt8]?, _ after: [UInt8]) {
    record.withLock { record in
      if let whole = record.whole, whole.after != before { record.isBroken = true }
      record.whole = (record.whole.map(\.before) ?? before, after)
    }
  }
}

extension LocalChange {
  /// The file that the change replaces or removes; nil for a new one.
  fileprivate var replaced: (name: String, revision: Revision)? {
    switch self {
    case .create: nil
    case .update(let name, let revision, _), .putBack(let name, let revision, _),
      .delete(let name, let revision):
      (name, revision)
    }
  }

  /// The new bytes in a folder; nil for a deletion.
  fileprivate var contents: [UInt8]? {
    switch self {
    case .create(let item), .update(_, _, let item): item.serialized(forStorage: true)
    case .putBack(_, _, let bytes): bytes
    case .delete: nil
    }
  }
}

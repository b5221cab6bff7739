// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

/// A traversal of the files in a folder and of a snapshot, both in order of their names.
struct FolderWalk {
  /// A file that was found: an offset in the snapshot, or an index of the files that were read.
  private enum Found {
    case kept(Int)
    case read(Int)
  }

  private var known: FolderSnapshot
  private let doubtfulFrom: Int64
  private var found: [Found] = []
  private var read: [(record: LocalRecord, stamp: FileStamp)] = []
  private var unreadable: [UnreadableEntry] = []
  /// The records that were read and differ from the snapshot.
  private var changed: [LocalRecord] = []
  /// The UIDs of snapshot records that no longer apply.
  private var gone: Set<UID> = []

  init(known: FolderSnapshot, now: Instant) {
    self.known = known
    doubtfulFrom = FileStatus.doubtfulFrom(now)
  }

  /// Uses the snapshot's record for a file, or returns false if the file must be read.
  mutating func keep(_ name: String, _ status: FileStatus) -> Bool {
    skip(to: name)
    guard status.kind == .file, let entry = known.current, known.isCurrent(name),
      entry.stamp == FileStamp(status)
    else { return false }
    found.append(.kept(entry.start))
    known.advance()
    return true
  }

  /// Adds a record that was read.
  mutating func add(_ record: LocalRecord, _ status: FileStatus?) {
    if known.current.map({ known.record($0) }) == record {
      known.advance()
    } else {
      changed.append(record)
    }
    let isDoubtful = status.map { $0.changedAt >= doubtfulFrom } ?? true
    found.append(.read(read.count))
    read.append((record, isDoubtful ? .none : status.map { FileStamp($0) } ?? .none))
  }

  /// Adds a file that is not a valid item.
  mutating func addUnreadable(_ name: String, _ reason: String) {
    unreadable.append(UnreadableEntry(name: name, reason: reason))
  }

  private mutating func skip(to name: String?) {
    for entry in known.skip(to: name) { gone.insert(known.uid(entry)) }
  }

  // MARK: Result

  /// The result of the complete walk.
  consuming func survey(form: NormalForm, of identity: FolderIdentity) -> LocalSurvey {
    skip(to: nil)
    let isUnchanged = changed.isEmpty && gone.isEmpty && unreadable.isEmpty
    if isUnchanged, read.isEmpty, let snapshot = known.snapshot {
      let known = known
      return LocalSurvey(
        isUnchanged: true, changes: LocalChanges(found: [], gone: []), snapshot: snapshot
      ) { known.records() }
    }
    let doubles = leaveOutDoubles()
    var writer = FolderSnapshot.Writer(form: form, of: identity, after: known)
    for place in found {
      switch place {
      case .kept(let start):
        if let entry = known.entry(at: start) { writer.append(entry, of: known) }
      case .read(let index): writer.append(read[index].record, read[index].stamp)
      }
    }
    let hasChanges = known.snapshot != nil && unreadable.isEmpty && doubles.isEmpty
    return LocalSurvey(
      isUnchanged: isUnchanged && known.snapshot != nil,
      changes: hasChanges ? LocalChanges(found: changed, gone: gone) : nil,
      unreadable: unreadable + doubles, snapshot: writer.snapshot
    ) { [known, found, read] in
      found.compactMap { place in
        switch place {
        case .kept(let start): known.entry(at: start).map(known.record)
        case .read(let index): read[index].record
        }
      }
    }
  }

  /// Removes the files whose UID an earlier file has, and returns them as unreadable.
  ///
  /// The snapshot has no duplicate UIDs, so only records with the UID of a file that was read are
  /// checked.
  private mutating func leaveOutDoubles() -> [UnreadableEntry] {
    let uids = Set(read.lazy.map { ArraySlice($0.record.uid.rawValue.utf8) })
    let (known, read) = (known, read)
    var holders: [UID: String] = [:]
    var doubles: [UnreadableEntry] = []
    found.removeAll { place in
      let record: LocalRecord
      switch place {
      case .kept(let start):
        guard let entry = known.entry(at: start), known.isOf(uids, entry) else { return false }
        record = known.record(entry)
      case .read(let index): record = read[index].record
      }
      guard let first = holders[record.uid] else {
        holders[record.uid] = record.name
        return false
      }
      let reason = "holds the UID '\(record.uid)', which \(first) holds already"
      doubles.append(UnreadableEntry(name: record.name, reason: reason))
      return true
    }
    return doubles
  }
}

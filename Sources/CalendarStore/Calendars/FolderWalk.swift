// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

/// The files of a folder, gone through in the order of their names beside what is known of them.
struct FolderWalk {
  /// What was found of one file: where the snapshot has it, or what was read.
  private enum Found {
    case kept(Int)
    case read(Int)
  }

  private var known: FolderSnapshot
  private let doubtfulFrom: Int64
  private var found: [Found] = []
  private var read: [(record: LocalRecord, stamp: FileStamp)] = []
  private var unreadable: [UnreadableEntry] = []
  /// What was read and is not as it is known.
  private var changed: [LocalRecord] = []
  /// Of what a record is known that is not there as it was.
  private var gone: Set<UID> = []

  init(known: FolderSnapshot, now: Instant) {
    self.known = known
    doubtfulFrom = FileStatus.doubtfulFrom(now)
  }

  /// Takes a file for what it is known to be; false if it has to be read.
  mutating func keep(_ name: String, _ status: FileStatus) -> Bool {
    skip(to: name)
    guard status.kind == .file, let entry = known.current, known.isCurrent(name),
      entry.stamp == FileStamp(status)
    else { return false }
    found.append(.kept(entry.start))
    known.advance()
    return true
  }

  /// Takes what was read.
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

  /// Takes what is no item.
  mutating func addUnreadable(_ name: String, _ reason: String) {
    unreadable.append(UnreadableEntry(name: name, reason: reason))
  }

  private mutating func skip(to name: String?) {
    for entry in known.skip(to: name) { gone.insert(known.uid(entry)) }
  }

  // MARK: What was found

  /// What was found in all.
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

  /// Leaves out whatever holds the UID of a file before it, and tells of it.
  ///
  /// No two records that are kept share one, so only those matter that share one with what was read.
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

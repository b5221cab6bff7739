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
  /// Whether something is not as it is known.
  private var hasChanged = false

  init(known: FolderSnapshot, now: Instant) {
    self.known = known
    doubtfulFrom = FileStatus.doubtfulFrom(now)
  }

  /// Takes a file for what it is known to be; false if it has to be read.
  mutating func keep(_ name: String, _ status: FileStatus) -> Bool {
    if known.skip(to: name) { hasChanged = true }
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
      hasChanged = true
    }
    let isDoubtful = status.map { $0.changedAt >= doubtfulFrom } ?? true
    found.append(.read(read.count))
    read.append((record, isDoubtful ? .none : status.map { FileStamp($0) } ?? .none))
  }

  /// Takes what is no item.
  mutating func addUnreadable(_ name: String, _ reason: String) {
    hasChanged = true
    unreadable.append(UnreadableEntry(name: name, reason: reason))
  }

  /// What was found in all.
  consuming func survey(form: NormalForm) -> LocalSurvey {
    if known.skip(to: nil) { hasChanged = true }
    if !hasChanged, read.isEmpty, let snapshot = known.snapshot {
      let known = known
      return LocalSurvey(isUnchanged: true, snapshot: snapshot) { known.records() }
    }
    var nameOfUID: [UID: String] = [:]
    var records: [LocalRecord] = []
    nameOfUID.reserveCapacity(found.count)
    records.reserveCapacity(found.count)
    var writer = FolderSnapshot.Writer(form: form)
    for place in found {
      let entry: (record: LocalRecord, stamp: FileStamp)
      switch place {
      case .kept(let start):
        guard let kept = known.entry(at: start) else { continue }
        entry = (known.record(kept), kept.stamp)
      case .read(let index): entry = read[index]
      }
      if let first = nameOfUID[entry.record.uid] {
        let reason = "holds the UID '\(entry.record.uid)', which \(first) holds already"
        unreadable.append(UnreadableEntry(name: entry.record.name, reason: reason))
        continue
      }
      nameOfUID[entry.record.uid] = entry.record.name
      records.append(entry.record)
      writer.append(entry.record, entry.stamp)
    }
    let result = records
    return LocalSurvey(
      isUnchanged: !hasChanged && known.snapshot != nil, unreadable: unreadable,
      snapshot: writer.snapshot
    ) { result }
  }
}

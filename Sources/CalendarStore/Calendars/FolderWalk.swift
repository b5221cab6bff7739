// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

/// The files of a folder, gone through in the order of their names beside what is known of them.
struct FolderWalk {
  /// How long a status may stand for two versions of a file, in nanoseconds: FAT counts in two seconds.
  private static let doubt: Int64 = 2_000_000_000

  private var known: FolderSnapshot
  private let doubtfulFrom: Int64
  /// What was found; nil in the place of what is as it is known.
  private var found: [(record: LocalRecord, stamp: FileStamp)?] = []
  private var unreadable: [UnreadableEntry] = []
  /// Whether something is not as it is known.
  private var hasChanged = false
  /// Whether a file was read.
  private var hasRead = false

  init(known: FolderSnapshot, now: Instant) {
    self.known = known
    let (start, overflows) = now.secondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000_000)
    doubtfulFrom = overflows ? .min : start.subtractingReportingOverflow(Self.doubt).partialValue
  }

  /// Takes a file for what it is known to be; false if it has to be read.
  mutating func keep(_ name: String, _ status: FileStatus) -> Bool {
    if known.skip(to: name) { hasChanged = true }
    guard status.kind == .file, known.isCurrent(name), known.current?.stamp == FileStamp(status)
    else { return false }
    found.append(nil)
    known.keep()
    return true
  }

  /// Takes what was read.
  mutating func add(_ record: LocalRecord, _ status: FileStatus?) {
    hasRead = true
    if known.current.map({ known.record($0) }) == record {
      known.drop()
    } else {
      hasChanged = true
    }
    let isDoubtful = status.map { $0.changedAt >= doubtfulFrom } ?? true
    found.append((record, isDoubtful ? .none : status.map { FileStamp($0) } ?? .none))
  }

  /// Takes what is no item.
  mutating func addUnreadable(_ name: String, _ reason: String) {
    hasChanged = true
    unreadable.append(UnreadableEntry(name: name, reason: reason))
  }

  /// What was found in all.
  consuming func survey(form: NormalForm) -> LocalSurvey {
    if known.skip(to: nil) { hasChanged = true }
    if !hasChanged, !hasRead {
      let snapshot = known
      return LocalSurvey(isUnchanged: snapshot.isUsable, snapshot: snapshot.snapshot) {
        snapshot.records().map(\.record)
      }
    }
    var kept = known.kept.makeIterator()
    var nameOfUID: [UID: String] = [:]
    var records: [LocalRecord] = []
    var writer = FolderSnapshot.Writer(form: form)
    for entry in found {
      guard let (record, stamp) = entry ?? kept.next().map({ (known.record($0), $0.stamp) }) else {
        continue
      }
      if let first = nameOfUID[record.uid] {
        let reason = "holds the UID '\(record.uid)', which \(first) holds already"
        unreadable.append(UnreadableEntry(name: record.name, reason: reason))
        continue
      }
      nameOfUID[record.uid] = record.name
      records.append(record)
      writer.append(record, stamp)
    }
    let result = records
    return LocalSurvey(
      isUnchanged: !hasChanged && known.isUsable, unreadable: unreadable,
      snapshot: writer.snapshot
    ) { result }
  }
}

/// What of a file's status is another one when the file is.
struct FileStamp: Equatable {
  let size: UInt64
  let modifiedAt: UInt64
  let changedAt: UInt64
  let number: UInt64

  /// The stamp of no file: what has it is read again.
  static let none = FileStamp(size: .max, modifiedAt: .max, changedAt: .max, number: .max)

  init(size: UInt64, modifiedAt: UInt64, changedAt: UInt64, number: UInt64) {
    self.size = size
    self.modifiedAt = modifiedAt
    self.changedAt = changedAt
    self.number = number
  }

  init(_ status: FileStatus) {
    self.init(
      size: UInt64(bitPattern: Int64(status.size)),
      modifiedAt: UInt64(bitPattern: status.modifiedAt),
      changedAt: UInt64(bitPattern: status.changedAt), number: status.number)
  }
}

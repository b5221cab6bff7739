// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

/// A traversal of the files in a folder and of a snapshot, both in order of their names.
struct FolderWalk {
  /// Files that were found: a range of records in the snapshot, or an index of the files that were
  /// read.
  private enum Found {
    case kept(Range<Int>)
    case read(Int)
  }

  private var known: FolderSnapshot
  private var found: [Found] = []
  private var read: [(record: LocalRecord, stamp: FileStamp)] = []
  private let undecodable: [UnreadableEntry]
  private var unreadable: [UnreadableEntry] = []
  /// The records that were read and differ from the snapshot.
  private var changed: [LocalRecord] = []
  /// The names and UIDs of snapshot records that no longer apply.
  private var gone: [String: UID] = [:]

  /// Begins the walk.
  ///
  /// - Parameters:
  ///   - known: The snapshot.
  ///   - undecodable: The entries whose names are not UTF-8.
  init(known: FolderSnapshot, undecodable: [UnreadableEntry]) {
    self.known = known
    self.undecodable = undecodable
  }

  /// Uses the snapshot's record for a file, or returns false if the file must be read.
  mutating func keep(_ name: ArraySlice<UInt8>, _ version: FileVersion) -> Bool {
    guard version.stamp != .none else { return false }
    skip(to: name)
    guard let entry = known.current, entry.stamp == version.stamp, known.isCurrent(name)
    else { return false }
    if case .kept(let range)? = found.last, range.upperBound == entry.start {
      found[found.count - 1] = .kept(range.lowerBound..<entry.end)
    } else {
      found.append(.kept(entry.start..<entry.end))
    }
    known.advance()
    return true
  }

  /// Adds a record that was read.
  mutating func add(_ record: LocalRecord, _ version: FileVersion) {
    if known.current.map({ known.record($0) }) == record {
      known.advance()
    } else {
      changed.append(record)
    }
    found.append(.read(read.count))
    read.append((record, version.isCertain ? version.stamp : .none))
  }

  /// Adds a file that is not a valid item.
  mutating func addUnreadable(_ name: String, _ reason: String) {
    unreadable.append(UnreadableEntry(name: name, reason: reason))
  }

  private mutating func skip(to name: ArraySlice<UInt8>?) {
    for entry in known.skip(to: name) { gone[known.name(entry)] = known.uid(entry) }
  }

  // MARK: Result

  /// The result of the complete walk.
  ///
  /// - Throws: An error of the names that syncs know.
  consuming func survey(
    form: NormalForm, of anchor: FolderAnchor, knowing names: KnownNames
  ) throws -> LocalSurvey {
    skip(to: nil)
    unreadable = undecodable + unreadable
    let isUnchanged = changed.isEmpty && gone.isEmpty && unreadable.isEmpty
    if isUnchanged, read.isEmpty, let snapshot = known.snapshot {
      let known = known
      return LocalSurvey(
        isUnchanged: true, changes: LocalChanges(found: [], gone: [:]), snapshot: snapshot
      ) { known.records() }.selecting { known.records(of: $0, in: known.whole) }
    }
    let doubles = try leaveOutDoubles(anchor.path, names)
    let hasChanges = known.snapshot != nil && unreadable.isEmpty && doubles.isEmpty
    return LocalSurvey(
      isUnchanged: isUnchanged && known.snapshot != nil,
      changes: hasChanges ? LocalChanges(found: changed, gone: gone) : nil,
      unreadable: unreadable + doubles, snapshot: snapshot(form: form, of: anchor.identity)
    ) { [known, found, read] in
      found.flatMap { place in
        switch place {
        case .kept(let range): known.entries(in: range).map(known.record)
        case .read(let index): [read[index].record]
        }
      }
    }.selecting { [known, found, read] uids in
      found.flatMap { place in
        switch place {
        case .kept(let range): known.records(of: uids, in: range)
        case .read(let index): [read[index].record].filter { uids.contains($0.uid) }
        }
      }
    }
  }

  /// The snapshot of the files that were found.
  private func snapshot(form: NormalForm, of identity: FolderIdentity) -> LocalSnapshot {
    let size = found.reduce(0) { size, place in
      switch place {
      case .kept(let range): size + range.count
      case .read(let index): size + FolderSnapshot.Writer.size(of: read[index].record)
      }
    }
    var writer = FolderSnapshot.Writer(form: form, of: identity, size: size)
    for place in found {
      switch place {
      case .kept(let range): writer.append(range, of: known)
      case .read(let index): writer.append(read[index].record, read[index].stamp)
      }
    }
    return writer.snapshot
  }

  /// Removes the files whose UID belongs to the item in another file, and returns them.
  ///
  /// The snapshot has no duplicate UIDs, so only records with the UID of a file that was read are
  /// checked.
  private mutating func leaveOutDoubles(
    _ location: String, _ known: KnownNames
  ) throws -> [UnreadableEntry] {
    let uids = Set(read.lazy.map { ArraySlice($0.record.uid.rawValue.utf8) })
    guard !uids.isEmpty else { return [] }
    let items = try known.items(among: sharedUIDs(uids), in: location)
    guard !items.isEmpty else { return [] }
    return leaveOut(uids) { record in
      items[record.uid].flatMap { item in
        item == record.name
          ? nil : UnreadableEntry(record.name, sharing: record.uid, with: item)
      }
    }
  }

  /// The names of the files whose UID several files hold, among some UIDs in bytes.
  private func sharedUIDs(_ uids: Set<ArraySlice<UInt8>>) -> [UID: [String]] {
    var names: [UID: [String]] = [:]
    for place in found {
      switch place {
      case .kept(let range):
        for entry in known.entries(in: range) where known.isOf(uids, entry) {
          names[known.uid(entry), default: []].append(known.name(entry))
        }
      case .read(let index):
        names[read[index].record.uid, default: []].append(read[index].record.name)
      }
    }
    return names.filter { $0.value.count > 1 }
  }

  /// Removes the files for which a condition returns an entry, among those with some UIDs.
  private mutating func leaveOut(
    _ uids: Set<ArraySlice<UInt8>>, _ double: (LocalRecord) -> UnreadableEntry?
  ) -> [UnreadableEntry] {
    var doubles: [UnreadableEntry] = []
    func isDouble(_ record: LocalRecord) -> Bool {
      guard let entry = double(record) else { return false }
      doubles.append(entry)
      return true
    }
    var single: [Found] = []
    for place in found {
      switch place {
      case .kept(let range):
        var start = range.lowerBound
        for entry in known.entries(in: range)
        where known.isOf(uids, entry) && isDouble(known.record(entry)) {
          single.append(.kept(start..<entry.start))
          start = entry.end
        }
        single.append(.kept(start..<range.upperBound))
      case .read(let index):
        if !isDouble(read[index].record) { single.append(place) }
      }
    }
    found = single
    return doubles
  }
}

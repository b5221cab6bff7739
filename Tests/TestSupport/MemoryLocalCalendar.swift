// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime
import Synchronization

/// A local calendar in memory: a folder of files, each with one item or something that is none.
public final class MemoryLocalCalendar: LocalCalendar {
  private struct File {
    let bytes: [UInt8]
    /// The item, or nil if the bytes cannot be read as one.
    let item: CalendarItem?
    /// Why the bytes cannot be read.
    let problem: String?

    init(bytes: [UInt8], item: CalendarItem) {
      (self.bytes, self.item, problem) = (bytes, item, nil)
    }

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      do {
        (item, problem) = (try CalendarItem(parsing: bytes), nil)
      } catch {
        (item, problem) = (nil, error.message)
      }
    }
  }

  private let faults: FaultPlan
  private let files = Mutex<[String: File]>([:])
  /// For how many more bytes there is room; nil for as many as there may be.
  private let room = Mutex<Int?>(nil)
  private let batches = Mutex(0)
  /// Under which names syncs know items, for files with the same UID.
  private let knownNames = Mutex<KnownNames?>(nil)

  /// Finds the names under which syncs know items.
  public typealias KnownNames = @Sendable (Set<UID>) async -> [UID: Set<String>]

  /// The path of the calendar.
  public let location: String

  /// Whether the calendar behaves as a single file.
  public let isHandledAsWhole: Bool

  /// What the calendar says of itself; nil unless a test wants that.
  public let properties: (any CollectionPropertyStore)?

  /// Creates an empty calendar.
  public init(
    location: String = "/calendars/home", faults: FaultPlan = FaultPlan(),
    properties: MemoryProperties? = nil, isHandledAsWhole: Bool = false
  ) {
    self.isHandledAsWhole = isHandledAsWhole
    self.location = location
    self.faults = faults
    self.properties = properties
  }

  /// Leaves room for so many bytes more; nil for as many as there may be.
  public func leaveRoom(_ bytes: Int?) {
    room.withLock { $0 = bytes }
  }

  /// Of files with one UID, takes the one that syncs know for the item.
  public func ask(_ names: @escaping KnownNames) {
    knownNames.withLock { $0 = names }
  }

  // MARK: What a person does

  /// Writes an item, in place of the one with the same UID if there is one.
  public func write(_ item: CalendarItem) {
    files.withLock { files in
      let name = Self.name(of: item.uid, in: files)
      files[name ?? ItemName(of: item.uid).rawValue] = File(bytes: item.serialized(), item: item)
    }
  }

  /// Writes a file as it is.
  public func write(_ bytes: [UInt8], as name: String) {
    files.withLock { $0[name] = File(bytes) }
  }

  /// The name of the item with a UID: of copies, the shortest one.
  public func name(of uid: String) -> String? {
    files.withLock { Self.name(of: UID(uid), in: $0) }
  }

  private static func name(of uid: UID, in files: [String: File]) -> String? {
    SharedUID.item(
      among: files.filter { $0.value.item?.uid == uid }.map(\.key), known: [])
  }

  /// Deletes the item with a UID.
  public func remove(_ uid: String) {
    files.withLock { files in
      for (name, file) in files where file.item?.uid.rawValue == uid { files[name] = nil }
    }
  }

  /// Gives the file of the item with a UID another name.
  public func rename(_ uid: String, to name: String) {
    files.withLock { files in
      guard let old = Self.name(of: UID(uid), in: files), old != name else { return }
      files[name] = files.removeValue(forKey: old)
    }
  }

  /// Removes a file.
  public func removeFile(_ name: String) {
    files.withLock { $0[name] = nil }
  }

  /// Every item by UID: of copies, the one with the shortest name.
  public var items: [String: CalendarItem] {
    files.withLock { files in
      let items = files.sorted { SharedUID.precedes($0.key, $1.key) }.compactMap(\.value.item)
      return Dictionary(items.map { ($0.uid.rawValue, $0) }) { first, _ in first }
    }
  }

  /// The names and bytes of all files.
  public var contents: [String: [UInt8]] { files.withLock { $0.mapValues(\.bytes) } }

  /// The number of batches of changes.
  public var batchCount: Int { batches.withLock { $0 } }

  // MARK: LocalCalendar

  /// Reads every file.
  public func scan() async throws -> LocalListing {
    let listing = try everything()
    var names: [UID: [String]] = [:]
    for entry in listing.entries { names[entry.item.uid, default: []].append(entry.name) }
    names = names.filter { $0.value.count > 1 }
    guard !names.isEmpty else { return listing }
    let known = await knownNames.withLock { $0 }?(Set(names.keys)) ?? [:]
    var chosen = listing
    chosen.entries = []
    for entry in listing.entries {
      let uid = entry.item.uid
      let item = names[uid].flatMap { SharedUID.item(among: $0, known: known[uid] ?? []) }
      if let item, item != entry.name {
        chosen.unreadable.append(
          UnreadableEntry(
            name: entry.name, reason: "holds the UID '\(uid)', which \(item) holds already",
            sharedUID: uid))
      } else {
        chosen.entries.append(entry)
      }
    }
    return chosen
  }

  private func everything() throws -> LocalListing {
    try faults.perform("scan") {
      files.withLock { files in
        var listing = LocalListing()
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
          if let item = file.item {
            listing.entries.append(
              LocalEntry(name: name, revision: Self.revision(file.bytes), item: item))
          } else {
            listing.unreadable.append(
              UnreadableEntry(name: name, reason: file.problem ?? "not a calendar"))
          }
        }
        return listing
      }
    }
  }

  /// Surveys; the snapshot tells the bytes of every item, as that of a folder does.
  public func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) async throws -> LocalSurvey {
    let listing = try await scan()
    let records = listing.entries.map { entry in
      LocalRecord(
        LocalEntry(
          name: entry.name, revision: entry.revision, item: entry.item.normalized(by: form)))
    }
    let new = Self.snapshot([Self.title] + records.map(Self.line))
    let known = snapshot.flatMap { Self.lines(of: $0).contains(Self.title) ? $0 : nil }
    return LocalSurvey(
      isUnchanged: new == snapshot && listing.unreadable.isEmpty,
      changes: listing.unreadable.isEmpty && !isHandledAsWhole
        ? known.map { Self.changes(records, since: $0) } : nil,
      unreadable: listing.unreadable, snapshot: new
    ) { records }
  }

  /// Adds a line for each item that is the line of no version.
  public func snapshot(
    _ snapshot: LocalSnapshot, doubting items: [String: UID]
  ) -> LocalSnapshot? {
    guard !isHandledAsWhole else { return nil }
    let known = Self.lines(of: snapshot).filter { line in
      items[String(line.prefix { $0 != "\t" })] == nil
    }
    return Self.snapshot(known + items.map { "\($0.key)\t\($0.value)\twritten" }.sorted())
  }

  private static let title = "files in memory"

  private static func snapshot(_ lines: [String]) -> LocalSnapshot {
    LocalSnapshot(Array(lines.joined(separator: "\n").utf8))
  }

  private static func lines(of snapshot: LocalSnapshot) -> [String] {
    String(decoding: snapshot.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func line(_ record: LocalRecord) -> String {
    "\(record.name)\t\(record.uid)\t\(record.revision.rawValue)"
  }

  private static func changes(
    _ records: [LocalRecord], since snapshot: LocalSnapshot
  ) -> LocalChanges {
    let old = Set(lines(of: snapshot))
    let new = Set(records.map(line))
    let gone: [(String, UID)] = old.subtracting(new).compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return fields.count == 3 ? (fields[0], UID(fields[1])) : nil
    }
    return LocalChanges(
      found: records.filter { !old.contains(line($0)) },
      gone: Dictionary(gone) { first, _ in first })
  }

  /// Makes the changes; each is a call of its own to the plan of faults.
  public func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
    batches.withLock { $0 += 1 }
    return try changes.map { change in
      do {
        return try faults.perform(Self.describe(change)) {
          guard takeRoom(for: change) else { return .unavailable(reason: "the disk is full") }
          return apply(change)
        }
      } catch let failure as FaultPlan.Failure {
        return .failed(reason: failure.description)
      }
    }
  }

  /// Takes the room that a change needs; false if there is too little.
  private func takeRoom(for change: LocalChange) -> Bool {
    let size =
      switch change {
      case .create(let item), .update(_, _, let item): item.serialized().count
      case .putBack(_, _, let bytes): bytes.count
      case .delete: 0
      }
    return room.withLock { room in
      guard let left = room else { return true }
      guard size <= left else { return false }
      room = left - size
      return true
    }
  }

  private func apply(_ change: LocalChange) -> LocalOutcome {
    files.withLock { files in
      switch change {
      case .create(let item):
        let name = ItemName(of: item.uid).rawValue
        let isTaken = files.values.contains { $0.item?.uid == item.uid }
        guard files[name] == nil, !isTaken else { return .conditionFailed }
        return Self.store(item, as: name, in: &files)
      case .update(let name, let revision, let item):
        guard files[name].map({ Self.revision($0.bytes) }) == revision else {
          return .conditionFailed
        }
        return Self.store(item, as: name, in: &files)
      case .putBack(let name, let revision, let bytes):
        guard files[name].map({ Self.revision($0.bytes) }) == revision,
          let item = try? CalendarItem(parsing: bytes)
        else { return .conditionFailed }
        return Self.store(item, as: name, in: &files)
      case .delete(let name, let revision):
        guard files[name].map({ Self.revision($0.bytes) }) == revision else {
          return .conditionFailed
        }
        files[name] = nil
        return .done(name: name, revision: nil)
      }
    }
  }

  private static func describe(_ change: LocalChange) -> String {
    switch change {
    case .create(let item): "createLocal \(item.uid)"
    case .update(_, _, let item): "updateLocal \(item.uid)"
    case .putBack(let name, _, _): "putBackLocal \(name)"
    case .delete(let name, _): "deleteLocal \(name)"
    }
  }

  private static func store(
    _ item: CalendarItem, as name: String, in files: inout [String: File]
  ) -> LocalOutcome {
    let bytes = item.serialized()
    files[name] = File(bytes: bytes, item: item)
    return .done(name: name, revision: revision(bytes))
  }

  private static func revision(_ bytes: [UInt8]) -> Revision {
    Revision(SHA256.digest(of: bytes).description)
  }
}

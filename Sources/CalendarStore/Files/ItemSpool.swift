// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// Groups a stream of payloads by UID without holding the stream in memory.
///
/// Up to a threshold everything is kept in memory. Beyond it, payloads are distributed to 64
/// temporary files by a hash of their UID, and each file is then grouped separately. A file that
/// still exceeds the threshold is divided in the same way. Memory is bounded by the threshold and
/// the largest group, not by the stream.
///
/// ```swift
/// var spool = ItemSpool(folder: temporaryFolder)
/// for (uid, bytes) in payloads { try spool.add(bytes, of: uid) }
/// while let group = try spool.next() { print(group.uid, group.payloads.count) }
/// ```
///
/// The temporary files are nameless, so that none remains, however the process ends. A spool cannot
/// be copied, because two copies would read from the same files.
public struct ItemSpool: ~Copyable {
  /// All payloads of one UID.
  public struct Group: Hashable, Sendable {
    /// The UID.
    public let uid: UID
    /// The payloads, in the order in which they were added.
    public let payloads: [[UInt8]]

    package init(uid: UID, payloads: [[UInt8]]) {
      self.uid = uid
      self.payloads = payloads
    }
  }

  /// The maximum number of divisions.
  ///
  /// After four divisions, a file contains 1/16,777,216 of the stream. If it is still too large, a
  /// fifth division would not help.
  static let depthLimit = 4

  private let folder: String
  private let threshold: Int
  /// The payloads in memory until files are used.
  private var batch = SpoolBatch()
  /// The division for payloads since the batch exceeded the threshold.
  private var division: SpoolDivision?
  /// The files that are not grouped yet, next one last.
  private var waiting: [SpoolFile] = []
  /// The groups of the last file, next one last.
  private var ready: [Group] = []

  /// Creates an empty spool.
  ///
  /// - Parameters:
  ///   - folder: The folder for temporary files, which are created only beyond the threshold.
  ///   - threshold: The number of bytes held in memory.
  public init(folder: String, threshold: Int = 16 << 20) {
    self.folder = folder
    self.threshold = threshold
  }

  /// Adds a payload; not allowed after the first call of `next()`.
  ///
  /// - Throws: `StoreError` if a temporary file cannot be created or written.
  public mutating func add(_ payload: [UInt8], of uid: UID) throws(StoreError) {
    if let division {
      try division.add(payload, of: uid)
      return
    }
    batch.add(payload, of: uid)
    guard batch.size > threshold else { return }
    let division = SpoolDivision(folder: folder, depth: 0)
    for (uid, payload) in batch.records { try division.add(payload, of: uid) }
    batch = SpoolBatch()
    self.division = division
  }

  /// Returns the next group, or nil after the last one; each UID occurs once.
  ///
  /// If everything fits in memory, groups are in the order of their first payloads. Otherwise the
  /// order is deterministic for the same stream.
  ///
  /// - Throws: `StoreError` if a temporary file cannot be created, written or read.
  public mutating func next() throws(StoreError) -> Group? {
    if let division {
      waiting = try division.finish()
      self.division = nil
    }
    while true {
      if let group = ready.popLast() { return group }
      if !batch.records.isEmpty {
        ready = batch.groups().reversed()
        batch = SpoolBatch()
      } else if let file = waiting.popLast() {
        try read(file)
      } else {
        return nil
      }
    }
  }

  private mutating func read(_ file: SpoolFile) throws(StoreError) {
    try file.rewind()
    let isSmall = file.size <= threshold || file.hasOneUID || file.depth >= Self.depthLimit
    let division = isSmall ? nil : SpoolDivision(folder: folder, depth: file.depth)
    var batch = SpoolBatch()
    while let (uid, payload) = try file.next() {
      if let division {
        try division.add(payload, of: uid)
      } else {
        batch.add(payload, of: uid)
      }
    }
    if let division {
      waiting += try division.finish()
    } else {
      ready = batch.groups().reversed()
    }
  }
}

/// Payloads in memory, in order.
struct SpoolBatch {
  /// The approximate memory of a record, in addition to its bytes.
  private static let overhead = 96

  private(set) var records: [(uid: UID, payload: [UInt8])] = []
  private(set) var size = 0

  mutating func add(_ payload: [UInt8], of uid: UID) {
    records.append((uid, payload))
    size += payload.count + uid.rawValue.utf8.count + Self.overhead
  }

  /// Returns the payloads by UID, in the order of their first payloads.
  func groups() -> [ItemSpool.Group] {
    var places: [[UInt8]: Int] = [:]
    var groups: [(uid: UID, payloads: [[UInt8]])] = []
    for (uid, payload) in records {
      // The keys are bytes, because strings compare equal if they are canonically equivalent.
      let key = Array(uid.rawValue.utf8)
      if let place = places[key] {
        groups[place].payloads.append(payload)
      } else {
        places[key] = groups.count
        groups.append((uid, [payload]))
      }
    }
    return groups.map { ItemSpool.Group(uid: $0.uid, payloads: $0.payloads) }
  }
}

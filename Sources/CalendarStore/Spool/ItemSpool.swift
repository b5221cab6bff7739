// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// Groups a stream of payloads by UID without holding the stream in memory.
///
/// Up to a threshold everything is kept in memory. Beyond it payloads go to 64 temporary files by a
/// hash of their UID, and are then grouped one file after the other; a file that is still larger than
/// the threshold is divided in the same way. Memory is bounded by the threshold and the largest group,
/// and not by the stream.
///
/// ```swift
/// var spool = ItemSpool(folder: temporaryFolder)
/// for (uid, bytes) in components { try spool.add(bytes, of: uid) }
/// while let group = try spool.next() { … }
/// ```
///
/// The temporary files have no name from the moment they are open: however the process ends, nothing
/// of them stays. A spool cannot be copied, because two copies would read from the same files.
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

  /// How often a file is divided at most.
  ///
  /// After the fourth time one holds 1/16,777,216 of the stream, and one that is too large then would
  /// not become smaller by a fifth.
  static let depthLimit = 4

  private let folder: String
  private let threshold: Int
  /// What is held in memory while nothing was written to files.
  private var batch = SpoolBatch()
  /// Where payloads go since the batch became too large.
  private var division: SpoolDivision?
  /// The files that are still to be grouped, the next one last.
  private var waiting: [SpoolFile] = []
  /// The groups of the file that was read last, the next one last.
  private var ready: [Group] = []

  /// Creates an empty spool.
  ///
  /// - Parameters:
  ///   - folder: A folder for temporary files, in which none is made unless the threshold is reached.
  ///   - threshold: How many bytes are held in memory.
  public init(folder: String, threshold: Int = 16 << 20) {
    self.folder = folder
    self.threshold = threshold
  }

  /// Adds a payload; none may be added once `next()` was called.
  ///
  /// - Throws: `StoreError` if a temporary file cannot be made or written.
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

  /// The next group, or nil after the last one; every UID comes once.
  ///
  /// The groups come in the order in which their UIDs came first, as long as all was held in memory;
  /// else in an order that is always the same for the same stream.
  ///
  /// - Throws: `StoreError` if a temporary file cannot be made, written or read.
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

/// Payloads that are held in memory, in the order in which they came.
struct SpoolBatch {
  /// What a record takes in memory beside its bytes, roughly.
  private static let overhead = 96

  private(set) var records: [(uid: UID, payload: [UInt8])] = []
  private(set) var size = 0

  mutating func add(_ payload: [UInt8], of uid: UID) {
    records.append((uid, payload))
    size += payload.count + uid.rawValue.utf8.count + Self.overhead
  }

  /// The payloads by UID, in the order in which the UIDs came first.
  func groups() -> [ItemSpool.Group] {
    var places: [[UInt8]: Int] = [:]
    var groups: [(uid: UID, payloads: [[UInt8]])] = []
    for (uid, payload) in records {
      // By bytes, because strings are equal that are only canonically equivalent.
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

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// The journal of a batch: a file with the old and the new bytes of all its files.
///
/// The name of the file is the state of the batch. A rename changes the state at once:
///
/// - Before the journal has its name, the batch has changed nothing.
/// - `ID.batch`: the batch is decided. Recovery gives every file its new contents.
/// - `ID.undo`: the batch failed. Recovery gives every file its old contents.
/// - After the journal is removed, the batch is complete.
///
/// A process that works on a batch holds a lock on its journal. It is a class, because the open
/// file cannot be copied.
final class BatchJournal {
  /// The direction in which recovery completes a batch.
  enum Direction: String {
    case forward = ".batch"
    case back = ".undo"

    init?(_ name: String) {
      if name.hasSuffix(Direction.forward.rawValue) {
        self = .forward
      } else if name.hasSuffix(Direction.back.rawValue) {
        self = .back
      } else {
        return nil
      }
    }
  }

  private let folder: OpenFolder
  private let file: TemporaryFile
  private let identifier: String
  private var direction: Direction?
  private var isRemoved = false

  /// Writes the journal durably under a temporary name.
  init(of files: [JournalEntry], in path: String) throws(StoreError) {
    try FolderPath.create(path, mode: 0o700)
    let folder = try OpenFolder(path)
    let file = try TemporaryFile.make(in: folder, permissions: .secret, replacing: nil)
    do throws(StoreError) {
      try JournalFormat.write(files, to: file)
      try file.synchronize()
    } catch {
      file.discard(in: folder)
      throw error
    }
    identifier = TemporaryFile.makeIdentifier()
    self.file = file
    self.folder = folder
  }

  /// Removes the temporary file, unless the journal has its name.
  deinit {
    if direction == nil { file.discard(in: folder) }
  }

  private func name(_ direction: Direction) -> String { identifier + direction.rawValue }

  /// Decides the batch: from here on, it takes effect even if the process ends.
  func publish() throws(StoreError) {
    try file.commit(in: folder, replacing: name(.forward))
    direction = .forward
    try folder.synchronize()
  }

  /// Takes the name of another journal, which it replaces.
  func replace(_ name: String) throws(StoreError) {
    try file.commit(in: folder, replacing: name)
    direction = Direction(name)
    try folder.synchronize()
  }

  /// Revokes the decision: from here on, the batch is undone.
  func revoke() throws(StoreError) {
    guard direction == .forward, !isRemoved else { return }
    try folder.rename(name(.forward), replacing: name(.back))
    direction = .back
    try folder.synchronize()
  }

  /// Ends the batch.
  func remove() throws(StoreError) {
    guard let direction, !isRemoved else { return }
    try folder.remove(name(direction))
    isRemoved = true
    // A journal that returns after a loss of power would judge later changes by old contents. A
    // failure has no other effect, because all files of the batch are durable.
    try? folder.synchronize()
  }
}

/// A file in a journal.
struct JournalEntry {
  /// The file system of the folder, as of `FolderIdentity`.
  let identity: String
  let folder: String
  let name: String
  let mode: UInt32?
  let before: [UInt8]?
  let after: [UInt8]?

  init(_ file: BatchFile) {
    identity = file.folder.anchor.identity.text
    folder = file.folder.anchor.path
    name = file.name
    mode = file.mode
    before = file.before
    after = file.after
  }

  fileprivate init?(_ reader: inout JournalFormat.Reader) {
    guard let identity = reader.text(), let folder = reader.text(), let name = reader.text(),
      let mode = reader.number(), let before = reader.bytes(), let after = reader.bytes()
    else { return nil }
    self.identity = identity
    self.folder = folder
    self.name = name
    self.mode = UInt32(exactly: mode)
    self.before = before
    self.after = after
  }

  /// The file, in its open folder.
  func file(in folder: BatchFolder) -> BatchFile {
    BatchFile(folder: folder, name: name, before: before, after: after, mode: mode)
  }
}

/// The bytes of a journal: a title, its files, and the digest of both.
///
/// Numbers have 8 bytes, least significant first. A text or content is its length and its bytes; a
/// missing content has the length `missing`.
enum JournalFormat {
  private static let title = Array("epact batch 1\n".utf8)
  private static let missing = UInt64.max
  /// The maximum size of a journal.
  static let sizeLimit = 8 << 30
  /// The number of bytes that are collected before they are written.
  private static let blockSize = 1 << 20
  private static let digestSize = 32

  static func write(_ entries: [JournalEntry], to file: borrowing TemporaryFile) throws(StoreError)
  {
    var digest = SHA256()
    var block = title
    for entry in entries {
      for text in [entry.identity, entry.folder, entry.name] {
        append(Array(text.utf8), to: &block)
      }
      append(entry.mode.map { UInt64($0) } ?? missing, to: &block)
      for contents in [entry.before, entry.after] { append(contents, to: &block) }
      guard block.count >= blockSize else { continue }
      digest.update(block)
      try file.write(block)
      block = []
    }
    digest.update(block)
    try file.write(block + digest.finalize().bytes)
  }

  private static func append(_ number: UInt64, to block: inout [UInt8]) {
    for index in 0..<8 { block.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
  }

  private static func append(_ bytes: [UInt8]?, to block: inout [UInt8]) {
    append(bytes.map { UInt64($0.count) } ?? missing, to: &block)
    block += bytes ?? []
  }

  /// The files of a journal, or nil if the bytes are not a complete journal.
  static func entries(_ bytes: [UInt8]) -> [JournalEntry]? {
    let body = bytes.dropLast(digestSize)
    guard body.starts(with: title),
      SHA256.digest(of: Array(body)).bytes.elementsEqual(bytes.suffix(digestSize))
    else { return nil }
    var reader = Reader(rest: body.dropFirst(title.count))
    var entries: [JournalEntry] = []
    while !reader.rest.isEmpty {
      guard let entry = JournalEntry(&reader) else { return nil }
      entries.append(entry)
    }
    return entries
  }

  /// A position in the bytes of a journal; its functions return nil at the end.
  fileprivate struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func number() -> UInt64? {
      guard rest.count >= 8 else { return nil }
      defer { rest = rest.dropFirst(8) }
      return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func bytes() -> [UInt8]?? {
      guard let count = number() else { return nil }
      guard count != missing else { return .some(nil) }
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return Array(rest.prefix(Int(count)))
    }

    mutating func text() -> String? {
      guard case .some(.some(let bytes)) = bytes() else { return nil }
      return String(validating: bytes, as: UTF8.self)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CInflate

/// The contents of an entry, inflated in chunks.
///
/// Contents are returned only after their size and their checksum were found right, so that nothing
/// of a damaged entry is used. Large contents are inflated twice for that, instead of being held.
/// It cannot be copied, because two copies would each inflate half of the contents.
struct ZipEntryStream: ~Copyable {
  /// The maximum size of contents that are held in memory.
  private static let memoryLimit = 1 << 20
  private static let localSize = 30
  private static let localSignature = 0x0403_4B50

  /// The stages of reading.
  private enum State: Hashable {
    /// Nothing was read.
    case new
    /// The contents are right, and returned in chunks.
    case checked
    /// All contents were returned.
    case ended
  }

  private let file: ArchiveFile
  private let entry: ZipEntry
  private var state = State.new
  private var decoder: EntryDecoder?

  /// Opens the archive of an entry; reads nothing.
  ///
  /// - Throws: `SystemError`.
  init(_ entry: ZipEntry, of path: String) throws(SystemError) {
    file = try ArchiveFile(path: path)
    self.entry = entry
  }

  /// The next bytes of the contents; an empty chunk marks the end.
  ///
  /// - Throws: `ZipError` if the entry is damaged or not supported; `SystemError`;
  ///   `CancellationError`.
  mutating func nextChunk() throws -> [UInt8] {
    if state == .new {
      if let obstacle = entry.obstacle { throw ZipError(obstacle) }
      let start = try contentsStart()
      if let whole = try check(from: start) {
        state = .ended
        return whole
      }
      decoder = try EntryDecoder(entry, from: start)
      state = .checked
    }
    guard state == .checked else { return [] }
    try Task.checkCancellation()
    let chunk = try decoder?.next(from: file) ?? []
    if chunk.isEmpty { state = .ended }
    return chunk
  }

  /// Inflates everything once, and compares the size and the checksum.
  ///
  /// - Returns: The contents if they are small.
  private func check(from start: Int) throws -> [UInt8]? {
    var decoder = try EntryDecoder(entry, from: start)
    var held: [UInt8] = []
    var checksum = ZipChecksum()
    while case let chunk = try decoder.next(from: file), !chunk.isEmpty {
      try Task.checkCancellation()
      checksum.add(chunk)
      if entry.size <= Self.memoryLimit { held += chunk }
    }
    guard decoder.count == entry.size else {
      throw ZipError(
        "the entry is damaged: expected \(entry.size) bytes, found \(decoder.count)")
    }
    guard Int(checksum.value) == entry.checksum else {
      throw ZipError("the entry is damaged: its checksum does not match its contents")
    }
    return entry.size <= Self.memoryLimit ? held : nil
  }

  /// The offset of the contents, which follow the local header (APPNOTE 4.3.7).
  private func contentsStart() throws -> Int {
    let record = ZipRecord(try file.read(at: entry.offset, count: Self.localSize)[...])
    let nameLength = try record.number(at: 26, bytes: 2)
    guard try record.number(at: 0, bytes: 4) == Self.localSignature,
      nameLength == entry.storedName.count,
      try file.read(at: entry.offset + Self.localSize, count: nameLength) == entry.storedName
    else { throw ZipError("the entry is not where the directory of the archive says") }
    let start =
      entry.offset + Self.localSize + nameLength + (try record.number(at: 28, bytes: 2))
    guard start <= file.size, entry.compressedSize <= file.size - start else {
      throw ZipError("the archive is truncated")
    }
    return start
  }
}

/// The decoder of the contents of an entry, stored or compressed.
struct EntryDecoder: ~Copyable {
  private static let chunkSize = 64 << 10

  private let inflater: Inflater?
  private let size: Int
  /// The offset of the next compressed bytes, and of their end.
  private var place: Int
  private let end: Int
  /// The compressed bytes that were read and not decoded.
  private var waiting: ArraySlice<UInt8> = []
  private var isOver = false
  /// The number of decoded bytes.
  private(set) var count = 0

  init(_ entry: ZipEntry, from start: Int) throws(ZipError) {
    inflater = entry.method == 8 ? try Inflater() : nil
    size = entry.size
    (place, end) = (start, start + entry.compressedSize)
  }

  /// The next decoded bytes; an empty chunk marks the end.
  mutating func next(from file: borrowing ArchiveFile) throws -> [UInt8] {
    while !isOver {
      if waiting.isEmpty, place < end {
        let length = min(Self.chunkSize, end - place)
        waiting = try file.read(at: place, count: length)[...]
        place += length
      }
      let chunk = try decode()
      count += chunk.count
      guard count <= size else {
        throw ZipError("the entry is damaged: it has more than the \(size) bytes that it states")
      }
      if !chunk.isEmpty { return chunk }
    }
    return []
  }

  private mutating func decode() throws(ZipError) -> [UInt8] {
    guard inflater != nil else {
      isOver = waiting.isEmpty
      defer { waiting = [] }
      return Array(waiting)
    }
    let isLast = waiting.isEmpty && place == end
    var output: [UInt8] = []
    let read = try inflater?.inflate(waiting, into: &output, limit: Self.chunkSize)
    waiting = waiting.dropFirst(read?.count ?? 0)
    if read?.isEnd ?? true {
      guard waiting.isEmpty, place == end else {
        throw ZipError("the entry is damaged: its compressed contents end too early")
      }
      isOver = true
    } else if isLast, output.isEmpty {
      throw ZipError("the entry is damaged: its compressed contents are incomplete")
    }
    return output
  }
}

/// A decoder of DEFLATE (RFC 1951).
///
/// It cannot be copied, because it owns memory of the library.
@safe struct Inflater: ~Copyable {
  private let pointer: OpaquePointer

  init() throws(ZipError) {
    guard let pointer = unsafe cinflate_decoder_make() else {
      throw ZipError("there is not enough memory to read the entry")
    }
    unsafe self.pointer = pointer
  }

  deinit { unsafe cinflate_decoder_free(pointer) }

  /// Decodes bytes.
  ///
  /// - Parameters:
  ///   - input: The next bytes.
  ///   - output: Receives the decoded bytes.
  ///   - limit: The maximum number of decoded bytes.
  /// - Returns: The number of bytes that were read, and whether the compressed data ended.
  /// - Throws: `ZipError` if the input is not compressed data.
  func inflate(
    _ input: ArraySlice<UInt8>, into output: inout [UInt8], limit: Int
  ) throws(ZipError) -> (count: Int, isEnd: Bool) {
    var state = cinflate_state.damaged
    var read = 0
    output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
      unsafe input.withUnsafeBufferPointer { bytes in
        state = unsafe cinflate_decode(
          pointer, bytes.baseAddress, bytes.count, buffer.baseAddress, buffer.count, &read, &filled)
      }
    }
    guard state != .damaged else {
      throw ZipError("the entry is damaged: its contents are not compressed with DEFLATE")
    }
    return (read, state == .end)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// A division of a stream over temporary files, so that each UID is in one file.
///
/// It is a class, because it is used through an optional while it fills its files, and must not be
/// copied in between.
final class SpoolDivision {
  private static let fileCount = 64

  private let folder: String
  private let depth: Int
  private var files: [SpoolFile?]

  /// Starts a division at a depth.
  init(folder: String, depth: Int) {
    self.folder = folder
    self.depth = depth
    files = Array(repeating: nil, count: Self.fileCount)
  }

  func add(_ payload: [UInt8], of uid: UID) throws(StoreError) {
    // The digest is the same in every process and cannot be attacked with chosen UIDs. Each depth
    // uses another byte.
    let digest = SHA256.digest(of: Array(uid.rawValue.utf8)).bytes
    let index = Int(digest[depth % digest.count]) % Self.fileCount
    let file: SpoolFile
    if let known = files[index] {
      file = known
    } else {
      file = try SpoolFile(folder: folder, depth: depth + 1)
      files[index] = file
    }
    try file.add(payload, of: uid)
  }

  /// Returns the nonempty files after flushing them, first one last.
  func finish() throws(StoreError) -> [SpoolFile] {
    var finished: [SpoolFile] = []
    for file in files.reversed() {
      guard let file else { continue }
      try file.flush()
      finished.append(file)
    }
    return finished
  }
}

/// A nameless temporary file of payloads, which is written and then read from the start.
///
/// A record consists of the lengths of the UID and the payload, as four and eight bytes in
/// little-endian order, then the UID and the payload. It is a class, because an array cannot
/// contain noncopyable values.
final class SpoolFile {
  private static let headLength = 12
  /// The number of bytes per read or write; each division has 64 such buffers.
  private static let bufferSize = 32 << 10

  /// The number of earlier divisions of its contents.
  let depth: Int
  /// The number of bytes added.
  private(set) var size = 0
  /// Whether all payloads have the same UID, so that another division has no effect.
  private(set) var hasOneUID = true
  private let file: OpenFile
  private var firstUID: [UInt8]?
  private var buffer: [UInt8] = []
  /// The position in the buffer while reading.
  private var position = 0

  init(folder: String, depth: Int) throws(StoreError) {
    self.depth = depth
    file = try OpenFolder(folder).makeNamelessFile()
  }

  func add(_ payload: [UInt8], of uid: UID) throws(StoreError) {
    let name = Array(uid.rawValue.utf8)
    if firstUID == nil { firstUID = name }
    if hasOneUID, firstUID != name { hasOneUID = false }
    Self.append(UInt32(truncatingIfNeeded: name.count), to: &buffer)
    Self.append(UInt64(payload.count), to: &buffer)
    buffer += name
    buffer += payload
    size += Self.headLength + name.count + payload.count
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes the buffered bytes.
  func flush() throws(StoreError) {
    try file.write(buffer)
    buffer = []
  }

  /// Returns to the first record.
  func rewind() throws(StoreError) {
    try file.rewind()
    buffer = []
    position = 0
  }

  /// Returns the next record, or nil after the last one.
  func next() throws(StoreError) -> (uid: UID, payload: [UInt8])? {
    guard try fill(Self.headLength) else { return nil }
    let nameLength = Int(number(of: UInt32.self))
    let payloadLength = Int(truncatingIfNeeded: number(of: UInt64.self))
    guard payloadLength >= 0, payloadLength <= size, try fill(nameLength + payloadLength) else {
      throw StoreError(
        code: .failed, path: file.path,
        message: "a temporary file does not contain what was written")
    }
    let name = take(nameLength)
    return (UID(String(decoding: name, as: UTF8.self)), Array(take(payloadLength)))
  }

  /// Reads until `count` bytes are buffered, or returns false at the end of the file.
  private func fill(_ count: Int) throws(StoreError) -> Bool {
    guard buffer.count - position < count else { return true }
    buffer.removeFirst(position)
    position = 0
    while buffer.count < count {
      let block = try file.read(atMost: max(Self.bufferSize, count - buffer.count))
      guard !block.isEmpty else { return false }
      buffer += block
    }
    return true
  }

  private func take(_ count: Int) -> ArraySlice<UInt8> {
    position += count
    return buffer[position - count..<position]
  }

  private func number<Number: FixedWidthInteger>(of type: Number.Type) -> Number {
    take(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Epact

/// An entry of an archive that is built byte by byte, also with errors.
struct BuiltEntry {
  var name: [UInt8]
  var contents: [UInt8]
  /// The bytes in the archive; nil for the contents themselves, or their blocks.
  var stored: [UInt8]?
  /// The method: 0 for none, 8 for DEFLATE.
  var method = 0
  var flags = 0
  /// The stated CRC-32; nil for the right one.
  var checksum: UInt32?
  /// The stated size; nil for the right one.
  var size: Int?
  /// The name of the local header; nil for the name.
  var localName: [UInt8]?
  /// Extra fields of the directory.
  var extra: [UInt8] = []
  /// The mode on Unix.
  var mode = 0o100644
  /// Whether the sizes and the offset are in an extra field with 64-bit numbers.
  var isLarge = false

  init(_ name: String, _ contents: [UInt8], method: Int = 0) {
    self.name = Array(name.utf8)
    self.contents = contents
    self.method = method
  }

  init(_ name: String, lines: [String], method: Int = 0) {
    self.init(name, Array(lines.map { $0 + "\r\n" }.joined().utf8), method: method)
  }

  /// The compressed bytes.
  var compressed: [UInt8] { stored ?? (method == 8 ? Self.deflated(contents) : contents) }

  /// Contents in the blocks of DEFLATE that are not compressed (RFC 1951 §3.2.4).
  static func deflated(_ contents: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var place = 0
    repeat {
      let end = min(contents.count, place + 0xFFFF)
      let length = end - place
      bytes.append(end == contents.count ? 1 : 0)
      bytes += number(length, 2) + number(length ^ 0xFFFF, 2) + contents[place..<end]
      place = end
    } while place < contents.count
    return bytes
  }

  /// A number with its least significant byte first.
  static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The CRC-32 of bytes, by its polynomial.
  static func checksum(of bytes: [UInt8]) -> UInt32 {
    var value = UInt32.max
    for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8 }
    return ~value
  }

  private static let table = (0..<256).map { (start: UInt32) in
    (0..<8).reduce(start) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }
}

/// Builds archives byte by byte.
struct ZipBuilder {
  var entries: [BuiltEntry]
  /// What precedes the archive, such as a program that extracts it.
  var prefix: [UInt8] = []
  var comment: [UInt8] = []
  /// Whether the end has a record with 64-bit numbers.
  var isLarge = false
  /// The number of the disk, for a part of several.
  var disk = 0
  /// The stated number of entries; nil for the right one.
  var count: Int?

  init(_ entries: [BuiltEntry]) {
    self.entries = entries
  }

  var bytes: [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      directory += header(of: entry, at: archive.count)
      archive += local(entry)
    }
    let start = archive.count
    archive += directory
    let count = self.count ?? entries.count
    if isLarge {
      let place = archive.count
      archive += number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2)
      archive += number(0, 4) + number(0, 4) + number(count, 8) + number(count, 8)
      archive += number(directory.count, 8) + number(start, 8)
      archive += number(0x0706_4B50, 4) + number(0, 4) + number(place, 8) + number(1, 4)
    }
    archive += number(0x0605_4B50, 4) + number(disk, 2) + number(disk, 2)
    archive += number(isLarge ? 0xFFFF : count, 2) + number(isLarge ? 0xFFFF : count, 2)
    archive += number(isLarge ? 0xFFFF_FFFF : directory.count, 4)
    archive += number(isLarge ? 0xFFFF_FFFF : start, 4) + number(comment.count, 2) + comment
    return prefix + archive
  }

  private func number(_ value: Int, _ size: Int) -> [UInt8] { BuiltEntry.number(value, size) }

  private func local(_ entry: BuiltEntry) -> [UInt8] {
    let name = entry.localName ?? entry.name
    let checksum = entry.checksum ?? BuiltEntry.checksum(of: entry.contents)
    return number(0x0403_4B50, 4) + number(20, 2) + number(entry.flags, 2)
      + number(entry.method, 2) + number(0, 4) + number(Int(checksum), 4)
      + number(entry.compressed.count, 4) + number(entry.size ?? entry.contents.count, 4)
      + number(name.count, 2) + number(0, 2) + name + entry.compressed
  }

  private func header(of entry: BuiltEntry, at offset: Int) -> [UInt8] {
    let checksum = entry.checksum ?? BuiltEntry.checksum(of: entry.contents)
    let (size, packed) = (entry.size ?? entry.contents.count, entry.compressed.count)
    var extra = entry.extra
    if entry.isLarge {
      extra += number(1, 2) + number(24, 2) + number(size, 8) + number(packed, 8)
      extra += number(offset, 8)
    }
    let numbers = entry.isLarge ? [0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFF] : [packed, size, offset]
    return number(0x0201_4B50, 4) + number(0x314, 2) + number(20, 2) + number(entry.flags, 2)
      + number(entry.method, 2) + number(0, 4) + number(Int(checksum), 4) + number(numbers[0], 4)
      + number(numbers[1], 4) + number(entry.name.count, 2) + number(extra.count, 2)
      + number(0, 2) + number(0, 2) + number(0, 2) + number(entry.mode << 16, 4)
      + number(numbers[2], 4) + entry.name + extra
  }
}

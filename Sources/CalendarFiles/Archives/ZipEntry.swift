// SPDX-License-Identifier: Apache-2.0

/// An entry of a ZIP archive: its name, and where its contents are.
///
/// The name is only shown and compared. It never becomes a path, so that `../x` or `/etc/x` in an
/// archive can name no other file.
public struct ZipEntry: Hashable, Sendable {
  /// The name, with slashes between its parts.
  public let name: String
  /// The number of bytes of the contents, as the archive states it.
  public let size: Int
  /// The name as it is stored.
  let storedName: [UInt8]
  /// The number of bytes of the compressed contents.
  let compressedSize: Int
  /// The number of the compression method: 0 for none, 8 for DEFLATE.
  let method: Int
  /// The flags: bit 0 for encryption, bit 11 for a name in UTF-8.
  let flags: Int
  /// The CRC-32 of the contents.
  let checksum: Int
  /// The offset of the local header in the file.
  let offset: Int
  /// Whether it is a symbolic link, whose contents are a path.
  let isLink: Bool

  /// Whether it is a folder, which has no contents.
  var isFolder: Bool { name.hasSuffix("/") }

  /// Whether a part of the name begins with a dot, or is the folder in which macOS keeps resources.
  var isHidden: Bool {
    name.split(separator: "/").contains { $0.hasPrefix(".") && $0 != ".." && $0 != "." }
      || name.hasPrefix("__MACOSX/")
  }

  // MARK: Limits

  /// The maximum number of bytes of an entry.
  static let sizeLimit = 1 << 30
  /// The number of bytes above which the ratio of an entry is limited.
  static let ratioThreshold = 16 << 20
  /// The maximum ratio of the contents of a large entry to the compressed contents.
  ///
  /// Calendars have a ratio of ten to thirty; archives that are made to exhaust memory or disks have
  /// one of a thousand.
  static let ratioLimit = 200

  /// The reason why the contents cannot be read; nil if they can.
  var obstacle: String? {
    // Bit 6 is strong encryption, method 99 is encryption by AES.
    if flags & 0x41 != 0 || method == 99 {
      return "the entry is encrypted; extract it with its password first"
    }
    guard method == 0 || method == 8 else {
      let name = Self.methodNames[method].map { " (\($0))" } ?? ""
      return
        "the entry is compressed with method \(method)\(name); only DEFLATE (8) and no compression "
        + "(0) are supported"
    }
    guard size <= Self.sizeLimit else { return "the entry is larger than 1 GiB" }
    guard method == 8 else {
      return size == compressedSize ? nil : "the entry states two sizes, and is damaged"
    }
    guard size <= Self.ratioThreshold || size / Self.ratioLimit <= compressedSize else {
      return "the entry expands to more than \(Self.ratioLimit) times its compressed size"
    }
    return nil
  }

  /// The names of methods that are not supported.
  private static let methodNames = [
    1: "Shrink", 6: "Implode", 9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ",
    98: "PPMd",
  ]
}

// MARK: Reading the directory

extension ZipEntry {
  /// The size of a directory header without names and extra fields.
  static let headerSize = 46
  static let signature = 0x0201_4B50

  /// Parses a header of the directory (APPNOTE 4.3.12).
  ///
  /// - Parameters:
  ///   - record: The bytes of the directory from the header on.
  ///   - shift: The number of bytes before the archive in its file.
  /// - Returns: The entry and the size of its header.
  /// - Throws: `ZipError`.
  static func parse(
    _ record: ZipRecord, shiftedBy shift: Int
  ) throws(ZipError) -> (entry: ZipEntry, length: Int) {
    guard try record.number(at: 0, bytes: 4) == signature else {
      throw ZipError("the directory of the archive is damaged")
    }
    let nameLength = try record.number(at: 28, bytes: 2)
    let extraLength = try record.number(at: 30, bytes: 2)
    let storedName = try record.part(at: headerSize, count: nameLength)
    let extra = ZipRecord(try record.part(at: headerSize + nameLength, count: extraLength))
    var sizes = ZipSizes(
      size: try record.number(at: 24, bytes: 4), compressed: try record.number(at: 20, bytes: 4),
      offset: try record.number(at: 42, bytes: 4))
    var name: String?
    try forEachField(of: extra) { (id, field) throws(ZipError) in
      if id == 0x0001 { try sizes.extend(from: field) }
      if id == 0x7075 { name = unicodeName(in: field, for: storedName) ?? name }
    }
    let flags = try record.number(at: 8, bytes: 2)
    let (offset, isTooFar) = sizes.offset.addingReportingOverflow(shift)
    guard !isTooFar else { throw ZipError("the directory of the archive is damaged") }
    // The upper half of the external attributes is the mode on Unix.
    let mode = try record.number(at: 38, bytes: 4) >> 16
    let entry = ZipEntry(
      name: name ?? text(of: storedName, isUTF8: flags & 0x800 != 0), size: sizes.size,
      storedName: Array(storedName), compressedSize: sizes.compressed,
      method: try record.number(at: 10, bytes: 2), flags: flags,
      checksum: try record.number(at: 16, bytes: 4), offset: offset,
      isLink: mode & 0o170000 == 0o120000)
    let comment = try record.number(at: 32, bytes: 2)
    return (entry, headerSize + nameLength + extraLength + comment)
  }

  /// Calls `body` with the number and the bytes of each extra field (APPNOTE 4.5.1).
  ///
  /// A field that is longer than the rest ends the list, because some programs pad it.
  private static func forEachField(
    of extra: ZipRecord, _ body: (Int, ZipRecord) throws(ZipError) -> Void
  ) throws(ZipError) {
    var place = 0
    while place + 4 <= extra.count {
      let id = try extra.number(at: place, bytes: 2)
      let length = try extra.number(at: place + 2, bytes: 2)
      guard length <= extra.count - place - 4 else { return }
      try body(id, ZipRecord(try extra.part(at: place + 4, count: length)))
      place += 4 + length
    }
  }

  // MARK: Names

  /// The name in UTF-8 of an extra field (APPNOTE 4.6.9); nil if it is that of another name.
  private static func unicodeName(in field: ZipRecord, for stored: ArraySlice<UInt8>) -> String? {
    guard field.count >= 5, (try? field.number(at: 0, bytes: 1)) == 1,
      let checksum = try? field.number(at: 1, bytes: 4), checksum == Int(ZipChecksum.of(stored)),
      let bytes = try? field.part(at: 5, count: field.count - 5)
    else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The text of a stored name: UTF-8 by its flag or its bytes, and otherwise code page 437.
  ///
  /// The archives of macOS have names in UTF-8 without the flag.
  private static func text(of bytes: ArraySlice<UInt8>, isUTF8: Bool) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    guard !isUTF8 else { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    for byte in bytes {
      let scalar = byte < 0x80 ? Unicode.Scalar(byte) : codePage437[Int(byte) - 0x80]
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  /// The characters of code page 437 from 128 through 255.
  private static let codePage437 = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
      + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)
}

/// The sizes and the offset of an entry, which an extra field extends to 64 bits (APPNOTE 4.5.3).
private struct ZipSizes {
  /// The value of a number that is in the extra field instead.
  private static let isElsewhere = 0xFFFF_FFFF

  var size: Int
  var compressed: Int
  var offset: Int

  /// Reads the numbers that are not in the header, in their fixed order.
  mutating func extend(from field: ZipRecord) throws(ZipError) {
    var place = 0
    func next() throws(ZipError) -> Int {
      defer { place += 8 }
      return try field.number(at: place, bytes: 8)
    }
    if size == Self.isElsewhere { size = try next() }
    if compressed == Self.isElsewhere { compressed = try next() }
    if offset == Self.isElsewhere { offset = try next() }
  }
}

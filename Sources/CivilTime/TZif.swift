// SPDX-License-Identifier: Apache-2.0

// A TZif file (RFC 9636 §3), all numbers big-endian:
//
//   header  "TZif" version  15 zero bytes  isutcnt isstdcnt leapcnt timecnt typecnt charcnt
//   block   timecnt × time         when the clocks change: 4 bytes each, 8 in the second block
//           timecnt × type index   1 byte
//           typecnt × (offset 4, isdst 1, designation index 1)
//           charcnt bytes          designations, each ended by NUL
//           leapcnt × (time, correction 4)
//           isstdcnt, isutcnt bytes
//
// From version 2 on, a second header and block follow, then "\n", a POSIX TZ string and "\n". The
// first block is for version 1 readers; this reader skips it.

/// The validated contents of a TZif file.
struct TZif {
  /// The range of transition times that cannot overflow when an offset is added.
  private static let timeLimits: ClosedRange<Int64> = -(1 << 59)...(1 << 59)
  private static let headerSize = 44

  /// The transition times, in seconds since the epoch, strictly ascending.
  private(set) var times: [Int64] = []
  /// The index into `types` after each of the `times`.
  private(set) var typeIndices: [UInt8] = []
  /// The local time types, never empty; the first applies before all transitions.
  private(set) var types: [LocalTimeType] = []
  /// The yearly rule after the last transition.
  private(set) var footer: POSIXZone?

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - zone: The name of the zone, for errors.
  /// - Throws: `ZoneError` with the code `malformedFile`; the message has the offset.
  init(_ bytes: Span<UInt8>, zone: String) throws(ZoneError) {
    var reader = TZifReader(zone: zone)
    let first = try TZifHeader(bytes, &reader)
    guard first.version >= 2 else {
      try readBlock(bytes, &reader, first, timeSize: 4)
      return
    }
    try reader.skip(first.blockSize(timeSize: 4), bytes)
    let second = try TZifHeader(bytes, &reader)
    try readBlock(bytes, &reader, second, timeSize: 8)
    try readFooter(bytes, &reader)
  }

  private mutating func readBlock(
    _ bytes: Span<UInt8>, _ reader: inout TZifReader, _ header: TZifHeader, timeSize: Int
  ) throws(ZoneError) {
    let end = reader.index + header.blockSize(timeSize: timeSize)
    // Checking the whole block at once limits the counts in the header to the size of the file.
    guard end <= bytes.count else { throw reader.error("the file ends inside a block") }
    times.reserveCapacity(header.timeCount)
    for _ in 0..<header.timeCount {
      let time = try reader.signed(bytes, size: timeSize)
      guard TZif.timeLimits.contains(time), times.last.map({ $0 < time }) ?? true else {
        throw reader.error("the times of change are not in order")
      }
      times.append(time)
    }
    for _ in 0..<header.timeCount {
      let index = try reader.byte(bytes)
      guard index < header.typeCount else { throw reader.error("there is no such time type") }
      typeIndices.append(index)
    }
    try readTypes(bytes, &reader, header)
    try reader.skip(end - reader.index, bytes)
  }

  private mutating func readTypes(
    _ bytes: Span<UInt8>, _ reader: inout TZifReader, _ header: TZifHeader
  ) throws(ZoneError) {
    let names = reader.index + header.typeCount * 6
    for _ in 0..<header.typeCount {
      let seconds = try reader.signed(bytes, size: 4)
      guard let offset = UTCOffset(seconds: Int(seconds)) else {
        throw reader.error("the offset is 26 hours or more")
      }
      let daylight = try reader.byte(bytes)
      let name = Int(try reader.byte(bytes))
      guard daylight <= 1 else { throw reader.error("the daylight flag is neither 0 nor 1") }
      guard name < header.nameSize else { throw reader.error("there is no such designation") }
      var end = names + name
      while end < names + header.nameSize, bytes[end] != 0 { end += 1 }
      guard end < names + header.nameSize else {
        throw reader.error("the designation has no end")
      }
      let scanner = BasicScanner(section: "")
      let abbreviation = scanner.text(bytes, from: names + name, length: end - names - name)
      types.append(
        LocalTimeType(offset: offset, isDaylight: daylight == 1, abbreviation: abbreviation))
    }
  }

  private mutating func readFooter(
    _ bytes: Span<UInt8>, _ reader: inout TZifReader
  ) throws(ZoneError) {
    let lineFeed = UInt8(ascii: "\n")
    guard try reader.byte(bytes) == lineFeed else { throw reader.error("there is no footer") }
    let start = reader.index
    while try reader.byte(bytes) != lineFeed {}
    let line = bytes.extracting(start..<reader.index - 1)
    guard !line.isEmpty else { return }
    do {
      footer = try POSIXZone(parsing: line)
    } catch {
      throw ZoneError(
        .malformedFile, zone: reader.zone, "byte \(start + error.offset): \(error.message)")
    }
  }
}

/// The counts in the header of a block, in elements.
private struct TZifHeader {
  let version: Int
  let universalCount: Int
  let standardCount: Int
  let timeCount: Int
  let typeCount: Int
  let nameSize: Int

  init(_ bytes: Span<UInt8>, _ reader: inout TZifReader) throws(ZoneError) {
    for letter in "TZif".utf8 where try reader.byte(bytes) != letter {
      throw reader.error("expected the letters \"TZif\"")
    }
    let digit = try reader.byte(bytes)
    // An unknown later version is read as the latest known one (RFC 9636 §4).
    version = digit == 0 ? 1 : max(2, Int(digit) - 0x30)
    try reader.skip(15, bytes)
    universalCount = try reader.count(bytes)
    standardCount = try reader.count(bytes)
    guard try reader.count(bytes) == 0 else {
      throw reader.error("the zone counts leap seconds, which calendars do not")
    }
    timeCount = try reader.count(bytes)
    typeCount = try reader.count(bytes)
    nameSize = try reader.count(bytes)
    guard 1...256 ~= typeCount, nameSize >= 1 else {
      throw reader.error("there are no time types, or too many")
    }
    guard universalCount == 0 || universalCount == typeCount,
      standardCount == 0 || standardCount == typeCount
    else { throw reader.error("the number of indicators is not the number of time types") }
  }

  func blockSize(timeSize: Int) -> Int {
    timeCount * (timeSize + 1) + typeCount * 6 + nameSize + standardCount + universalCount
  }
}

/// A cursor that reads numbers from a TZif file.
private struct TZifReader {
  let zone: String
  private(set) var index = 0

  init(zone: String) {
    self.zone = zone
  }

  mutating func byte(_ bytes: Span<UInt8>) throws(ZoneError) -> UInt8 {
    guard index < bytes.count else { throw error("the file ends too early") }
    index += 1
    return bytes[index - 1]
  }

  mutating func signed(_ bytes: Span<UInt8>, size: Int) throws(ZoneError) -> Int64 {
    guard index + size <= bytes.count else { throw error("the file ends too early") }
    var bits: UInt64 = bytes[index] & 0x80 == 0 ? 0 : .max
    for place in index..<index + size { bits = bits << 8 | UInt64(bytes[place]) }
    index += size
    return Int64(bitPattern: bits)
  }

  /// Reads an unsigned 32-bit count.
  mutating func count(_ bytes: Span<UInt8>) throws(ZoneError) -> Int {
    Int(UInt32(truncatingIfNeeded: try signed(bytes, size: 4)))
  }

  mutating func skip(_ count: Int, _ bytes: Span<UInt8>) throws(ZoneError) {
    guard count <= bytes.count - index else { throw error("the file ends too early") }
    index += count
  }

  func error(_ message: String) -> ZoneError {
    ZoneError(.malformedFile, zone: zone, "byte \(index): \(message) (RFC 9636 §3)")
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A small TZif file that a test makes (RFC 9636 §3).
struct TZifFile {
  /// The changes: a second and an index into `types`.
  var changes: [(second: Int64, type: UInt8)] = []
  /// The local time types: an offset in seconds, a daylight flag, and an index into `names`.
  var types: [(offset: Int32, daylight: UInt8, name: UInt8)] = [(0, 0, 0)]
  var names = "UTC\0"
  var leapSeconds: UInt32 = 0
  var indicators: UInt32 = 0
  var version = UInt8(ascii: "2")
  var footer: String?

  /// The file, with an empty first block if it is of version 2 or later.
  var bytes: [UInt8] {
    guard version != 0 else { return header + block(timeSize: 4) }
    var first = TZifFile()
    first.version = version
    return first.header + first.block(timeSize: 4) + header + block(timeSize: 8)
      + Array("\n\(footer ?? "")\n".utf8)
  }

  private var header: [UInt8] {
    var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
    for count in [
      indicators, indicators, leapSeconds, UInt32(changes.count), UInt32(types.count),
      UInt32(names.utf8.count),
    ] { bytes += big(UInt64(count), size: 4) }
    return bytes
  }

  private func block(timeSize: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for change in changes { bytes += big(UInt64(bitPattern: change.second), size: timeSize) }
    for change in changes { bytes.append(change.type) }
    for type in types {
      bytes += big(UInt64(bitPattern: Int64(type.offset)), size: 4) + [type.daylight, type.name]
    }
    bytes += Array(names.utf8)
    bytes += [UInt8](repeating: 0, count: Int(indicators) * 2)
    return bytes
  }

  private func big(_ number: UInt64, size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
  }
}

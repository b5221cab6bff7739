// SPDX-License-Identifier: Apache-2.0

/// Where the name and the value of a content line are, and what its name is (RFC 5545 §3.1).
struct LineParts: BitwiseCopyable, Sendable {
  /// Marks a name that no table knows.
  static let unknownName: UInt16 = 0x1FFF
  static let canonicalBit: UInt16 = 0x4000
  static let declaresTypeBit: UInt16 = 0x2000

  /// The length of the name, or 0 for a line that has no name and is kept only as it stands.
  var nameLength: UInt16 = 0
  /// The number of the name in the vocabulary of properties, and two marks.
  var nameCode = Self.unknownName
  /// The offset of the first byte after the colon.
  var valueStart: UInt32 = 0
  var parameterCount: UInt32 = 0

  /// The parts of a line whose name no table knows.
  init(nameLength: Int) {
    self.nameLength = UInt16(truncatingIfNeeded: nameLength)
  }

  /// The parts of a line whose name has this number.
  @inline(__always)
  init(nameLength: Int, index: Int, isCanonical: Bool) {
    self.nameLength = UInt16(truncatingIfNeeded: nameLength)
    nameCode = UInt16(truncatingIfNeeded: index) | (isCanonical ? Self.canonicalBit : 0)
  }

  /// Notes how many parameters there are, and whether VALUE is one of them.
  @inline(__always)
  mutating func note(parameterCount count: Int, hasValue: Bool) {
    parameterCount = UInt32(truncatingIfNeeded: count)
    if hasValue { noteValueParameter() }
  }

  /// Notes that there may be a VALUE parameter.
  mutating func noteValueParameter() { nameCode |= Self.declaresTypeBit }
}

// SPDX-License-Identifier: Apache-2.0

/// The positions of a content line's name and value, and the index of its name (RFC 5545 §3.1).
struct LineParts: BitwiseCopyable, Sendable {
  /// The code of an unknown name.
  static let unknownName: UInt16 = 0x1FFF
  static let canonicalBit: UInt16 = 0x4000
  static let declaresTypeBit: UInt16 = 0x2000

  /// The length of the name, or 0 for a line without a name, which is only preserved.
  var nameLength: UInt16 = 0
  /// The index of the name in the property vocabulary, and two flags.
  var nameCode = Self.unknownName
  /// The offset of the first byte after the colon.
  var valueStart: UInt32 = 0
  var parameterCount: UInt32 = 0

  /// Creates the parts of a line with an unknown name.
  init(nameLength: Int) {
    self.nameLength = UInt16(truncatingIfNeeded: nameLength)
  }

  /// Creates the parts of a line with a known name.
  @inline(__always)
  init(nameLength: Int, index: Int, isCanonical: Bool) {
    self.nameLength = UInt16(truncatingIfNeeded: nameLength)
    nameCode = UInt16(truncatingIfNeeded: index) | (isCanonical ? Self.canonicalBit : 0)
  }

  /// Records the number of parameters, and whether one of them is VALUE.
  @inline(__always)
  mutating func note(parameterCount count: Int, hasValue: Bool) {
    parameterCount = UInt32(truncatingIfNeeded: count)
    if hasValue { noteValueParameter() }
  }

  /// Records that there may be a VALUE parameter.
  mutating func noteValueParameter() { nameCode |= Self.declaresTypeBit }
}

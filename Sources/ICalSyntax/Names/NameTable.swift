// SPDX-License-Identifier: Apache-2.0

/// A fixed set of names with a fast look-up that ignores the case of ASCII letters.
public struct NameTable: Sendable {
  /// The names in upper case, in the order of their numbers.
  let names: [String]
  /// Open addressing, with an empty slot after every name that is looked for in vain.
  private let slots: [Slot]
  /// The names of fewer than 15 letters in the same way, each with its number in the last of 16 bytes,
  /// plus 1; all zeros are an empty slot.
  private let shortNames: [SIMD16<UInt8>]

  /// A name by its key, with its number; less than 0 for an empty slot.
  private struct Slot: Sendable {
    var key: NameKey
    var number: Int
  }

  /// Creates a table of names that are written in upper case and have at most 24 letters.
  package init(_ names: [String]) {
    var size = 64
    while size < names.count * 4 { size *= 2 }
    var slots = [Slot](repeating: Slot(key: NameKey(), number: -1), count: size)
    for (index, name) in names.enumerated() {
      let bytes = name.utf8.span
      precondition(bytes.count <= NameKey.limit, "a name of a table is too long for a key")
      let key = NameKey(bytes, at: 0, count: bytes.count)
      var slot = key.hash & (size - 1)
      while slots[slot].number >= 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = Slot(key: key, number: index)
    }
    self.names = names
    self.slots = slots
    shortNames = Self.shortSlots(names)
  }

  /// How many slots there are for short names.
  private static let shortCount = 512

  /// The slots of the names of fewer than 15 letters; none for names whose number is no byte.
  private static func shortSlots(_ names: [String]) -> [SIMD16<UInt8>] {
    var slots = [SIMD16<UInt8>](repeating: SIMD16(), count: shortCount)
    for (index, name) in names.prefix(254).enumerated() where name.utf8.count < 15 {
      var key = name.utf8.span.vector(at: 0)
      var slot = shortSlot(of: key)
      while slots[slot] != SIMD16() { slot = (slot + 1) & (shortCount - 1) }
      key[15] = UInt8(index + 1)
      slots[slot] = key
    }
    return slots
  }

  /// The slot where the search for a short name begins.
  @inline(__always)
  private static func shortSlot(of name: SIMD16<UInt8>) -> Int {
    let words = name.words
    let hash = words.0 &* 0xFF51_AFD7_ED55_8CCD &+ words.1 &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> 55)
  }

  /// The number of the name in upper case that the first `count` of 16 bytes are, if it has fewer than 15
  /// letters; less than 0 if there is none.
  @inline(__always)
  func shortIndex(of head: SIMD16<UInt8>, count: Int) -> Int {
    let name = ByteVector.prefix(head, count)
    var slot = Self.shortSlot(of: name)
    while true {
      let candidate = shortNames[slot]
      // The last byte, the number, does not count. An empty slot ends the search, and has the number -1
      // if no letters are looked for.
      if (candidate .== name).bits | 0x8000 == 0xFFFF { return Int(candidate[15]) &- 1 }
      if candidate[0] == 0 { return -1 }
      slot = (slot &+ 1) & (Self.shortCount &- 1)
    }
  }

  /// The number of the name that is spelled so in whatever case.
  package func index(of spelling: Span<UInt8>) -> Int? {
    guard spelling.count <= NameKey.limit else { return nil }
    for index in spelling.indices where spelling[index] < ASCII.hyphen { return nil }
    return index(of: NameKey(spelling, at: 0, count: spelling.count))
  }

  /// The number of the name that has this key, in whatever case; it must have no control characters.
  @inline(__always)
  func index(of key: NameKey) -> Int? {
    find(key)?.index
  }

  /// The number of the name that has this key, and whether it is spelled in upper case; it must have
  /// no control characters.
  @inline(__always)
  func find(_ key: NameKey) -> (index: Int, isCanonical: Bool)? {
    let mask = slots.count &- 1
    var slot = key.hash & mask
    while true {
      let candidate = slots[slot]
      // That of an empty slot has no letters, and so is not equal to any other.
      if candidate.key == key { return candidate.number < 0 ? nil : (candidate.number, true) }
      guard candidate.number >= 0 else { return nil }
      if candidate.key.isEqualIgnoringCase(to: key) { return (candidate.number, false) }
      slot = (slot &+ 1) & mask
    }
  }

  /// Whether the spelling is the name's own, in upper case.
  func isCanonical(_ spelling: Span<UInt8>, at index: Int) -> Bool {
    spelling.isEqual(to: names[index].utf8.span)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A fixed set of names with a fast lookup that ignores the case of ASCII letters.
public struct NameTable: Sendable {
  /// The names in upper case, by index.
  let names: [String]
  /// An open-addressing hash table, in which an empty slot ends every failing search.
  private let slots: [Slot]
  /// A similar table of names with fewer than 15 bytes.
  ///
  /// The last of the 16 bytes is the index plus 1; an empty slot is all zeros.
  private let shortNames: [SIMD16<UInt8>]

  /// A name by its key, with its index; negative for an empty slot.
  private struct Slot: Sendable {
    var key: NameKey
    var number: Int
  }

  /// Creates a table of names in upper case, each of at most 24 letters.
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

  /// The number of slots for short names.
  private static let shortCount = 512

  /// The slots of names with fewer than 15 letters and an index that fits in a byte.
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

  /// The slot where the search for a short name starts.
  @inline(__always)
  private static func shortSlot(of name: SIMD16<UInt8>) -> Int {
    let words = name.words
    let hash = words.0 &* 0xFF51_AFD7_ED55_8CCD &+ words.1 &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> 55)
  }

  /// The index of a short uppercase name in the first `count` of 16 bytes; negative if not found.
  @inline(__always)
  func shortIndex(of head: SIMD16<UInt8>, count: Int) -> Int {
    let name = ByteVector.prefix(head, count)
    var slot = Self.shortSlot(of: name)
    while true {
      let candidate = shortNames[slot]
      // The last byte, which is the index, is ignored. An empty slot ends the search; for an empty
      // name its index is -1.
      if (candidate .== name).bits | 0x8000 == 0xFFFF { return Int(candidate[15]) &- 1 }
      if candidate[0] == 0 { return -1 }
      slot = (slot &+ 1) & (Self.shortCount &- 1)
    }
  }

  /// The index of a name in any case, or nil if it is not in the table.
  package func index(of spelling: Span<UInt8>) -> Int? {
    // Most names are short and in upper case.
    if spelling.count < 15 {
      let index = shortIndex(of: spelling.vector(at: 0), count: spelling.count)
      if index >= 0 { return index }
    }
    guard spelling.count <= NameKey.limit else { return nil }
    for index in spelling.indices where spelling[index] < ASCII.hyphen { return nil }
    return index(of: NameKey(spelling, at: 0, count: spelling.count))
  }

  /// The index of the name with a key, in any case; the name must have no control characters.
  @inline(__always)
  func index(of key: NameKey) -> Int? {
    find(key)?.index
  }

  /// The index of the name with a key, and whether it is spelled in upper case.
  ///
  /// The name must have no control characters.
  @inline(__always)
  func find(_ key: NameKey) -> (index: Int, isCanonical: Bool)? {
    let mask = slots.count &- 1
    var slot = key.hash & mask
    while true {
      let candidate = slots[slot]
      // The key of an empty slot has no letters, so it equals no other key.
      if candidate.key == key { return candidate.number < 0 ? nil : (candidate.number, true) }
      guard candidate.number >= 0 else { return nil }
      if candidate.key.isEqualIgnoringCase(to: key) { return (candidate.number, false) }
      slot = (slot &+ 1) & mask
    }
  }

  /// Whether the spelling is the name in upper case.
  func isCanonical(_ spelling: Span<UInt8>, at index: Int) -> Bool {
    spelling.isEqual(to: names[index].utf8.span)
  }
}

/// The bytes of a name of at most 24 bytes as three integers.
///
/// Comparing two keys compares two names, with or without case. The names must not contain control
/// characters: without case, these are equal to digits and the hyphen.
struct NameKey: Equatable, Sendable {
  /// The maximum number of bytes in a name that has a key.
  static let limit = 24

  /// The first eight bytes, and the next eight, each shifted to the high end.
  ///
  /// With this alignment a single shift removes the bytes after the name.
  private let first: UInt64
  private let second: UInt64
  /// The last eight bytes, with the length of the name in the highest byte.
  ///
  /// The length distinguishes names that differ by a trailing space, which a comparison without
  /// case ignores. The last byte of a 24-byte name cannot cancel the length, because the length is
  /// less than any letter.
  private let third: UInt64

  /// Creates the key of the empty name.
  init() {
    (first, second, third) = (0, 0, 0)
  }

  /// Creates the key of a name of at most `limit` bytes in a range.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at start: Int, count: Int) {
    first = Self.part(bytes.word(at: start), min(count, 8))
    second = count > 8 ? Self.part(bytes.word(at: start &+ 8), min(count, 16) &- 8) : 0
    let last = count > 16 ? ByteWord.prefix(bytes.word(at: start &+ 16), count &- 16) : 0
    third = last ^ UInt64(truncatingIfNeeded: count) << 56
  }

  /// The first `count` bytes of a word, shifted to the high end; for a `count` of 0, all bytes.
  @inline(__always)
  private static func part(_ word: UInt64, _ count: Int) -> UInt64 {
    word &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8)
  }

  /// A case-independent hash; the caller uses as many of its low bits as it needs.
  @inline(__always)
  var hash: Int {
    let case0 = ByteWord.upperCase
    var hash = first & case0
    hash ^= (second & case0) &* 0x9E37_79B9_7F4A_7C15
    hash = hash &* 0xFF51_AFD7_ED55_8CCD
    return Int(truncatingIfNeeded: hash >> 32)
  }

  /// Whether two names are equal, ignoring the case of letters.
  @inline(__always)
  func isEqualIgnoringCase(to other: NameKey) -> Bool {
    let differences = (first ^ other.first) | (second ^ other.second) | (third ^ other.third)
    return differences & ByteWord.upperCase == 0
  }
}

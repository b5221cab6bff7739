// SPDX-License-Identifier: Apache-2.0

/// A fixed set of names with a fast look-up that ignores the case of ASCII letters.
public struct NameTable: Sendable {
  /// The names in upper case, in the order of their numbers.
  let names: [String]
  /// Open addressing: the number of a name plus one, or 0 for an empty slot.
  private let slots: [UInt16]

  /// Creates a table of names that are written in upper case.
  init(_ names: [String]) {
    var size = 64
    while size < names.count * 4 { size *= 2 }
    var slots = [UInt16](repeating: 0, count: size)
    for (index, name) in names.enumerated() {
      var slot = Self.hash(name.utf8.span) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt16(index + 1)
    }
    self.names = names
    self.slots = slots
  }

  /// The number of the name that is spelled so in whatever case.
  func index(of spelling: Span<UInt8>) -> Int? {
    var slot = Self.hash(spelling) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if matches(spelling, names[index], folding: true) { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Whether the spelling is the name's own, in upper case.
  func isCanonical(_ spelling: Span<UInt8>, at index: Int) -> Bool {
    matches(spelling, names[index], folding: false)
  }

  private func matches(_ spelling: Span<UInt8>, _ name: String, folding: Bool) -> Bool {
    let bytes = name.utf8.span
    guard bytes.count == spelling.count else { return false }
    for offset in bytes.indices {
      let byte = folding ? spelling[offset].asciiUppercased : spelling[offset]
      guard byte == bytes[offset] else { return false }
    }
    return true
  }

  /// FNV-1a over the upper-cased bytes: short, and spreads names well.
  private static func hash(_ bytes: Span<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for offset in bytes.indices {
      hash = (hash ^ UInt32(bytes[offset].asciiUppercased)) &* 16_777_619
    }
    return Int(hash ^ (hash >> 15))
  }
}

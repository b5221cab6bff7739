// SPDX-License-Identifier: Apache-2.0

/// A fixed set of names with a fast look-up that ignores the case of ASCII letters.
public struct NameTable: Sendable {
  /// The names in upper case, in the order of their numbers.
  let names: [String]
  /// Open addressing, with an empty slot after every name that is looked for in vain.
  private let slots: [Slot]

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

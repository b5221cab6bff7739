// SPDX-License-Identifier: Apache-2.0

/// A set of properties that the RFCs define, with one bit for each.
struct PropertySet: SetAlgebra, Hashable, Sendable {
  /// One bit for each row of `PropertyTable`, in table order.
  private var bits: UInt128

  private init(bits: UInt128) {
    self.bits = bits
  }

  init() {
    bits = 0
  }

  /// Creates the set of the named properties without those that no RFC defines.
  init(names: some Sequence<PropertyName>) {
    self.init(names.compactMap(\.index))
  }

  func contains(_ number: Int) -> Bool { bits & (1 << UInt128(number)) != 0 }

  mutating func insert(_ number: Int) -> (inserted: Bool, memberAfterInsert: Int) {
    let isNew = !contains(number)
    bits |= 1 << UInt128(number)
    return (isNew, number)
  }

  mutating func remove(_ number: Int) -> Int? {
    guard contains(number) else { return nil }
    bits &= ~(1 << UInt128(number))
    return number
  }

  mutating func update(with number: Int) -> Int? {
    insert(number).inserted ? nil : number
  }

  func union(_ other: Self) -> Self { Self(bits: bits | other.bits) }
  func intersection(_ other: Self) -> Self { Self(bits: bits & other.bits) }
  func symmetricDifference(_ other: Self) -> Self { Self(bits: bits ^ other.bits) }
  mutating func formUnion(_ other: Self) { bits |= other.bits }
  mutating func formIntersection(_ other: Self) { bits &= other.bits }
  mutating func formSymmetricDifference(_ other: Self) { bits ^= other.bits }
}

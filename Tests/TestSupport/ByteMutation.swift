// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  /// Bytes that mean something to the grammar of iCalendar, and some that mean nothing to anyone.
  private static let tellingBytes: [UInt8] =
    [UInt8]("\r\n \t:;=,\"^\\BEGIN:END:VEVENTPTZ0123456789+-/".utf8)
    + [0x00, 0x7F, 0x80, 0xC3, 0xE2, 0xEF, 0xF0, 0xFF, 0xFE]

  /// Changes up to `count` places at random: bytes replaced, inserted, removed, and parts repeated.
  public mutating func mutate(upTo count: Int = 12, using random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...count, using: &random) {
      guard !isEmpty, let byte = Self.tellingBytes.randomElement(using: &random) else { return }
      let place = Int.random(in: 0..<self.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: self[place] = byte
      case 1: insert(byte, at: place)
      case 2: remove(at: place)
      default:
        let end = Swift.min(self.count, place + Int.random(in: 0..<60, using: &random))
        let part = [UInt8](self[place..<end])
        insert(contentsOf: part, at: Int.random(in: 0..<self.count, using: &random))
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

@Suite struct TextOrderTests {
  /// Texts that are alike for longer than what is compared at first, and texts that end before it.
  private static let pieces = ["", "a", "b", "\0", "é", "e\u{301}", "\u{FF}", "0123456789abcde"]

  @Test func identifiersAreInTheirOrder() {
    forAll(50) { random in
      let uids = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        let count = Int.random(in: 0...4, using: &random)
        return UID(
          (0..<count).compactMap { _ in Self.pieces.randomElement(using: &random) }.joined())
      }
      #expect(uids.inOrder() == uids.sorted())
    }
  }

  @Test func whatAllBeginWithIsPassedOver() {
    forAll(50) { random in
      let folder = String(repeating: "/é", count: Int.random(in: 0...20, using: &random))
      let uids = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UID(folder + (Self.pieces.randomElement(using: &random) ?? ""))
      }
      #expect(uids.inOrder() == uids.sorted())
    }
  }

  @Test func whatHasOneTextStaysInItsPlace() {
    let pairs = [("b", 1), ("a", 2), ("b", 3), ("a", 4), ("a", 5)]
    #expect(pairs.sorted(byBytesOf: \.0).map(\.1) == [2, 4, 5, 1, 3])
  }
}

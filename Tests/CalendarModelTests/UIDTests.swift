// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Testing

@Suite struct UIDTests {
  @Test func identifiersThatOnlyLookEqualDiffer() {
    let composed = UID("\u{E9}")
    let decomposed = UID("e\u{301}")
    #expect(composed.rawValue == decomposed.rawValue)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, UID("\u{E9}")]).count == 2)
  }

  @Test func identifiersAreInTheOrderOfTheirBytes() {
    let sorted = ["B", "a", "a\u{0}", "b", "e\u{301}", "\u{E9}", "\u{10000}"].map(UID.init)
    #expect(sorted.shuffled().sorted() == sorted)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import TestSupport
import Testing

@Suite struct FolderNamesTests {
  /// The names in the order of `FolderNames`.
  func sorted(_ names: [[UInt8]]) -> [[UInt8]] {
    var list = FolderNames()
    for name in names { list.append(name) }
    list.sort()
    return list.indices.map { Array(list[$0]) }
  }

  static let cases: [[String]] = [
    [], ["a"], ["b", "a"], ["", "a", ""], ["ab", "a", "abc"], ["same", "same", "sam"],
    ["event-00010.ics", "event-00002.ics", "event-00001.ics"],
    ["prefix-of-all-12345678b", "prefix-of-all-12345678a", "prefix-of-all-12345678"],
    ["é", "e", "z", "ü"],
  ]

  @Test(arguments: cases) func `Names are sorted by their bytes`(_ names: [String]) {
    let bytes = names.map { Array($0.utf8) }
    #expect(sorted(bytes) == bytes.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test func `Random names are sorted by their bytes`() {
    forAll(100) { random in
      let prefix = [UInt8](repeating: 0x70, count: Int.random(in: 0...9, using: &random))
      let names = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        prefix
          + (0..<Int.random(in: 0...12, using: &random)).map { _ in
            [UInt8(1), 0x61, 0x62, 0xFF].randomElement(using: &random) ?? 1
          }
      }
      try #require(sorted(names) == names.sorted { $0.lexicographicallyPrecedes($1) })
    }
  }
}

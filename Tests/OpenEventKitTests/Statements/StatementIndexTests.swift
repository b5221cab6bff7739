// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Every statement of Apple's documents has a test with its number, or a reason why not.
@Suite("Index of the statements")
struct StatementIndexTests {
  /// The statements without a test.
  private static let reasons: [Int: String] = [
    24: "is about older versions of Apple's systems",
    57: "needs Objective-C, which does not exist on Linux",
    64: "is about source that does not compile",
    66: "is about source that does not compile",
    76: "is about suggestions by the assistant of Apple's systems",
    80: "is about the review of programs by Apple",
    81: "is about rates of grants",
  ]

  @Test("Each of the 81 statements has a test or a reason")
  func complete() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    var tested: Set<Int> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      guard name.hasSuffix("Statements.swift") else { continue }
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for match in text.matches(of: /@Test\(\s*"([0-9, ]+):/) {
        tested.formUnion(match.1.split(separator: ",").compactMap { Int($0.filter(\.isNumber)) })
      }
    }
    #expect(tested.isDisjoint(with: Self.reasons.keys))
    #expect(tested.union(Self.reasons.keys) == Set(1...81))
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Epact
import EpactConsole
import Testing

struct NameLinesTests {
  @Test("Names are read line by line")
  func lines() async throws {
    func names(_ text: String) async throws -> [String] {
      let lines = try NameLines(.bytes(Array(text.utf8), label: "names"))
      var names: [String] = []
      while let name = try await lines.next() { names.append(name) }
      return names
    }
    #expect(try await names("ana\nben\r\n\n  carl  \ndora") == ["ana", "ben", "carl", "dora"])
    #expect(try await names("") == [])
    #expect(try await names("\n\n") == [])
    await #expect(throws: EpactError.self) {
      try await names(String(repeating: "a", count: 5000))
    }
    let bad = try NameLines(.bytes([0xFF, 0x0A], label: "names"))
    await #expect(throws: EpactError.self) { try await bad.next() }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Epact
import Testing

struct JSONValueTests {
  @Test func jsonKeepsTheOrderOfItsMembersAndEscapes() {
    let value: JSONValue = [
      "zebra": 1, "apple": ["a\"b\\\u{1B}\n", true, .null], "empty": .array([]),
      "list": [["x": .number(0.5)], [:]],
    ]
    #expect(
      value.serialized() == """
        {
          "zebra": 1,
          "apple": ["a\\"b\\\\\\u001B\\n", true, null],
          "empty": [],
          "list": [
            {"x": 0.5},
            {}
          ]
        }
        """)
  }
}

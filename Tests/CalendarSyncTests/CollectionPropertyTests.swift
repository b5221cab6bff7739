// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Testing

@Suite("Properties of calendars")
struct CollectionPropertyTests {
  @Test(
    "Values are compared by what they mean",
    arguments: [
      (CollectionProperty.name, " Home \n", "Home"), (.name, " \r\n", nil),
      (.color, "#FF0000\n", "#ff0000"), (.color, "#FF0000FF", "#ff0000"),
      (.color, "#FF000080", "#ff000080"), (.color, "red", "red"),
      (.description, "one\r\ntwo", "one\ntwo"), (.order, "007", "7"), (.order, "first", "first"),
    ] as [(CollectionProperty, String, String?)])
  func canonical(_ property: CollectionProperty, _ value: String, _ expected: String?) {
    #expect(property.canonical(value) == expected)
  }
}

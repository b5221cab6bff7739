// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import Testing

/// Rules that are built in code equal the rules that are read from their text.
@Suite struct BuiltRuleTests {
  @Test("A built rule is the one of its text")
  func built() throws {
    let date = try CivilDate(parsing: "2027-02-28")
    let rows: [(RecurrenceRule, String)] = [
      (RecurrenceRule(.weekly, on: [.monday], count: 10), "FREQ=WEEKLY;COUNT=10;BYDAY=MO"),
      (
        RecurrenceRule(.weekly, interval: 2, on: [.friday, .monday, .friday]),
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"
      ),
      (RecurrenceRule(.monthly, on: [.last(.friday)]), "FREQ=MONTHLY;BYDAY=-1FR"),
      (RecurrenceRule(.monthly, on: [.first(.sunday)], count: 3), "FREQ=MONTHLY;COUNT=3;BYDAY=1SU"),
      (
        RecurrenceRule(.weekly, on: [.sunday], until: .date(date)),
        "FREQ=WEEKLY;UNTIL=20270228;BYDAY=SU"
      ),
      (RecurrenceRule(.yearly, on: []), "FREQ=YEARLY"),
    ]
    for (rule, text) in rows {
      #expect(try rule == RecurrenceRule(parsing: text))
      #expect(rule.description == text)
    }
  }

  @Test("Numbers below 1 count as 1, and an ordinal is left out of a week")
  func limits() throws {
    #expect(
      RecurrenceRule(.daily, interval: 0, on: [], count: -5).description == "FREQ=DAILY;COUNT=1")
    #expect(RecurrenceRule(.weekly, on: [.last(.friday)]).description == "FREQ=WEEKLY;BYDAY=FR")
  }
}

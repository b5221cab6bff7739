// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Every row of the article on what takes place when has an example that shows its answer.
@Suite("Questions of what takes place when") struct OccurrenceQuestionsTests {
  /// The questions in the order of the article, and the names of the rows that answer them.
  static let examples: [(question: String, names: [String])] = [
    (
      "How long is an occurrence with a DTEND or DUE?",
      ["an end at a time is an exact length, also over a change of the clocks", "an end at a time"]
    ),
    (
      "How long is one with a DURATION?",
      ["days of a duration are nominal, hours are exact", "days that last hours are whole days"]
    ),
    (
      "How long is one with neither?",
      ["a day without an end is one day", "a time without an end takes none"]
    ),
    (
      "What of an end that lies before the start?",
      [
        "an end on the same day, or before, is one day", "an end before the start takes no time",
        "a duration that is negative takes no time",
      ]
    ),
    (
      "What of an end of another type than the start?",
      [
        "a day that ends at a time includes that day",
        "a time that ends on a day ends when it begins",
      ]
    ),
    (
      "What of an end in another zone?",
      ["an end in another zone is an instant, shown by the clock of the start"]
    ),
    (
      "When is what takes no time in a range?",
      ["what takes no time is in it at its start, not at its end"]
    ),
    (
      "When is a day, or a floating time?",
      [
        "a day is that of whoever looks", "a floating time is read by the clock of whoever looks",
      ]
    ),
    (
      "Which instance does a RECURRENCE-ID name?",
      [
        "an override by the same form", "an override by UTC", "an override by another zone",
        "an override by a floating time", "an override by the day",
        "an override in a zone that nobody knows", "an override of a day by a time",
        "an override of an instance in a gap of the clocks",
      ]
    ),
    (
      "What of a RECURRENCE-ID that the series does not give?",
      ["an override of an instance that the rule does not give is one more"]
    ),
    ("What of overrides without a series?", ["an override without a main component"]),
    (
      "What of such an override with a rule?",
      ["an override with a rule and without a main component recurs"]
    ),
    (
      "What of times among the single dates of days?",
      ["times among the single dates of days are occurrences at these times"]
    ),
    (
      "What of a rule that ends before the start?",
      ["a rule that ends before the start gives nothing"]
    ),
    (
      "Which of two components for the same instance counts?",
      [
        "of two overrides the later revision counts",
        "of two overrides of one SEQUENCE both count",
        "of two main components the later revision counts",
        "of two main components of one SEQUENCE both count",
      ]
    ),
    (
      "What of an override that EXDATE names too?",
      ["an override stands though EXDATE names its instance"]
    ),
    (
      "When is an override without a DTSTART?", ["an override that does not say when is when its"]
    ),
    (
      "What does RANGE=THISANDFUTURE change?",
      [
        "all later ones are moved by as much, and last as long",
        "the difference is one of the clock on the wall", "into another zone, whose clock it keeps",
        "from days to times, named by the day",
      ]
    ),
    (
      "Several of these?", ["those with a component of their own stay, and a later one takes"]
    ),
    ("What if all later ones are cancelled?", ["all later ones are cancelled"]),
    (
      "How long is a period of RDATE?",
      [
        "dates and periods that are added, and each moment once",
        "a period that is longer than all else is found though it began before",
      ]
    ),
    (
      "Are dates and periods that are there twice two?",
      ["dates and periods that are added, and each moment once"]
    ),
    (
      "When is a reminder?",
      [
        "a reminder is from its start until it is due", "a reminder by when it is due",
        "a reminder by when it starts", "the day on which a reminder is due is part of it",
      ]
    ),
    (
      "What of a due time of another type than the start?",
      [
        "a reminder from a time on that is due on a day, by when it is due",
        "the day on which a reminder is due ends in the viewer's time zone",
        "a reminder from a day on that is due at a time",
        "of the day on which a reminder from a time on is due",
      ]
    ),
    (
      "How often does an alarm at a point in time go off?",
      [
        "at a point in time, once for a series",
        "at a point in time, of a reminder without a date",
      ]
    ),
    (
      "What does a trigger of days mean?",
      ["days are those of the clock on the wall, hours are exact"]
    ),
    ("Which alarms has an override?", ["an override has its own alarms, or none"]),
    (
      "What does ACKNOWLEDGED take away?",
      [
        "what was acknowledged does not go off again",
        "an acknowledged alarm repeats only after that",
      ]
    ),
    ("What is an alarm that was put off?", ["an alarm that was put off"]),
    (
      "Does a day block time?",
      [
        "a day blocks as the RFC says, within the range",
        "a day does not block if so chosen, unless it says so",
      ]
    ),
    (
      "What of several kinds of busy time at once?",
      ["what is tentative yields to what is certain"]
    ),
    (
      "Which of several availabilities counts?",
      [
        "of several availabilities the one with the higher priority counts",
        "of availabilities of one priority both have to say free",
      ]
    ),
    (
      "How is somebody busy by availabilities of one PRIORITY?",
      ["of availabilities of one priority BUSY counts before BUSY-UNAVAILABLE"]
    ),
    (
      "How long does an availability count that does not say?",
      ["an availability without an end, and its exceptions"]
    ),
  ]

  @Test("Every row of the article has its examples, and the other way round")
  func rows() throws {
    let url = Fixture.root.deletingLastPathComponent()
      .appending(path: "Sources/CalendarModel/CalendarModel.docc/WhatTakesPlaceWhen.md")
    let article = try String(contentsOf: url, encoding: .utf8)
    let rows = article.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
      .compactMap { $0.split(separator: "|").first?.trimmingCharacters(in: .whitespaces) }
    #expect(rows == Self.examples.map(\.question))
  }

  @Test("Every example that is named is there")
  func names() {
    let occurrences =
      OccurrenceTables.lengths + OccurrenceTables.overrides + OccurrenceTables.future
      + OccurrenceTables.series + OccurrenceTables.ranges + OccurrenceTables.kinds
    let names =
      occurrences.map(\.name) + AlarmQueryTests.rows.map(\.name) + FreeBusyTests.rows.map(\.name)
      + FreeBusyTests.availabilities.map(\.name)
    for (question, examples) in Self.examples {
      #expect(!examples.isEmpty)
      for example in examples {
        #expect(names.contains { $0.hasPrefix(example) }, "\(question) \(example)")
      }
    }
  }
}

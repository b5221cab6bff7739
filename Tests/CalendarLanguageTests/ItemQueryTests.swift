// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import CivilTime
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// Parsing and printing of queries, and what they match.
@Suite("Queries") struct ItemQueryTests {
  /// A query and its canonical form.
  static let forms: [(String, String)] = [
    ("lunch", "lunch"), ("lunch ana", "lunch and ana"), ("\"lunch with\"", "\"lunch with\""),
    ("a and b or c", "a and b or c"), ("a and (b or c)", "a and (b or c)"),
    ("(a and b) or c", "a and b or c"), ("((a))", "a"), ("not a b", "not a and b"),
    ("not (a b)", "not (a and b)"), ("not (a or b)", "not (a or b)"), ("NOT a Or b", "not a or b"),
    ("not not a", "not not a"), ("a and (b and c)", "a and b and c"),
    ("calendar=work", "calendar:work"), ("summary~Lunch", "title~Lunch"),
    ("status != cancelled", "status!=cancelled"), ("attendee~\"Ana B\"", "attendee~\"Ana B\""),
    ("start>=mon", "start>=\"Mon 2026-11-30\""), ("due<tomorrow", "due<\"Thu 2026-11-26\""),
    ("start:\"fri 9-10:30\"", "start:\"Fri 2026-11-27 09:00-10:30\""),
    ("start >= \"next week\"", "start>=\"Mon 2026-11-30..Sun 2026-12-06\""),
    ("created>20261101T090000Z", "created>\"2026-11-01T10:00:00+01:00\""),
    ("priority<=4", "priority<=4"), ("priority:HIGH", "priority:high"),
    ("kind:todo", "kind:reminder"), ("recurring:true", "recurring:yes"), ("has:alarm", "has:alarm"),
    ("12:30", "\"12:30\""), ("\"and\"", "\"and\""), ("android", "android"),
    ("title:\"say \\\"hi\\\" \\\\\"", "title:\"say \\\"hi\\\" \\\\\""),
    ("due<dec 10", "due<\"Thu 2026-12-10\""), ("due<=10 dec", "due<=\"Thu 2026-12-10\""),
    ("due<fri 12:00", "due<\"Fri 2026-11-27 12:00\""),
    ("start>=next monday lunch", "start>=\"Mon 2026-11-30\" and lunch"),
    ("(due<tomorrow 9:00) or a", "due<\"Thu 2026-11-26 09:00\" or a"),
    ("due<tomorrow not a", "due<\"Thu 2026-11-26\" and not a"),
    ("due<dec 10 title:a", "due<\"Thu 2026-12-10\" and title:a"),
    ("start:fri \"12\"", "start:\"Fri 2026-11-27\" and 12"),
    ("status:open", "status:needs-action"), ("status!=Done", "status!=completed"),
    ("status:started", "status:in-process"), ("status:canceled", "status:cancelled"),
    ("status~process", "status~process"), ("class:PRIVATE", "class:private"),
    ("title:\"\"", "title:\"\""), ("title~'home office'", "title~\"home office\""),
    ("'home office' or a", "\"home office\" or a"), ("(title:'it\\'s on')", "title:\"it's on\""),
    ("title:'Ana's call' a", "title:\"Ana's call\" and a"), ("'s a", "\"'s\" and a"),
    ("title~“home office”", "title~\"home office\""), ("„zu Hause“", "\"zu Hause\""),
  ]

  static let phrases = try? DatePhraseTests.phrases(nil)

  private func query(_ text: String) throws -> ItemQuery {
    try ItemQuery(parsing: text, phrases: #require(Self.phrases))
  }

  @Test("A query has a canonical form, which is a query with the same meaning")
  func canonicalForms() throws {
    for (text, expected) in Self.forms {
      let parsed = try query(text)
      #expect(parsed.description == expected, "\(text)")
      #expect(try query(parsed.description) == parsed, "\(text)")
    }
  }

  /// A text that is not a query, with the message.
  static let errors: [(String, String)] = [
    ("", "column 1: expected a word or a field, found the end"),
    ("a and", "column 6: expected a word or a field, found the end"),
    ("a or or b", "column 6: expected a word or a field, found \"or\""),
    ("(a", "column 3: expected \")\", found the end"),
    ("a)", "column 2: expected \"and\", \"or\" or the end, found \")\""),
    ("\"a", "column 1: expected a closing quote, found the end"),
    ("colour:red", "column 1: there is no field \"colour\""),
    ("sumary:x", "column 1: there is no field \"sumary\"; did you mean \"summary\"?"),
    ("has:x", "column 5: there is no field \"x\""),
    ("title>a", "column 6: expected one of : != ~ after \"title\", found \">\""),
    ("start~a", "column 6: expected one of : != < <= > >= after \"start\", found \"~\""),
    ("start:lunch", "column 7: expected a date or a time, found \"lunch\""),
    (
      "é start:\"fri 11/12\"", "column 15: \"11/12\" is ambiguous: write 11 December or 12 November"
    ),
    (
      "priority:urgent",
      "column 10: expected a number from 0 through 9, high, medium, low or none, "
        + "found \"urgent\""
    ),
    (
      "status:nonsense",
      "column 8: expected open, started, done, cancelled, confirmed, tentative, draft or final, "
        + "found \"nonsense\""
    ),
    ("class:secret", "column 7: expected public, private or confidential, found \"secret\""),
    ("priority<high", "column 10: expected a number from 0 through 9, found \"high\""),
    ("kind:meeting", "column 6: expected event, reminder or journal, found \"meeting\""),
    ("alarm:maybe", "column 7: expected yes or no, found \"maybe\""),
    ("title:", "column 7: expected a value of \"title\", found the end"),
    (
      "lunch || dinner",
      "column 7: expected \"and\", \"or\", \"not\" or a word, found \"||\"; in quotes, it is a word"
    ),
    (
      "lunch !dinner",
      "column 7: expected \"and\", \"or\", \"not\" or a word, found \"!\"; in quotes, it is a word"
    ),
    ("title!~lunch", "column 6: expected one of : != ~ after \"title\", found \"!~\""),
    (
      "title==lunch",
      "column 7: expected a value of \"title\", found \"=lunch\"; in quotes, it is one"
    ),
  ]

  @Test(
    "Signs in words of titles are no operators",
    arguments: ["tom & jerry", "wow!", "<3", "title:\"=lunch\"", "\"||\"", "r&d", "class!"])
  func signs(_ text: String) throws {
    _ = try query(text)
  }

  @Test("An error has its column and what was expected")
  func messages() throws {
    let phrases = try #require(Self.phrases)
    for (text, expected) in Self.errors {
      do throws(QueryError) {
        let parsed = try ItemQuery(parsing: text, phrases: phrases)
        Issue.record("\(text): \(parsed)")
      } catch {
        #expect(error.description == expected, "\(text)")
      }
    }
  }

  @Test("Depth and length are limited")
  func limits() {
    for text in [
      String(repeating: "(", count: 5000) + "a", String(repeating: "not ", count: 2000) + "a",
      String(repeating: "a ", count: 10_000),
    ] {
      #expect(throws: QueryError.self) { try query(text) }
    }
  }

  @Test("Random texts never trap, and the canonical form of a query is the same query")
  func randomTexts() {
    let parts = [
      "a", "lunch", "and", "or", "not", "(", ")", "\"", "\\", ":", "=", "!=", "~", "<", "<=", ">",
      ">=",
      "calendar", "title", "start", "due", "priority", "kind", "has", "alarm", "fri",
      "\"next week\"",
      "event", "yes", "high", "5", " ", " ", " ", "é", "\u{301}", "\u{FE0F}", "İ", "@", ".", "\t",
      "\r\n",
    ]
    forAll(6000) { random in
      let count = Int.random(in: 1...14, using: &random)
      let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      guard let parsed = try? query(text) else { return }
      let again = try query(parsed.description)
      guard again == parsed else { throw Failure(text: text, printed: parsed.description) }
    }
  }

  private struct Failure: Error {
    let text: String
    let printed: String
  }
}

/// What queries match.
@Suite("Matches of queries") struct QueryMatcherTests {
  private static let item = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//A//B//EN
    BEGIN:VEVENT
    UID:lunch-1
    DTSTAMP:20261101T000000Z
    CREATED:20261101T090000Z
    LAST-MODIFIED:20261120T090000Z
    DTSTART;TZID=Europe/Berlin:20261127T123000
    DTEND;TZID=Europe/Berlin:20261127T133000
    SUMMARY:Lunch in der Straße
    DESCRIPTION:Bring the plans
    LOCATION:Café Einstein
    CATEGORIES:Travel,Food
    CATEGORIES:Friends
    CLASS:PRIVATE
    STATUS:TENTATIVE
    PRIORITY:2
    URL:https://example.org/menu
    ORGANIZER;CN=Ben Example:mailto:ben@example.org
    ATTENDEE;CN="Ana Example":mailto:ana@example.org
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    DESCRIPTION:Soon
    END:VALARM
    END:VEVENT
    END:VCALENDAR
    """

  private static let series = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//A//B//EN
    BEGIN:VEVENT
    UID:series
    DTSTAMP:20200101T000000Z
    DTSTART;VALUE=DATE:20200106
    RRULE:FREQ=WEEKLY
    SUMMARY:Bins
    END:VEVENT
    BEGIN:VEVENT
    UID:series
    DTSTAMP:20200101T000000Z
    RECURRENCE-ID;VALUE=DATE:20261130
    DTSTART;VALUE=DATE:20261201
    SUMMARY:Bins a day late
    END:VEVENT
    END:VCALENDAR
    """

  private static let reminder = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//A//B//EN
    BEGIN:VTODO
    UID:tax
    DTSTAMP:20261101T000000Z
    DUE;VALUE=DATE:20261130
    SUMMARY:Tax
    END:VTODO
    END:VCALENDAR
    """

  private static let note = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//A//B//EN
    BEGIN:VTODO
    UID:someday
    DTSTAMP:20261101T000000Z
    SUMMARY:Someday
    END:VTODO
    END:VCALENDAR
    """

  private static let entry = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//A//B//EN
    BEGIN:VJOURNAL
    UID:entry
    DTSTAMP:20261101T000000Z
    DTSTART;VALUE=DATE:20261130
    SUMMARY:Entry
    END:VJOURNAL
    END:VCALENDAR
    """

  @Test("A journal entry of a day ends with the day")
  func journals() throws {
    #expect(try matches("end:30.11.2026", Self.entry))
    #expect(try !matches("end<=2026-11-30T03:00", Self.entry))
    #expect(try !matches("end>30.11.2026", Self.entry))
  }

  private func matches(_ text: String, _ contents: String) throws -> Bool {
    let phrases = try DatePhraseTests.phrases(nil)
    let query = try ItemQuery(parsing: text, phrases: phrases)
    let bytes = Array(contents.replacing("\n", with: "\r\n").utf8) + Array("\r\n".utf8)
    let item = try CalendarItem(parsing: bytes)
    return QueryMatcher(query, zones: LanguageScene.zones, viewer: phrases.zone)
      .matches(item, calendar: "Work")
  }

  @Test(
    "Queries that are true for an event",
    arguments: [
      "lunch", "LUNCH strasse", "CAFÉ", "plans", "calendar:work", "title~straSSE",
      "title:\"lunch in der strasse\"", "location~einstein", "description~plan", "attendee~ana",
      "attendee:ANA@example.org", "attendee:\"ana example\"", "organizer~ben", "category:travel",
      "category:friends", "category~oo", "category!=work", "status:tentative", "class:private",
      "uid:lunch-1", "url~menu", "priority:high", "priority<=2", "priority>1", "kind:event",
      "kind!=reminder", "recurring:no", "alarm:yes", "has:alarm", "has:location", "has:created",
      "start:fri", "start>=fri", "start<=fri", "start>thu", "start<sat",
      "start:\"fri 12:30\"", "start>=\"fri 12:30\"", "start<=\"fri 12:30\"", "end:fri",
      "end>\"fri 13:00\"", "created:1.11.2026", "modified>=\"20.11.2026 10:00\"",
      "lunch and not has:completed", "nothing or lunch", "not nothing",
      "start:\"this week\" and (category:food or category:none)",
    ])
  func matching(_ text: String) throws {
    #expect(try matches(text, Self.item))
  }

  @Test(
    "Queries that are false for an event",
    arguments: [
      "dinner", "lunch dinner", "calendar:home", "calendar!=work", "title:lunch", "attendee:ana",
      "category:trave", "category!=travel", "status!=tentative", "priority:low", "priority>2",
      "priority:none", "kind:reminder", "recurring:yes", "alarm:no", "has:due", "has:completed",
      "has:recurring", "start>fri", "start<fri", "start:sat", "start>\"fri 12:30\"",
      "start<\"fri 12:30\"", "due<2030-01-01", "completed>2000-01-01", "not lunch",
      "created>1.11.2026",
    ])
  func failing(_ text: String) throws {
    #expect(try !matches(text, Self.item))
  }

  @Test(
    "Words and ~ have no regard to accents, and = has",
    arguments: [
      ("Müller", "muller", true), ("Mu\u{308}ller", "muller", true), ("Muller", "müller", true),
      ("Dîner chez François", "diner chez francois", true), ("Łódź", "title~lodz", true),
      ("Čaj", "title~\"caj\"", true), ("Señor Nuñez", "NUNEZ", true), ("Straße", "strasse", true),
      ("Müller", "title:müller", true), ("Müller", "title:muller", false),
      ("İstanbul toplantısı", "istanbul", true), ("İstanbul toplantısı", "TOPLANTISI", true),
      ("İstanbul toplantısı", "title~İSTANBUL", true), ("ISPARTA", "ısparta", true),
      ("Isparta", "title:ısparta", true), ("toplantisi", "toplantısı", true),
      ("Müller", "muler", false), ("Müller", "mueller", false), ("Muller", "miller", false),
    ])
  func accents(title: String, query: String, isMatch: Bool) throws {
    let item = Self.note.replacing("SUMMARY:Someday", with: "SUMMARY:\(title)")
    #expect(try matches(query, item) == isMatch)
  }

  @Test("The title of a calendar names it, and so does its name without the account")
  func calendarTitles() throws {
    let phrases = try DatePhraseTests.phrases(nil)
    let titles = ["Work": "Büro", "home": "Familie", "account/trips": "Trips"]
    func calendars(_ text: String) throws -> [String] {
      let query = try ItemQuery(parsing: text, phrases: phrases).namingCalendars(titles)
      let item = try CalendarItem(
        parsing: Array(Self.item.replacing("\n", with: "\r\n").utf8) + Array("\r\n".utf8))
      return titles.keys.sorted().filter {
        QueryMatcher(query, zones: LanguageScene.zones, viewer: phrases.zone)
          .matches(item, calendar: $0)
      }
    }
    #expect(try calendars("calendar:büro") == ["Work"])
    #expect(try calendars("calendar:work") == ["Work"])
    #expect(try calendars("calendar:trips") == ["account/trips"])
    #expect(try calendars("calendar!=Familie") == ["Work", "account/trips"])
    #expect(try calendars("calendar~\"ür\" or calendar:familie") == ["Work", "home"])
    #expect(try calendars("not calendar:BÜRO and lunch") == ["account/trips", "home"])
    #expect(try calendars("calendar:nowhere") == [])
  }

  @Test("A reminder has the status that it states or implies")
  func statedStatus() throws {
    func reminder(_ line: String) -> String {
      Self.reminder.replacing("END:VTODO", with: line + "\nEND:VTODO")
    }
    let done = reminder("COMPLETED:20261120T090000Z")
    #expect(try matches("status:completed", done))
    #expect(try !matches("status!=Completed", done))
    #expect(try !matches("status:needs-action", done))
    #expect(try matches("status:needs-action", reminder("X-NONE:1")))
    #expect(try matches("status:CANCELLED", reminder("STATUS:Cancelled")))
  }

  @Test("A series matches if one of its occurrences does")
  func series() throws {
    #expect(try matches("start:7.12.2026", Self.series))
    #expect(try matches("start:1.12.2026 and late", Self.series))
    #expect(try matches("start:1.12.2026 and recurring:yes", Self.series))
    #expect(try !matches("start:30.11.2026", Self.series))
    #expect(try !matches("start:1.12.2026 and not late", Self.series))
    #expect(try matches("end:7.12.2026", Self.series))
    #expect(try matches("start>2040-01-01", Self.series))
    #expect(try !matches("start<2020-01-01", Self.series))
    #expect(try matches("bins", Self.series))
  }

  @Test("Reminders match by their due time, with or without one")
  func reminders() throws {
    #expect(try matches("due:mon", Self.reminder))
    #expect(try matches("due<1.12.", Self.reminder))
    #expect(try !matches("due<mon", Self.reminder))
    #expect(try !matches("start:mon", Self.reminder))
    // What is due on a day ends with it.
    #expect(try !matches("due<2026-11-30T14:00", Self.reminder))
    #expect(try !matches("due<=2026-11-30T14:00", Self.reminder))
    #expect(try matches("due>2026-11-30T14:00", Self.reminder))
    #expect(try matches("due<2026-12-01T00:00", Self.reminder))
    #expect(try matches("due<=30.11.2026", Self.reminder))
    #expect(try !matches("due>30.11.2026", Self.reminder))
    #expect(try !matches("end<=2026-11-30T03:00", Self.reminder))
    #expect(try matches("end:30.11.2026", Self.reminder))
    #expect(try matches("not due<mon", Self.note))
    #expect(try !matches("due<9999-01-01", Self.note))
    #expect(try matches("kind:reminder and not has:due", Self.note))
  }
}

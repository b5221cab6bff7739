// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import Testing

@Suite("Rules in words")
struct RuleWordsTests {
  static let sentences = [
    ("FREQ=DAILY", "every day"),
    ("FREQ=DAILY;INTERVAL=2;COUNT=1", "every other day, once"),
    ("FREQ=DAILY;UNTIL=19971224T000000Z", "every day, until 24 December 1997 00:00 UTC"),
    ("FREQ=WEEKLY;INTERVAL=3;UNTIL=19971224", "every 3 weeks, until 24 December 1997"),
    ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "every week on Monday, Wednesday and Friday"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every week on Monday to Friday"),
    ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=10", "every month on the last Friday, 10 times"),
    ("FREQ=MONTHLY;BYDAY=1FR,TH", "every month on every Thursday and the 1st Friday"),
    ("FREQ=MONTHLY;BYDAY=-2MO", "every month on the 2nd-to-last Monday"),
    ("FREQ=MONTHLY;BYMONTHDAY=2,15", "every month on the 2nd and the 15th"),
    ("FREQ=MONTHLY;BYMONTHDAY=-1,-3", "every month on the 3rd-to-last day and the last day"),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "every month on the 13th if that is a Friday"),
    (
      "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
      "every month on the 7th to the 13th if that is a Saturday"
    ),
    (
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "every month on Monday to Friday, but only the last of these in each month"
    ),
    ("FREQ=YEARLY;BYMONTH=6,7", "every year in June and July"),
    ("FREQ=YEARLY;BYDAY=20MO", "every year on the 20th Monday of the year"),
    ("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "every year in March on the last Sunday"),
    ("FREQ=YEARLY;BYWEEKNO=20,-1;BYDAY=MO", "every year in week 20 and the last week on Monday"),
    (
      "FREQ=YEARLY;BYYEARDAY=1,100,200",
      "every year on the 1st, the 100th and the 200th of the year"
    ),
    (
      "FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30",
      "every other year in January on Sunday at 08:30 and 09:30"
    ),
    (
      "FREQ=DAILY;BYHOUR=9,10,11,12;BYMINUTE=0,20,40",
      "every day in hours 9 to 12 at minutes 0, 20 and 40"
    ),
    ("FREQ=SECONDLY;INTERVAL=90;BYSECOND=15", "every 90 seconds at second 15"),
    (
      "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD",
      "every year of the Hebrew calendar in leap month 5 on the 8th, or on the next day if there is "
        + "no such day"
    ),
  ]

  @Test("English", arguments: sentences)
  func english(_ rule: String, _ sentence: String) throws {
    #expect(try RecurrenceRule(parsing: rule).describe() == sentence)
  }

  static let germanSentences = [
    ("FREQ=DAILY", "jeden Tag"),
    ("FREQ=DAILY;INTERVAL=2;COUNT=1", "jeden zweiten Tag, einmal"),
    ("FREQ=WEEKLY;INTERVAL=2", "jede zweite Woche"),
    ("FREQ=YEARLY;INTERVAL=2", "jedes zweite Jahr"),
    ("FREQ=DAILY;UNTIL=19971224T000000Z", "jeden Tag, bis zum 24. Dezember 1997 um 00:00 Uhr UTC"),
    ("FREQ=WEEKLY;INTERVAL=3;UNTIL=19970324", "alle 3 Wochen, bis zum 24. März 1997"),
    ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "jede Woche am Montag, Mittwoch und Freitag"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "jede Woche von Montag bis Freitag"),
    ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=10", "jeden Monat am letzten Freitag, 10-mal"),
    ("FREQ=MONTHLY;BYDAY=1FR,TH", "jeden Monat an jedem Donnerstag und am 1. Freitag"),
    ("FREQ=MONTHLY;BYDAY=-2MO", "jeden Monat am vorletzten Montag"),
    ("FREQ=MONTHLY;BYMONTHDAY=2,15", "jeden Monat am 2. und 15."),
    ("FREQ=MONTHLY;BYMONTHDAY=-1,-3", "jeden Monat am drittletzten und letzten Tag"),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "jeden Monat am 13., wenn das ein Freitag ist"),
    (
      "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
      "jeden Monat am 7. bis 13., wenn das ein Samstag ist"
    ),
    (
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "jeden Monat von Montag bis Freitag, davon in jedem Monat nur der letzte"
    ),
    ("FREQ=YEARLY;BYMONTH=6,7", "jedes Jahr im Juni und Juli"),
    ("FREQ=YEARLY;BYDAY=20MO", "jedes Jahr am 20. Montag des Jahres"),
    (
      "FREQ=YEARLY;BYWEEKNO=20,-1;BYDAY=MO",
      "jedes Jahr in Woche 20 und der letzten Woche am Montag"
    ),
    ("FREQ=YEARLY;BYYEARDAY=1,100,-1", "jedes Jahr am 1., 100. und letzten Tag des Jahres"),
    (
      "FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30",
      "jedes zweite Jahr im Januar am Sonntag um 08:30 und 09:30 Uhr"
    ),
    (
      "FREQ=DAILY;BYHOUR=9,10,11,12;BYMINUTE=0,20,40",
      "jeden Tag in den Stunden 9 bis 12 zu den Minuten 0, 20 und 40"
    ),
    ("FREQ=SECONDLY;INTERVAL=90;BYSECOND=15", "alle 90 Sekunden zur Sekunde 15"),
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU",
      "jede zweite Woche am Dienstag und Sonntag, in Wochen, die am Sonntag beginnen"
    ),
    (
      "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD",
      "jedes Jahr nach dem hebräischen Kalender im Schaltmonat 5 am 8., oder am nächsten Tag, wenn es "
        + "diesen Tag nicht gibt"
    ),
  ]

  @Test("German", arguments: germanSentences)
  func german(_ rule: String, _ sentence: String) throws {
    #expect(try RecurrenceRule(parsing: rule).describe(in: GermanRuleLanguage()) == sentence)
  }

  static let startedSentences: [(String, RecurrenceOptions.YearlyMonthDays, String)] = [
    ("FREQ=YEARLY;BYMONTHDAY=1,15", .monthOfStart, "every year in August on the 1st and the 15th"),
    (
      "FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR", .monthOfStart,
      "every year in August on the 13th if that is a Friday"
    ),
    (
      "FREQ=YEARLY;BYMONTHDAY=1", .everyMonth,
      "every year in January, February, March, April, May, June, July, August, September, October, "
        + "November and December on the 1st"
    ),
    ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1", .monthOfStart, "every year in March on the 1st"),
    ("FREQ=YEARLY;BYWEEKNO=5;BYMONTHDAY=1", .monthOfStart, "every year in week 5 on the 1st"),
    ("FREQ=MONTHLY;BYMONTHDAY=1", .monthOfStart, "every month on the 1st"),
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", .monthOfStart,
      "every other week on Tuesday and Sunday, in weeks that start on Sunday"
    ),
    ("FREQ=WEEKLY;BYDAY=TU,SU;WKST=SU", .monthOfStart, "every week on Tuesday and Sunday"),
  ]

  @Test("The start determines the month of a yearly rule", arguments: startedSentences)
  func started(
    _ rule: String, _ months: RecurrenceOptions.YearlyMonthDays, _ sentence: String
  ) throws {
    var options = RecurrenceOptions()
    options.yearlyMonthDays = months
    let start = try CivilDate(parsing: "20260804")
    #expect(
      try RecurrenceRule(parsing: rule).describe(from: start, options: options) == sentence)
  }

  /// A language of codes, to show that all words come from the language.
  private struct Codes: RuleLanguage {
    var code: String { "zxx" }

    func words(for phrase: RulePhrase) -> String {
      if case .numberedWeekdays(let weekdays, let frequency) = phrase {
        return "\(weekdays)/\(frequency.rawValue)"
      }
      return "?"
    }

    func sentence(of phrases: [RulePhrase]) -> String {
      phrases.map(words).joined(separator: "|")
    }
  }

  @Test("Another language says the same phrases")
  func another() throws {
    let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR;COUNT=10")
    #expect(rule.describe(in: Codes()) == "?|[-1FR]/MONTHLY|?")
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A rule to expand or to search, with expected results from testing every day.
///
/// The rules have at most one instance a day, always at the same time.
public struct RuleCase: Sendable {
  /// The rule (RFC 5545 §3.3.10).
  public let rule: String
  /// The first day of the rule, which is an instance.
  private let start: Day
  /// The hour of each instance.
  private let hour: Int
  /// The name of the zone, for instances as points in time.
  public let zone: String?
  /// The day from which instances are searched; nil to expand the rule from its start.
  private let target: Day?
  /// The number of instances to expand, or of searches, each from one day later.
  public let count: Int
  private let isChosen: @Sendable (Day) -> Bool

  init(
    _ rule: String, from start: Day, hour: Int = 9, zone: String? = nil, target: Day? = nil,
    count: Int, isChosen: @escaping @Sendable (Day) -> Bool
  ) {
    self.rule = rule
    self.start = start
    self.hour = hour
    self.zone = zone
    self.target = target
    self.count = count
    self.isChosen = isChosen
  }

  /// The same case with fewer instances, for checking answers without measuring.
  public func limited(to count: Int) -> RuleCase {
    RuleCase(
      rule, from: start, hour: hour, zone: zone, target: target, count: min(count, self.count),
      isChosen: isChosen)
  }

  /// The case in the format of the workers and peers: rule, start, zone, count and target.
  ///
  /// A hyphen replaces a missing zone or target.
  public var text: String {
    let time = Day.digits(hour, 2) + "0000"
    let target = target.map { "\($0.text)T000000" } ?? "-"
    return "\(rule) \(start.text)T\(time) \(zone ?? "-") \(count) \(target)"
  }

  /// The expected answers.
  public var answers: Answers {
    var (instances, fields, seconds) = (0, 0, 0)
    func add(_ day: Day) {
      instances += 1
      fields += ((day.year * 12 + day.month) * 31 + day.day) * 86_400 + hour * 3600
      seconds += day.number * 86_400 + hour * 3600 - (zone == nil ? 0 : day.newYorkOffset)
    }
    if var target {
      for _ in 0..<count {
        var day = target
        // No rule that is searched here has a longer gap between instances.
        for _ in 0..<400 where !isChosen(day) { day.advance() }
        add(day)
        target.advance()
      }
    } else {
      var day = start
      while instances < count, day.year < 9999 {
        if isChosen(day) { add(day) }
        day.advance()
      }
    }
    return [.instances: instances, .instanceFields: fields, .instanceSeconds: seconds]
  }
}

extension RuleCase {
  private static let start = Day(year: 1997, month: 9, day: 2)
  private static let november = Day(year: 2026, month: 11, day: 21)
  private static let workdays = "MO,TU,WE,TH,FR"

  /// Every day.
  public static let daily = RuleCase("FREQ=DAILY", from: start, count: 100_000) { _ in true }
  /// Three days a week.
  public static let weekly = RuleCase(
    "FREQ=WEEKLY;BYDAY=TU,TH,SA", from: start, count: 80_000
  ) { [1, 3, 5].contains($0.weekday) }
  /// The last Friday of each month.
  public static let monthly = RuleCase(
    "FREQ=MONTHLY;BYDAY=-1FR", from: Day(year: 1997, month: 9, day: 26), count: 6000
  ) { $0.weekday == 4 && $0.day + 7 > $0.monthLength }
  /// Two days of four months.
  public static let yearly = RuleCase(
    "FREQ=YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=1,15", from: Day(year: 1997, month: 10, day: 1),
    count: 4000
  ) { $0.month % 3 == 1 && ($0.day == 1 || $0.day == 15) }
  /// The last working day of each month.
  public static let position = RuleCase(
    "FREQ=MONTHLY;BYDAY=\(workdays);BYSETPOS=-1", from: Day(year: 1997, month: 9, day: 30),
    count: 6000
  ) { day in
    let left = day.monthLength - day.day
    return day.weekday < 4 && left == 0 || day.weekday == 4 && left <= 2
  }
  /// Three days of two weeks.
  public static let weekNumber = RuleCase(
    "FREQ=YEARLY;BYWEEKNO=20,40;BYDAY=MO,WE,FR", from: Day(year: 1997, month: 9, day: 29),
    count: 3000
  ) { [0, 2, 4].contains($0.weekday) && [20, 40].contains($0.week) }
  /// Four days of the year.
  public static let yearDay = RuleCase(
    "FREQ=YEARLY;BYYEARDAY=1,100,200,-1", from: Day(year: 1997, month: 12, day: 31), count: 2000
  ) { [1, 100, 200, $0.yearLength].contains($0.dayOfYear) }
  /// Three days a week in New York, in years that the zone tables of all peers cover.
  public static let zoned = RuleCase(
    "FREQ=WEEKLY;BYDAY=TU,TH,SA", from: start, zone: "America/New_York", count: 6000
  ) { [1, 3, 5].contains($0.weekday) }
  /// One second a year.
  public static let sparse = RuleCase(
    "FREQ=SECONDLY;BYMONTH=1;BYMONTHDAY=1;BYHOUR=0;BYMINUTE=0;BYSECOND=0",
    from: Day(year: 1998, month: 1, day: 1), hour: 0, count: 500
  ) { $0.dayOfYear == 1 }
  /// A rule without instances.
  public static let impossible = RuleCase(
    "FREQ=DAILY;BYMONTH=2,4;BYMONTHDAY=31", from: start, count: 100
  ) { _ in false }
  /// A search for a day far from the start.
  public static let seekDaily = RuleCase(
    "FREQ=DAILY", from: Day(year: 1970, month: 1, day: 1), target: november, count: 1000
  ) { _ in true }
  /// A search for an hour far from the start.
  public static let seekHourly = RuleCase(
    "FREQ=HOURLY", from: Day(year: 2000, month: 1, day: 1), hour: 0, target: november, count: 1000
  ) { _ in true }
  /// A search for a week far from the start, in a rule with COUNT.
  public static let seekCount = RuleCase(
    "FREQ=WEEKLY;COUNT=2000", from: start, target: november, count: 1000
  ) { $0.weekday == 1 }
  /// The same for a COUNT without a closed form.
  public static let seekUneven = RuleCase(
    "FREQ=WEEKLY;BYMONTH=1,2,3,5,6,7,8,9,10,11,12;COUNT=2000", from: start, target: november,
    count: 1000
  ) { $0.weekday == 1 && $0.month != 4 }
}

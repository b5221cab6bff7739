// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles

extension Row {
  private static let fields: [Answer] = [.instances, .instanceFields]
  private static let seconds: [Answer] = [.instances, .instanceSeconds]
  private static let everybody = ["libical", "dateutil", "lib-recur"]

  /// Creates a row for a rule, with the peers that support it.
  private static func rule(
    _ name: String, _ rule: RuleCase, work: String = "expand", answers: [Answer] = fields,
    peers: [String] = everybody, why: String
  ) -> Row {
    Row(
      name: name, suite: "recurrence", work: work, input: .small, rule: rule, method: .passes,
      references: peers.map { .peer($0, work: work, answers: answers) }, answers: answers,
      why: why)
  }

  /// Rows for recurrence rules and zones.
  static let recurrence: [Row] = [
    rule("daily", .daily, why: "The simplest rule: what an instance costs at the least."),
    rule("weekly", .weekly, why: "The most frequent rule of calendars: some days of each week."),
    rule("monthly", .monthly, why: "The last Friday, which has to be found in each month."),
    rule("yearly", .yearly, why: "Months and days of each year."),
    rule(
      "position", .position,
      why: "The last working day of a month: a set of which all but one is left out."),
    rule("week-number", .weekNumber, why: "Weeks of the year, which do not begin with it."),
    rule("year-day", .yearDay, why: "Days of the year, from both of its ends."),
    rule(
      "zoned", .zoned, work: "expand-zoned", answers: seconds,
      why: "What an agenda needs: points in time, of a rule on the clocks of New York."),
    // The others iterate over every second of a year, or stop with a wrong answer.
    rule(
      "sparse", .sparse, peers: ["lib-recur"],
      why: "One second of each year: what is left out has to be passed over in steps."),
    rule(
      "impossible", .impossible, work: "prove", answers: [.instances], peers: [],
      why: "A rule that never happens: it takes a proof to say so."),
    rule(
      "seek-daily", .seekDaily, work: "seek", peers: ["libical"],
      why: "The first instance of this month in a rule from 1970; libical's part is set_start."),
    rule(
      "seek-hourly", .seekHourly, work: "seek", peers: ["libical"],
      why: "The same with the hours since 2000."),
    rule(
      "seek-count", .seekCount, work: "seek", peers: [],
      why: "The same in a rule with COUNT, which has to know what came before."),
    rule(
      "seek-uneven", .seekUneven, work: "seek-again", peers: [],
      why: "The same where no formula knows it, in a rule that was indexed."),
    rule(
      "offset", .zoned, work: "zone-offset", answers: seconds, peers: [],
      why: "The offset of a point in time, to show it on a clock."),
    rule(
      "wall", .zoned, work: "zone-clock", answers: seconds, peers: [],
      why: "The point in time that a clock on the wall means."),
  ]
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite("Recurrence sets")
struct SetTests {
  @Test("Rules, dates, exclusions and clocks", arguments: try Example.read("recurrence/sets.txt"))
  func example(_ example: Example) throws {
    let instances = try example.set().instances()
    #expect(instances.map { example.text(of: $0) } == example.expected)
    // The same from any moment on.
    let all = Array(instances)
    for instance in all {
      let rest = all.drop { $0.key < instance.key }.map(\.key)
      let start = Instant(secondsSinceEpoch: instance.key)
      #expect(instances.starting(at: start).map(\.key) == rest, "from \(instance)")
      let after = Instant(secondsSinceEpoch: instance.key + 1)
      #expect(instances.starting(at: after).map(\.key) == Array(rest.dropFirst()))
    }
  }

  @Test("Instances of random rules in zones are in order, and found from any moment on")
  func zones() throws {
    let zones = ["America/New_York", "Pacific/Apia", "Australia/Lord_Howe", "Africa/Casablanca"]
    for seed in UInt64(1)...25 {
      var random = SeededGenerator(seed: seed)
      let example = RandomRule(&random)
      let zone = try systemZones.rules(named: zones[random.below(zones.count)])
      var set = RecurrenceSet(start: example.start, clock: .zone(zone))
      set.rules = [example.rule]
      if random.below(3) == 0 { set.options.skippedTimes = .omit }
      if random.below(3) == 0 { set.rules.append(RandomRule(&random).rule) }
      if random.below(3) == 0 { set.exclusionRules = [RandomRule(&random).rule] }
      let instances = try set.instances()
      let all = Array(instances.prefix(60))
      let message: Comment = "seed \(seed): \(set.rules) from \(set.start) in \(zone.name)"
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.key < $1.key }, message)
      for instance in all {
        #expect(instance.instant == zone.instant(of: instance.local), message)
      }
      guard let last = all.last else { continue }
      for _ in 0..<3 {
        let span = UInt64(last.key - all[0].key + 1)
        let moment = Instant(secondsSinceEpoch: all[0].key + Int64(random.next() % span))
        #expect(
          instances.starting(at: moment).first { _ in true }?.key
            == all.first { $0.key >= moment.secondsSinceEpoch }?.key, message)
      }
    }
  }

  @Test("A search that is given up is told, and one that is proved to be in vain is not")
  func truncation() throws {
    var set = RecurrenceSet(
      start: try CivilDateTime(parsing: "20260301T090000"), clock: .floating)
    // A second earlier every day: the times meet after 60 of them.
    set.rules = [
      try RecurrenceRule(
        parsing: "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=8;BYMINUTE=59;BYSECOND=0")
    ]
    set.options.searchLimit = 10
    var iterator = try set.instances().makeIterator()
    #expect(iterator.next()?.source == .start)
    #expect(iterator.next() == nil && iterator.isTruncated)

    set.options.searchLimit = RecurrenceOptions().searchLimit
    #expect(
      try set.instances().prefix(2).map(\.local.description)
        == ["20260301T090000", "20260430T085900"])

    set.rules = [try RecurrenceRule(parsing: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")]
    iterator = try set.instances().makeIterator()
    #expect(iterator.next()?.source == .start)
    #expect(iterator.next() == nil && !iterator.isTruncated)
  }

  @Test("What COUNT makes it necessary to count is counted, and within limits")
  func counting() throws {
    // Nobody has a formula for this one: 11 of 12 months.
    let months = "1,2,3,5,6,7,8,9,10,11,12"
    let rule = try RecurrenceRule(parsing: "FREQ=HOURLY;BYMONTH=\(months);COUNT=400000")
    let start = try CivilDateTime(parsing: "20260101T000000")
    let late = try CivilDateTime(parsing: "20710101T000000")
    var options = RecurrenceOptions()
    let expansion = try Expansion(of: rule, from: start, options: options)
    #expect(expansion.first(from: late) == late)
    options.searchLimit = 100
    var iterator = try Expansion(of: rule, from: start, options: options).starting(at: late)
      .makeIterator()
    #expect(iterator.next() == nil && iterator.isTruncated)
    // No overflow of the limit.
    options.searchLimit = .max
    #expect(try Expansion(of: rule, from: start, options: options).first(from: late) == late)
  }

  @Test("A calendar that is not at hand is refused")
  func unknownCalendar() throws {
    var set = RecurrenceSet(date: try CivilDate(parsing: "20260301"))
    set.rules = [try RecurrenceRule(parsing: "RSCALE=KLINGON;FREQ=YEARLY")]
    let error = #expect(throws: ExpansionError.self) { try set.instances() }
    #expect(
      error?.description
        == "expected a calendar that is known, found RSCALE=KLINGON (RFC 7529 §4)")
  }

  @Test("Each instance tells what gives it")
  func sources() throws {
    var set = RecurrenceSet(date: try CivilDate(parsing: "20260904"))
    set.rules = [try RecurrenceRule(parsing: "FREQ=WEEKLY;COUNT=2")]
    set.dates = [
      .date(try CivilDate(parsing: "20260911")), .date(try CivilDate(parsing: "20260912")),
    ]
    #expect(try set.instances().map(\.source) == [.start, .rule(0), .date(1)])
  }
}

extension RecurrenceInstance {
  /// What instances are ordered by.
  var key: Int64 { instant?.secondsSinceEpoch ?? local.wallSeconds }
}

extension Example {
  /// The set that the example describes.
  func set() throws -> RecurrenceSet {
    var set: RecurrenceSet
    if startsOnDate {
      set = RecurrenceSet(date: try CivilDate(parsing: start))
    } else {
      let isUTC = start.hasSuffix("Z")
      let clock: RecurrenceClock =
        if let zone {
          .zone(try systemZones.rules(named: zone))
        } else {
          isUTC ? .utc : .floating
        }
      set = RecurrenceSet(
        start: try CivilDateTime(parsing: isUTC ? String(start.dropLast()) : start), clock: clock)
    }
    set.options = try options(calendars: TestCalendar.all)
    set.rules = try rules.map { try RecurrenceRule.parse(leniently: $0).rule }
    for (name, value) in others {
      let moments = try name == "EXRULE" || name == "OPTION" ? [] : Example.moments(value)
      switch name {
      case "RDATE": set.dates += moments
      case "EXDATE": set.excludedDates += moments
      case "EXRULE": set.exclusionRules.append(try RecurrenceRule(parsing: value))
      default: break
      }
    }
    return set
  }

  private static func moments(_ text: String) throws -> [RecurrenceMoment] {
    try text.split(separator: ",").map { text in
      if text.utf8.count == 8 { return .date(try CivilDate(parsing: String(text))) }
      guard text.hasSuffix("Z") else { return .local(try CivilDateTime(parsing: String(text))) }
      return .instant(Instant(utc: try CivilDateTime(parsing: String(text.dropLast()))))
    }
  }

  /// An instance as the file writes it.
  func text(of instance: RecurrenceInstance) -> String {
    if startsOnDate { return instance.local.date.description }
    return instance.local.description + (instance.instant.map { "=\($0)" } ?? "")
  }
}

// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import CivilTime
import Recurrence

/// The input of a worker, parsed from the text of a `RuleCase`.
struct RuleInput {
  let rule: RecurrenceRule
  let start: CivilDateTime
  let zone: ZoneRules?
  let count: Int
  /// The times from which to search, a day apart.
  let targets: [CivilDateTime]

  init(_ text: String) throws {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 5, let count = Int(words[3]) else {
      throw Failure("expected a rule, a start, a zone, a count and a target, found \(text)")
    }
    rule = try RecurrenceRule(parsing: words[0])
    start = try CivilDateTime(parsing: words[1])
    let zones = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    zone = words[2] == "-" ? nil : try zones.rules(named: words[2])
    self.count = count
    let target = words[4] == "-" ? nil : try CivilDateTime(parsing: words[4])
    targets = target.map { first in (0..<count).compactMap { first.adding(days: $0) } } ?? []
  }
}

/// Counts of instances.
struct InstanceTally {
  private var (instances, fields) = (0, 0)

  mutating func add(_ time: CivilDateTime) {
    let date = time.date
    instances += 1
    fields += ((date.year * 12 + date.month) * 31 + date.day) * 86_400 + time.time.secondOfDay
  }

  var answers: Answers { [.instances: instances, .instanceFields: fields] }
}

/// Expands a rule from its start.
struct Expand: Workload {
  private let input: RuleInput
  private var tally = InstanceTally()

  init(input: String) throws {
    self.input = try RuleInput(input)
  }

  mutating func run() throws {
    var tally = InstanceTally()
    var iterator = try Expansion(of: input.rule, from: input.start).makeIterator()
    for _ in 0..<input.count {
      guard let time = iterator.next() else { break }
      tally.add(time)
    }
    self.tally = tally
  }

  var answers: Answers { tally.answers }
}

/// Proves repeatedly that a rule has no instances.
struct Prove: Workload {
  private let input: RuleInput
  private var answer = 0

  init(input: String) throws {
    self.input = try RuleInput(input)
  }

  mutating func run() throws {
    answer = 0
    for _ in 0..<input.count {
      var iterator = try Expansion(of: input.rule, from: input.start).makeIterator()
      if iterator.next() != nil || iterator.ending != .neverAgain { answer += 1 }
    }
  }

  var answers: Answers { [.instances: answer] }
}

/// Expands a rule in a zone to points in time.
struct ExpandZoned: Workload {
  private let input: RuleInput
  private let zone: ZoneRules
  private var (instances, seconds) = (0, 0)

  init(input: String) throws {
    self.input = try RuleInput(input)
    guard let zone = self.input.zone else { throw Failure("expected a zone") }
    self.zone = zone
  }

  mutating func run() throws {
    var set = RecurrenceSet(start: input.start, clock: .zone(zone))
    set.rules = [input.rule]
    var (instances, seconds) = (0, 0)
    var iterator = try set.instances().makeIterator()
    while instances < input.count, let instance = iterator.next() {
      instances += 1
      seconds += Int(instance.instant?.secondsSinceEpoch ?? 0)
    }
    (self.instances, self.seconds) = (instances, seconds)
  }

  var answers: Answers { [.instances: instances, .instanceSeconds: seconds] }
}

/// Searches for the first instance from a time on, with a new expansion for each search.
struct Seek: Workload {
  private let input: RuleInput
  private var tally = InstanceTally()

  init(input: String) throws {
    self.input = try RuleInput(input)
  }

  mutating func run() throws {
    var tally = InstanceTally()
    for target in input.targets {
      let expansion = try Expansion(of: input.rule, from: input.start)
      if let found = expansion.first(from: target) { tally.add(found) }
    }
    self.tally = tally
  }

  var answers: Answers { tally.answers }
}

/// Searches for the first instance from a time on, with one indexed expansion.
struct SeekAgain: Workload {
  private let input: RuleInput
  private let expansion: Expansion
  private var tally = InstanceTally()

  init(input: String) throws {
    self.input = try RuleInput(input)
    expansion = try Expansion(of: self.input.rule, from: self.input.start).indexed()
  }

  mutating func run() {
    var tally = InstanceTally()
    for target in input.targets {
      if let found = expansion.first(from: target) { tally.add(found) }
    }
    self.tally = tally
  }

  var answers: Answers { tally.answers }
}

/// Converts local times to instants, in pseudorandom order.
struct ZoneClock: Workload {
  private let zone: ZoneRules
  private let walls: [CivilDateTime]
  private var seconds = 0

  init(input: String) throws {
    let input = try RuleInput(input)
    guard let zone = input.zone else { throw Failure("expected a zone") }
    self.zone = zone
    let walls = Array(try Expansion(of: input.rule, from: input.start).prefix(input.count))
    // A step that is coprime to the count visits all of them.
    self.walls = walls.indices.map { walls[$0 * 7919 % walls.count] }
  }

  mutating func run() {
    var seconds = 0
    for wall in walls { seconds += Int(zone.instant(of: wall).secondsSinceEpoch) }
    self.seconds = seconds
  }

  var answers: Answers { [.instances: walls.count, .instanceSeconds: seconds] }
}

/// Looks up the offset of instants, in pseudorandom order.
struct ZoneOffset: Workload {
  private let zone: ZoneRules
  private let instants: [Instant]
  private let walls: Int
  private var offsets = 0

  init(input: String) throws {
    let input = try RuleInput(input)
    guard let zone = input.zone else { throw Failure("expected a zone") }
    self.zone = zone
    let walls = Array(try Expansion(of: input.rule, from: input.start).prefix(input.count))
    instants = walls.indices.map { zone.instant(of: walls[$0 * 7919 % walls.count]) }
    self.walls = walls.reduce(0) { $0 + Int($1.wallSeconds) }
  }

  mutating func run() {
    var offsets = 0
    for instant in instants { offsets += Int(zone.offset(at: instant).seconds) }
    self.offsets = offsets
  }

  var answers: Answers { [.instances: instants.count, .instanceSeconds: walls - offsets] }
}

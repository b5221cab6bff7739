// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import Recurrence
public import Testing

/// An example of a recurrence and the instances that it must have.
///
/// ```text
/// # §3.8.5.3: Daily for 10 occurrences
/// DTSTART;TZID=America/New_York:19970902T090000
/// RRULE:FREQ=DAILY;COUNT=10
///   19970902T090000 19970903T090000 ...
/// ```
public struct Example: CustomTestStringConvertible, Sendable {
  /// What it shows, with the section of the RFC.
  public var title = ""
  /// Whether the start is a day.
  public var startsOnDate = false
  /// The TZID of the start.
  public var zone: String?
  /// The start as it is written.
  public var start = ""
  /// The values of the RRULE lines.
  public var rules: [String] = []
  /// The lines in between: RDATE, EXDATE and EXRULE, with their parameters.
  public var others: [(name: String, value: String)] = []
  /// The instances as they are written.
  public var expected: [String] = []
  /// Whether there are more instances than those that are expected.
  public var goesOn = false

  /// The title and the rules, which name a test case.
  public var testDescription: String { "\(title) \(rules.joined(separator: " "))" }

  /// What the OPTION lines say, with calendars for RSCALE.
  public func options(calendars: [any CalendarSystem]) throws -> RecurrenceOptions {
    var options = RecurrenceOptions()
    options.calendars = calendars
    for (name, value) in others where name == "OPTION" {
      switch value {
      case "yearlyMonthDays=everyMonth": options.yearlyMonthDays = .everyMonth
      case "weekNumberDays=wholeWeek": options.weekNumberDays = .wholeWeek
      case "skippedTimes=omit": options.skippedTimes = .omit
      case "startOutsideRule=omit": options.startOutsideRule = .omit
      default: Issue.record("no such option: \(value)")
      }
    }
    return options
  }

  /// Reads a file of examples: blocks of lines with an empty line between them.
  public static func read(_ path: String) throws -> [Example] {
    let text = String(decoding: try Fixture(path).bytes, as: UTF8.self)
    let blocks = text.split(separator: "\n", omittingEmptySubsequences: false)
      .split(separator: "").map(Array.init)
    // The first block says what the file is.
    return try blocks.dropFirst().map(Example.init)
  }

  init(_ lines: [Substring]) throws {
    for line in lines {
      if line.hasPrefix("# ") {
        if title.isEmpty { title = String(line.dropFirst(2)) }
      } else if line.hasPrefix("  ") {
        for word in line.split(separator: " ") {
          if word == "..." { goesOn = true } else { expected.append(String(word)) }
        }
      } else {
        let colon = try #require(line.firstIndex(of: ":"))
        let head = line[..<colon].split(separator: ";")
        add(
          String(try #require(head.first)), parameters: head.dropFirst().map(String.init),
          value: String(line[line.index(after: colon)...]))
      }
    }
  }

  private mutating func add(_ name: String, parameters: [String], value: String) {
    switch name {
    case "DTSTART":
      start = value
      startsOnDate = parameters.contains("VALUE=DATE")
      zone = parameters.first { $0.hasPrefix("TZID=") }.map { String($0.dropFirst(5)) }
    case "RRULE": rules.append(value)
    default: others.append((name, value))
    }
  }
}

/// The zones of the system, for examples.
public let systemZones = ZoneDatabase(folders: ZoneDatabase.systemFolders)

extension Expansion {
  /// The first instances, as they are written.
  public func texts(_ count: Int, asDates: Bool = false) -> [String] {
    prefix(count).map { asDates ? $0.date.description : $0.description }
  }

  /// Expands a rule from texts, with the start as it is written.
  public init(
    _ rule: String, from start: String, zone: String? = nil,
    options: RecurrenceOptions = RecurrenceOptions()
  ) throws {
    let rule = try RecurrenceRule.parse(leniently: rule).rule
    if start.utf8.count == 8 {
      try self.init(of: rule, from: try CivilDate(parsing: start), options: options)
    } else {
      let zone = try zone.map { try systemZones.rules(named: $0) }
      try self.init(
        of: rule, from: try CivilDateTime(parsing: start), zone: zone, options: options)
    }
  }
}

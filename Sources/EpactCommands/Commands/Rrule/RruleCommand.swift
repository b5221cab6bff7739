// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import EpactConsole
import Recurrence

/// `epact rrule`: expands and explains a recurrence rule.
struct RruleCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "rrule",
    abstract: "Expand and explain a recurrence rule.",
    discussion: """
      Prints the instances of the rule from the start on, one a line; the start itself only if the \
      rule produces it. For an endless rule, prints the first \(RulePage.endlessLimit) unless --to or \
      --limit is given.

      Dates and times are in iCalendar format, 19970902, 19970902T090000 or 19970902T130000Z, or \
      in RFC 3339 format. --from and --to are on the clock of the start, and inclusive.

      --explain prints the rule as a sentence, the steps in which its instances are made, and the \
      first \(RulePage.explainedLimit). With --at DATE, or with --from and --to at most \(explainedDays) \
      days apart, it states for each day whether the rule has an instance, and why not.
      """)

  /// The maximum number of days in a range that are explained one by one.
  private static let explainedDays = 31

  /// The interpretation of months or days that a rule omits.
  enum Unsaid: String, CaseIterable, ExpressibleByArgument {
    case start, all
  }

  /// The language of the sentence of a rule.
  enum Language: String, CaseIterable, ExpressibleByArgument {
    case de, en

    var words: any RuleLanguage {
      switch self {
      case .de: GermanRuleLanguage()
      case .en: EnglishRuleLanguage()
      }
    }
  }

  /// The treatment of times in a gap of the time zone.
  enum Gaps: String, CaseIterable, ExpressibleByArgument {
    case shift, omit
  }

  @Argument(help: "The rule, such as FREQ=WEEKLY;BYDAY=MO; a leading RRULE: is allowed.")
  var rule: String

  @Option(help: ArgumentHelp("Start the rule at this date or time (DTSTART).", valueName: "time"))
  var start: String

  @Option(
    help: ArgumentHelp("Use this time zone for the start.", valueName: "tzid"),
    completion: .zoneNames)
  var zone: String?

  @Option(help: ArgumentHelp("Print instances from this time on.", valueName: "time"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Print instances up to this time; a date includes all its times.", valueName: "time"))
  var to: String?

  @Option(help: "Print at most this many instances.")
  var limit: Int?

  @Flag(help: "Print one JSON object a line, with local and, for a zone, instant.")
  var json = false

  @Flag(help: "Explain the rule and how its instances are made.")
  var explain = false

  @Option(help: "Print the sentence of --explain in this language: de or en.")
  var language: Language = .en

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "Explain whether the rule has an instance on this day (repeatable).",
      valueName: "date"))
  var days: [String] = []

  @Flag(
    name: .customLong("lenient"),
    help: "Parse the rule as leniently as rules in files, and only warn.")
  var isLenient = false

  @Flag(help: "Print the start first, even if the rule does not produce it.")
  var includeStart = false

  @Option(help: "Shift times that the clocks skip, or omit them: shift or omit.")
  var gaps: Gaps = .shift

  @Option(help: "The months of YEARLY;BYMONTHDAY without BYMONTH: start or all.")
  var monthDays: Unsaid = .start

  @Option(help: "The weekdays of YEARLY;BYWEEKNO without BYDAY: start or all.")
  var weekDays: Unsaid = .start

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit is a number from 1 on") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let console = context.console
    let text = RuleText(rule)
    let (reading, problems) = text.read(leniently: isLenient)
    console.write(problems.map { .report($0) })
    guard let reading else { return .usage }
    let expansion = try expansion(of: reading.rule, in: context)
    for issue in reading.issues(forStart: expansion.startType) {
      console.report(text.line(about: issue, isError: false))
    }
    let page = RulePage(expansion)
    do {
      let dates = try explainedDates(of: expansion, in: context)
      if explain || !dates.isEmpty {
        if json {
          let values = try expansion.json(explaining: dates, in: language.words)
          for value in values { console.write(value) }
        } else {
          console.show(try page.lines(explaining: dates, in: language.words))
        }
        guard dates.isEmpty else { return .done }
        if !json { console.show("") }
      }
      return try page.list(limit: limit, isExplained: explain, on: console, asJSON: json)
    } catch let error as ExpansionError {
      throw Failure(.usage, "\(error)")
    }
  }

  /// The rule with the start, the zone and the range of the command line.
  private func expansion(of rule: RecurrenceRule, in context: Context) throws -> RuleExpansion {
    let zone = try zone.map { name in
      let resolver = context.zoneResolver
      do throws(ZoneResolutionError) {
        return try resolver.rules(of: resolver.resolve(name))
      } catch {
        throw Failure(.usage, "--zone: \(String(describing: error))")
      }
    }
    func moment(_ text: String, _ option: String) throws -> Moment {
      try context.arguments.moment(
        text, option: option, in: try zone ?? context.viewerZone(nil))
    }
    let first = try moment(start, "--start")
    var expansion = try Self.naming("--start") {
      try RuleExpansion(
        of: rule, from: first, zone: zone, options: options(context.machine.recurrenceOptions))
    }
    if let from {
      let first = try moment(from, "--from")
      try Self.naming("--from") { try expansion.begin(at: first) }
    }
    if let to {
      let last = try moment(to, "--to")
      try Self.naming("--to") { try expansion.end(at: last) }
    }
    return expansion
  }

  /// Calls `body`; its errors name the option.
  private static func naming<Result>(
    _ option: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as EpactError {
      throw Failure(.usage, "\(option): \(error.message)")
    }
  }

  private func options(_ options: RecurrenceOptions) -> RecurrenceOptions {
    var options = options
    options.startOutsideRule = includeStart ? .include : .omit
    options.skippedTimes = gaps == .shift ? .shift : .omit
    options.yearlyMonthDays = monthDays == .start ? .monthOfStart : .everyMonth
    options.weekNumberDays = weekDays == .start ? .weekdayOfStart : .wholeWeek
    return options
  }

  // MARK: - Dates that are explained

  private func explainedDates(
    of expansion: RuleExpansion, in context: Context
  ) throws -> [CivilDate] {
    guard days.isEmpty else {
      let zone = try context.viewerZone(nil)
      return try days.map { try date($0, in: zone, context) }
    }
    return explain ? expansion.days(limit: Self.explainedDays) : []
  }

  private func date(
    _ text: String, in zone: ZoneRules, _ context: Context
  ) throws -> CivilDate {
    switch try context.arguments.moment(text, option: "--at", in: zone) {
    case .date(let date): return date
    case .local(let time): return time.date
    case .instant: throw Failure(.usage, "--at: expected a date, found \"\(text)\"")
    }
  }
}

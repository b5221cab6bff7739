// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CivilTime
import Epact
import Recurrence

/// `epact rrule`: expands and explains a recurrence rule.
struct RruleCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "rrule",
    abstract: "Expand a recurrence rule, and explain it.",
    discussion: """
      Prints the times that the rule gives from the start on, one a line; a start that the rule \
      does not give is not among them. Of an endless rule the first \(defaultLimit) are printed, unless \
      --to or --limit says otherwise.

      Dates and times are written as in iCalendar, 19970902, 19970902T090000 or 19970902T130000Z, or as \
      in RFC 3339. Those of --from and --to are on the clock of the start, and both are included.

      --explain prints the rule as a sentence and the steps in which its times are made, and then \
      the first \(explainedLimit). With --at DATE, or with --from and --to that are at most \
      \(explainedDays) days apart, it tells of each day whether the rule happens on it, and why not.
      """)

  /// The default number of printed instances of an endless rule.
  private static let defaultLimit = 100
  /// The default number of printed instances after an explanation.
  private static let explainedLimit = 10
  /// The maximum number of days in a range that are explained one by one.
  private static let explainedDays = 31

  /// The interpretation of months or days that a rule omits.
  enum Unsaid: String, CaseIterable, ExpressibleByArgument {
    case start, all
  }

  /// The treatment of times in a gap of the time zone.
  enum Gaps: String, CaseIterable, ExpressibleByArgument {
    case shift, omit
  }

  @Argument(help: "The rule, such as FREQ=WEEKLY;BYDAY=MO, with or without RRULE: before it.")
  var rule: String

  @Option(help: ArgumentHelp("Where the rule starts (DTSTART).", valueName: "time"))
  var start: String

  @Option(
    help: ArgumentHelp("The time zone of the start.", valueName: "tzid"), completion: .zoneNames)
  var zone: String?

  @Option(help: ArgumentHelp("The first time that is printed.", valueName: "time"))
  var from: String?

  @Option(help: ArgumentHelp("The last one; of a date all times.", valueName: "time"))
  var to: String?

  @Option(help: "How many are printed at most.")
  var limit: Int?

  @Flag(help: "Print JSON, one object a line: local, and with a zone instant.")
  var json = false

  @Flag(help: "Say what the rule means, and how its times are made.")
  var explain = false

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "Say whether and why the rule happens on this day, or not; again for more days.",
      valueName: "date"))
  var days: [String] = []

  @Flag(name: .customLong("lenient"), help: "Read the rule as those of files, and only warn.")
  var isLenient = false

  @Flag(help: "Print the start first, even if the rule does not give it.")
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
    let text = RuleText(rule)
    guard let reading = text.read(leniently: isLenient, on: context.console) else { return .usage }
    let request = try RuleRequest(
      reading.rule, times: .init(start: start, zone: zone, from: from, to: to),
      options: options(context.recurrenceOptions), in: context)
    for issue in reading.issues(forStart: request.startType) {
      text.report(issue, isError: false, on: context.console)
    }
    do {
      let dates = try explainedDates(of: request)
      if explain || !dates.isEmpty {
        try RuleExplainer(request: request, isJSON: json, console: context.console).explain(dates)
        guard dates.isEmpty else { return .done }
        if !json { context.console.show("") }
      }
      return try list(request, on: context.console)
    } catch let error as ExpansionError {
      throw Failure(.usage, "\(error)")
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

  private func explainedDates(of request: RuleRequest) throws -> [CivilDate] {
    guard days.isEmpty else { return try days.map(date) }
    guard explain, let first = request.from?.date, let last = request.to?.date,
      0..<Self.explainedDays ~= last.dayNumber - first.dayNumber
    else { return [] }
    return (first.dayNumber...last.dayNumber).compactMap { CivilDate(dayNumber: $0) }
  }

  private func date(_ text: String) throws -> CivilDate {
    switch try RuleRequest.time("--at", text) {
    case .date(let date): return date
    case .local(let time): return time.date
    case .instant: throw Failure(.usage, "--at: expected a date, found \"\(text)\"")
    }
  }

  // MARK: - Instances

  private func list(_ request: RuleRequest, on console: Console) throws -> ExitStatus {
    let isEndless = request.rule.count == nil && request.rule.until == nil && request.to == nil
    let standing = explain ? Self.explainedLimit : isEndless ? Self.defaultLimit : Int.max
    var instances = try request.instances().makeIterator()
    var (count, isCut) = (0, false)
    while let instance = instances.next() {
      if let from = request.from, instance.local < from { continue }
      if let to = request.to, instance.local > to {
        // Around a gap, local times are out of order by at most a day.
        guard instance.local.wallSeconds <= to.wallSeconds + 86_400 else { break }
        continue
      }
      guard count < limit ?? standing else {
        isCut = true
        break
      }
      count += 1
      print(instance, of: request, on: console)
      guard !console.isBroken else { throw CancellationError() }
    }
    if isCut, limit == nil {
      console.note("The first \(count) are shown; --to or --limit says how many there are to be.")
    }
    return finish(request, count: count, isTruncated: instances.isTruncated, on: console)
  }

  private func print(
    _ instance: RecurrenceInstance, of request: RuleRequest, on console: Console
  ) {
    let local = request.text(of: instance.local)
    let instant = instance.instant?.civil().map { "\($0)Z" }
    if json {
      var members = [JSONValue.Member(name: "local", value: .string(local))]
      if let instant { members.append(.init(name: "instant", value: .string(instant))) }
      console.write(.object(members))
    } else {
      let end = instant.map { "  \($0)" } ?? ""
      console.show("\(local) \(instance.local.date.weekday)\(end)")
    }
  }

  private func finish(
    _ request: RuleRequest, count: Int, isTruncated: Bool, on console: Console
  ) -> ExitStatus {
    if isTruncated {
      console.warn(
        "the search was given up at its limit of \(request.options.searchLimit) tries; there may be more instances"
      )
      return .someFailed
    }
    if count == 0 {
      console.note(
        request.isImpossible ? "The rule never happens." : "There is no instance in these times.")
    }
    return .done
  }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole

/// `epact new`: adds an event.
struct NewCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Add an event.",
    discussion: """
      The words are the title and the date, in any order. The date is a day, a time, an end after \
      "to", "until" or a hyphen, a duration after "for", a repetition such as weekly, "every \
      mon wed fri" or "every last friday of the month" with "until" a day or a number of times, and \
      a time zone, in English and in the language of the locale. A day is a date, a weekday, \
      "tomorrow", "next weekend", "next week", "a week from friday" or "last day of the month"; \
      several days are a range such as 21-23 dec, or two dates. A date without a time, or with \
      "all day", is an event of whole days; a time without a day, or on a weekday, is the next such \
      time; a time without an end lasts one hour. Each of --start and --end has a time zone of its own, for a \
      flight. A word of time that is not understood is an error: words in quotation marks are the \
      title. An hour such as "at 3" needs am or pm, or is written as 15:00.

      The event is added to the calendar of --in, or of "default-calendar" in the configuration, or \
      to the only calendar for events. \
      It is a run in `epact history`, and `epact undo` undoes it.

      With --invite, the event is a meeting of yours: the invitation is printed as a complete mail, or \
      sent with --send. Answers are applied with `epact invitation apply`, and `epact show` shows them.

        epact new "Lunch with Ana" tomorrow 12:30 for 1h --at Café --alarm 15m
        epact new "Holidays in Lisbon" 2026-08-03..2026-08-14 --in family
        epact new "Stand-up" mon 9:30-9:45 --repeat weekdays --until 2026-12-18
        epact new Gym every monday and thursday 18:00-19:30 until 2026-12-18
        epact new Call fri 9:00 America/New_York for 30m
        epact new "Rent" 1 dec --repeat monthly --category money
        epact new Good Friday mass --start "2027-03-26 15:00-16:00"
        epact new Review fri 10:00 --invite ana@example.org --send
        epact new "Move house" saturday all day
        epact new Skiing next weekend
        epact new Fair 21-23 dec
        epact new Flight "10 dec 10:00" --end "12:30 America/New_York"
      """)

  @Argument(help: ArgumentHelp("The title and the date.", valueName: "word"))
  var words: [String]

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Add it to this calendar.", valueName: "calendar"), completion: .calendars)
  var calendar: String?

  @Option(
    help: ArgumentHelp(
      "Set the start, or the start and the end. All words are the title then.",
      valueName: "date"))
  var start: String?

  @Option(help: ArgumentHelp("End at this time, or with this day.", valueName: "date"))
  var end: String?

  @OptionGroup var options: ItemOptions

  @OptionGroup var invite: InviteOptions

  @OptionGroup var meeting: MeetingOptions

  @OptionGroup var edit: EditOptions

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let session = try EditSession(context, informing: meeting)
    var details = try options.details(session.dates)
    var hint: String?
    if start == nil {
      let split = try session.take(words, into: &details, hasEnd: end != nil)
      hint = session.hint(aboutZoneOf: split)
    } else {
      details.title = try session.title(ofWordsBesideDate: words)
    }
    if let start { details.start = try session.dates.newTime(start) }
    if let end { details.end = try session.dates.newTime(end) }
    guard details.start != nil else {
      throw Failure(
        .usage, "expected a date, such as \"tomorrow 12:30\", found none",
        hint: "A reminder needs no date: \(SuggestedCommand.addTodo(details.title ?? ""))")
    }
    details.invitation = try invite.invitation(meeting, session)
    return try session.finish(
      session.editor.adding(
        details, as: .event, to: try session.calendar(calendar)), edit, hint: hint,
      informing: meeting)
  }
}

extension EditSession {
  /// The title of words beside a date that an option states.
  ///
  /// - Throws: `Failure` without a title, or if the last word is a time of day: `--start tomorrow
  ///   15:00` has it outside of the option.
  func title(ofWordsBesideDate words: [String]) throws(Failure) -> String {
    if words.count > 1, let last = words.last, dates.isClockTime(last) {
      throw Failure(
        .usage, "\"\(last)\" may be the time of the date, or the end of the title",
        hint: "Write the date, or the title, in quotation marks.")
    }
    return try title(of: words)
  }

  /// The title of words without a date.
  ///
  /// - Throws: `Failure` without a title.
  func title(of words: [String]) throws(Failure) -> String {
    let title = words.joined(separator: " ")
    guard !title.isEmpty else { throw Failure(.usage, "expected a title, found none") }
    return title
  }

  /// Takes the title, the dates, the repetition and the time zone of words.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - details: The values of options, which get those of the words.
  ///   - hasEnd: Whether an option states the end.
  ///   - isDue: Whether the date is that on which a reminder is due.
  /// - Returns: The split of the words.
  /// - Throws: `Failure` without a title; `EpactError` for an ambiguous date, for a word of time that
  ///   is not understood, and for words that contradict an option.
  @discardableResult
  func take(
    _ words: [String], into details: inout ItemDetails, hasEnd: Bool = false,
    isDue: Bool = false
  ) throws -> PhraseSplit {
    var options = SentenceOptions()
    (options.zone, options.repetition) = (details.zone, details.repetition)
    (options.duration, options.hasEnd) = (details.duration, hasEnd)
    options.isDue = isDue
    let split = try dates.split(words, options)
    details.title = try title(of: split.title)
    (details.zone, details.repetition) = (split.zone, split.repetition)
    guard let span = split.span else { return split }
    details.start = .moment(span.start)
    // A duration of an option replaces the end of a period, such as that of a day.
    details.end = details.duration == nil ? span.end.map { .moment($0) } : nil
    return split
  }

  /// How only the end has the time zone of a range; nil if the words have another form.
  func hint(aboutZoneOf split: PhraseSplit) -> String? {
    guard let end = split.zonedEnd, let zone = split.zone else { return nil }
    return "Both times are in \(zone); if only the end is, write --end \"\(end)\"."
  }
}

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
    let session = try context.editSession(edit, informing: meeting)
    var details = try options.details(session.dates)
    var hint: String?
    let end = try self.end.map { text throws(EpactError) in try session.dates.newTime(text) }
    if start == nil {
      let split = try session.dates.take(words, into: &details, end: end)
      hint = split.zoneHint
    } else {
      details.title = try session.dates.title(ofWords: words, besideDates: [start, self.end])
    }
    if let start { details.start = try session.dates.newTime(start) }
    if let end { details.end = end }
    guard details.start != nil else {
      throw Failure(
        .usage, "expected a date, such as \"tomorrow 12:30\", found none",
        hint: "A reminder needs no date: \(SuggestedCommand.addTodo(details.title ?? ""))")
    }
    details.invitation = try session.notice?.people(
      inviting: invite.invited, in: session.library)
    return try session.finish(
      session.editor.adding(details, as: .event, to: try session.calendar(calendar)), hint: hint)
  }
}

extension PhraseSplit {
  /// How only the end gets the time zone of a range; nil if the words have another form.
  fileprivate var zoneHint: String? {
    guard let end = zonedEnd, let zone else { return nil }
    return "Both times are in \(zone); if only the end is, write --end \"\(end)\"."
  }
}

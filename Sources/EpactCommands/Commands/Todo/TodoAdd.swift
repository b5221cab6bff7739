// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole

/// `epact todo add`.
struct TodoAdd: Command {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a reminder.",
    discussion: """
      The words are the title and the due date, which is optional; they are read as those of \
      `epact new`, with repetitions and time zones. Several days, or a range of times, are the start and the due \
      date; "next week" is due on its first day. A word of time that is not understood is an \
      error: words in quotation marks are the title. With --invite, the reminder is assigned to attendees, \
      as a meeting of `epact new` is. The reminder is added to the calendar of \
      --in, or of "default-reminders" in the configuration.

        epact todo add "Renew the passport" next month --priority high
        epact todo add Pay rent every month on the 1st
        epact todo add "Water the plants" sat 9:00 --repeat weekly --alarm 0m
        epact todo add Book a room fri --invite ben@example.org --send
      """)

  @Argument(help: ArgumentHelp("The title and the due date.", valueName: "word"))
  var words: [String]

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Add it to this calendar.", valueName: "calendar"), completion: .calendars)
  var calendar: String?

  @Option(
    help: ArgumentHelp(
      "Set the due date. All words are the title then.", valueName: "date"))
  var due: String?

  @Option(help: ArgumentHelp("Set the start.", valueName: "date"))
  var start: String?

  @Option(
    help: ArgumentHelp("Set the priority: high, medium, low, or 1 through 9.", valueName: "word"))
  var priority: String?

  @Option(help: ArgumentHelp("Make it a part of this reminder.", valueName: "item"))
  var parent: String?

  @OptionGroup var options: ItemOptions

  @OptionGroup var invite: InviteOptions

  @OptionGroup var meeting: MeetingOptions

  @OptionGroup var edit: EditOptions

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let session = try context.editSession(edit, informing: meeting)
    var details = try options.details(session.dates)
    guard due == nil || details.duration == nil else {
      throw Failure(
        .usage, "--due and --for exclude each other", hint: "State the start with --start.")
    }
    if let due {
      details.title = try session.dates.title(ofWords: words, besideDates: [due, start])
      details.end = try session.dates.newTime(due)
    } else {
      let split = try session.dates.take(words, into: &details, isDue: true)
      if split.isStart {
        // "from friday" names no due date.
        details.end = nil
      } else if details.duration == nil, let times = split.span?.reminderTimes {
        (details.start, details.end) = (times.start.map { .moment($0) }, .moment(times.due))
      }
    }
    if let start { details.start = try session.dates.newTime(start) }
    try details.setPriority(priority)
    details.parent = try session.parent(parent)
    details.invitation = try session.notice?.people(
      inviting: invite.invited, in: session.library)
    return try session.finish(
      session.editor.adding(details, as: .reminder, to: try session.calendar(calendar)))
  }
}

/// `epact todo edit`.
struct TodoEdit: Command {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a reminder.",
    discussion: """
      Options change only the named values; an empty value removes a property. Without options, \
      the values are edited as a short text in $VISUAL or $EDITOR. A time alone keeps the day, and \
      a date alone keeps the time of day, as in `epact edit`.
      """)

  @OptionGroup var item: ItemArgument

  @Argument(
    help: ArgumentHelp(
      "More words of the title; then the new due date.", valueName: "word"))
  var words: [String] = []

  @Option(help: ArgumentHelp("Set the title.", valueName: "text"))
  var title: String?

  @Option(help: ArgumentHelp("Set the due date.", valueName: "date"))
  var due: String?

  @Option(help: ArgumentHelp("Set the start.", valueName: "date"))
  var start: String?

  @Option(
    help: ArgumentHelp(
      "Set the priority: high, medium, low, none, or 0 through 9.", valueName: "word"))
  var priority: String?

  @Option(help: ArgumentHelp("Make it a part of this reminder.", valueName: "item"))
  var parent: String?

  @OptionGroup var change: ChangeOptions

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let session = try context.editSession(change.edit, informing: change.meeting)
    let choice = try change.span.choice(session, beside: words)
    try session.dates.expectWhole([due, start], beside: words, withTime: false)
    let (found, time) = try session.dates.itemAndTime([item.item] + words, hasTime: due != nil) {
      try session.item($0, in: item.calendar, of: [.reminder], having: choice)
    }
    var details = try change.options.details(session.dates)
    details.title = title
    try details.setPriority(priority)
    details.parent = try session.parent(parent)
    details.start = try start.map(session.dates.newTime)
    details.end = try due.map(session.dates.newTime) ?? time
    return try change.make(details, in: found, choice, session)
  }
}

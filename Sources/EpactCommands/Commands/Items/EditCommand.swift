// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactConsole

/// `epact edit`: changes an item, with options or in the user's editor.
struct EditCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change an event, a reminder or a journal entry.",
    discussion: """
      Options change only the named values; an empty value, such as --at '', removes a property. \
      Without options, the values are edited as a short text in $VISUAL or $EDITOR; a text that \
      cannot be read is opened again with the error. Unknown properties stay as they are.

      Words of a date after the title are the new start, as that of --start, or when a reminder is \
      due. A date keeps what it does not name: a time alone keeps the day, a date alone keeps the time \
      of day, and a new start keeps the length. A weekday and an offset such as +1d count from the \
      item, or from the occurrence of --this and --future: a weekday of --end, or of a due date, is \
      the first one from the new start on. Other relative dates, such as tomorrow, count from today. "all day" after a date, or alone, removes the time of day. Local times are \
      in the time zone of the item, and yours if the item is in UTC; --zone keeps the clock time of \
      both ends.

      An item that repeats needs --this, --future or --all: --this gives one occurrence values of \
      its own, and --future splits the series. A new repetition that does not include the start \
      moves it forward to the first occurrence. The edit is a run in `epact history`, and `epact \
      undo` undoes it.

      The attendees of a meeting of yours get a mail if the edit changes what they see; it is \
      printed, or sent with --send.

        epact edit lunch tomorrow 13:00
        epact edit lunch --start "fri 13:00" --at ""
        epact edit stand-up --this 2026-12-04 --start 10:00
        epact edit offsite --start "2026-12-07 all day" --end 2026-12-09
      """)

  @OptionGroup var item: ItemArgument

  @Argument(
    help: ArgumentHelp(
      "More words of the title; then the new start, or when a reminder is due.",
      valueName: "word"))
  var words: [String] = []

  @Option(help: ArgumentHelp("Set the title.", valueName: "text"))
  var title: String?

  @Option(help: ArgumentHelp("Set the start, or the start and the end.", valueName: "date"))
  var start: String?

  @Option(
    help: ArgumentHelp(
      "End at this time, or with this day; a reminder is due then.", valueName: "date"))
  var end: String?

  @Option(
    help: ArgumentHelp(
      "Set the status: confirmed, tentative or cancelled for an event, draft, final or cancelled for "
        + "a journal entry.", valueName: "word"))
  var status: String?

  @OptionGroup var change: ChangeOptions

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let session = try context.editSession(change.edit, informing: change.meeting)
    let choice = try change.span.choice(session, beside: words)
    try session.dates.expectWhole([start, end], beside: words, withTime: false)
    let kinds: Set<ItemKind> = [.event, .reminder, .journal]
    let (found, time) = try session.dates.itemAndTime(
      [item.item] + words, hasTime: start != nil || end != nil
    ) { try session.item($0, in: item.calendar, of: kinds, having: choice) }
    var details = try change.options.details(session.dates)
    details.title = title
    if found.item.kind == .reminder { details.end = time } else { details.start = time }
    if let start { details.start = try session.dates.newTime(start) }
    if let end { details.end = try session.dates.newTime(end) }
    if let status {
      guard found.item.kind != .reminder else {
        throw Failure(
          .usage, "--status is for events and journal entries",
          hint: "A reminder has epact todo start, done, cancel and reopen.")
      }
      try details.setStatus(status, of: found.item.kind)
    }
    return try change.make(details, in: found, choice, session)
  }
}

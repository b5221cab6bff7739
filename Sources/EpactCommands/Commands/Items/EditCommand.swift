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
      item, or from the occurrence of --this and --future; other relative dates, such as tomorrow, \
      count from today. "all day" after a date, or alone, removes the time of day. Local times are \
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

  @OptionGroup var options: ItemOptions

  @OptionGroup var span: SpanOptions

  @OptionGroup var invite: InviteOptions

  @OptionGroup var withdrawal: WithdrawalOptions

  @OptionGroup var meeting: MeetingOptions

  @OptionGroup var edit: EditOptions

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let session = try EditSession(context, informing: meeting)
    let choice = try span.choice(session)
    let kinds: Set<ItemKind> = [.event, .reminder, .journal]
    let (found, time) = try session.itemAndTime(
      [item.item] + words, hasTime: start != nil || end != nil
    ) { try session.item($0, in: item.calendar, of: kinds, having: choice) }
    var details = try options.details(session.dates)
    details.title = title
    if found.item.kind == .reminder { details.end = time } else { details.start = time }
    if let start { details.start = try session.dates.newTime(start) }
    if let end { details.end = try session.dates.newTime(end) }
    if let status { try set(status, of: found.item.kind, in: &details) }
    details.invitation = try invite.invitation(
      meeting, session, withdrawing: withdrawal.withdrawn)
    return try session.change(found, details, span, edit, informing: meeting)
  }

  /// Reads the status of an event or a journal entry.
  private func set(_ word: String, of kind: ItemKind, in details: inout ItemDetails) throws {
    switch kind {
    case .event:
      guard let status = EventStatus(word: word) else {
        throw Failure(.usage, "expected confirmed, tentative or cancelled, found \"\(word)\"")
      }
      details.eventStatus = status
    case .journal:
      guard let status = JournalStatus(word: word) else {
        throw Failure(.usage, "expected draft, final or cancelled, found \"\(word)\"")
      }
      details.journalStatus = status
    default:
      throw Failure(
        .usage, "--status is for events and journal entries",
        hint: "A reminder has epact todo start, done, cancel and reopen.")
    }
  }
}

extension EditSession {
  /// The item that words name, and the new time in which they end.
  ///
  /// An item whose title begins with all words is meant as a whole. The time is the longest end of the
  /// words that is one.
  ///
  /// - Parameters:
  ///   - words: The words, of which the first one belongs to the name.
  ///   - hasTime: Whether an option states the time, so that all words are the name.
  ///   - find: Finds the item with a name.
  /// - Returns: The item, and the new time; nil for none.
  /// - Throws: The errors of `find`.
  func itemAndTime(
    _ words: [String], hasTime: Bool, _ find: (String) throws -> FoundItem
  ) throws -> (FoundItem, NewTime?) {
    let whole = words.joined(separator: " ")
    guard words.count > 1, !hasTime else { return (try find(whole), nil) }
    if let named = try? find(whole),
      named.item.title.lowercased().hasPrefix(whole.lowercased())
    {
      return (named, nil)
    }
    for place in words.indices.dropFirst() {
      let end = words[place...].joined(separator: " ")
      guard let time = try? dates.newTime(end), time != .removed else { continue }
      return (try find(words[..<place].joined(separator: " ")), time)
    }
    do {
      return (try find(whole), nil)
    } catch let error as EpactError where error.subject == whole && error.remedy == nil {
      for place in words.indices.dropFirst().reversed() {
        let name = words[..<place].joined(separator: " ")
        guard let found = try? find(name) else { continue }
        throw Failure(
          .usage,
          "\"\(words[place...].joined(separator: " "))\" after \"\(found.item.title)\" is not read as "
            + "a new start",
          hint: "Options name each value: --start, --end, --for, --repeat, --until, --title, --at.")
      }
      throw error
    }
  }

  /// Changes an item or a part of a series: the values, or without any, its text in an editor.
  ///
  /// - Throws: `EpactError`, `LibraryError` or `Failure`.
  func change(
    _ found: FoundItem, _ details: ItemDetails, _ span: SpanOptions, _ edit: EditOptions,
    informing meeting: MeetingOptions? = nil
  ) throws -> ExitStatus {
    let part = try span.span(of: found, self, isUnattended: edit.isUnattended)
    guard details.isEmpty else {
      return try finish(
        editor.changing(found, details, part), edit, of: [found], informing: meeting)
    }
    return try FormEditing(session: self, found: found, part: part, meeting: meeting).run(edit)
  }
}

/// The edit of an item as a text in the user's editor.
struct FormEditing {
  /// The maximum number of times that an invalid text is opened again.
  private static let attempts = 20

  let session: EditSession
  let found: FoundItem
  let part: EditSpan
  let meeting: MeetingOptions?

  /// Opens the text until it can be read, and makes the edit.
  func run(_ options: EditOptions) throws -> ExitStatus {
    let form = ItemForm(found, part, session.editor)
    let editor = ExternalEditor(machine: session.context.machine, ending: "txt")
    let original = Array(form.text().utf8)
    var text = original
    var problem: String?
    for _ in 0..<Self.attempts {
      let edited = try editor.edit(Array((problem ?? "").utf8) + text)
      guard problem == nil || edited != Array((problem ?? "").utf8) + text else {
        throw Failure(.usage, "the text was not corrected, and nothing was changed")
      }
      guard edited != original else {
        session.context.console.say(EditSession.unchanged(found))
        return .done
      }
      do {
        return try session.finish(
          prepared(try form.values(of: edited, session.dates)), options, of: [found],
          informing: meeting)
      } catch let error as EpactError where error.code == .argument {
        problem = ItemForm.comment(error)
        text = ItemForm.withoutErrors(edited)
      }
    }
    throw Failure(.usage, "the text cannot be read, and nothing was changed")
  }

  private func prepared(_ values: ItemForm.Values) throws -> PreparedEdit {
    var edit = try session.editor.changing(found, values.details, part)
    if let name = values.calendar, let calendar = try session.calendar(name) {
      guard edit.isEmpty else {
        throw EpactError(
          .argument, "the calendar and other values cannot be changed at once; move the item first")
      }
      edit = try session.editor.moving(found, to: calendar)
    }
    return edit
  }
}

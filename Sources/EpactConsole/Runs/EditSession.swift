// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CalendarSync
package import CivilTime
package import Epact

/// The calendars, the dates and the output of a command that changes items.
package struct EditSession {
  package let editor: LibraryEditor
  package let dates: DateReading
  /// How attendees are informed; nil if they are not.
  package let notice: MeetingNotice?
  private let console: Console
  /// Whether no edit is made.
  package var isDryRun = false
  /// Whether no question is asked.
  package var isUnattended = false
  /// Whether the output is JSON.
  package var asJSON = false

  /// Opens the calendars of a library.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(
    _ library: CalendarLibrary, viewer: ZoneRules, _ console: Console,
    informing notice: MeetingNotice?
  ) throws {
    (self.console, self.notice) = (console, notice)
    var editor = LibraryEditor(library, viewer: viewer)
    if let address = notice?.address { editor.addresses = [address] }
    self.editor = editor
    dates = try DateReading(machine: library.machine, viewer: viewer)
  }

  package var library: CalendarLibrary { editor.library }

  /// The calendar with a name; nil for nil.
  ///
  /// - Throws: `EpactError` if there is none.
  package func calendar(_ name: String?) throws -> CalendarInfo? {
    try name.map { try library.calendar(named: $0) }
  }

  /// The finder of items in a calendar; nil for all.
  ///
  /// - Throws: `EpactError` if there is no such calendar.
  package func finder(in calendar: String?) throws -> ItemFinder {
    try ItemFinder(
      editor, in: try self.calendar(calendar).map { [$0] },
      listed: ListedItems(machine: library.machine).load(), dates: dates)
  }

  /// The item with a name.
  ///
  /// If the name fits several, they are the items that the next command can name by numbers.
  ///
  /// - Throws: `EpactError` if there is none, or if the name fits several.
  package func item(
    _ name: String, in calendar: String? = nil, of kinds: Set<ItemKind> = [],
    prefersClosed: Bool = false, having choice: SpanChoice? = nil
  ) throws -> FoundItem {
    let listed = ListedItems(machine: library.machine)
    let finder = try finder(in: calendar)
    let found = try finder.items(
      name, of: kinds, prefersClosed: prefersClosed, having: choice)
    guard found.count == 1 else {
      try listed.store(found.map { ListedItem(calendar: $0.calendar.id, uid: $0.item.uid) })
      throw finder.ambiguity(of: name, found)
    }
    return found[0]
  }

  /// The UID of a reminder that has parts; an empty UID for an empty name, and nil for nil.
  ///
  /// - Throws: `EpactError` if there is no such reminder.
  package func parent(_ name: String?) throws -> UID? {
    try name.map { $0.isEmpty ? UID("") : try item($0, of: [.reminder]).item.uid }
  }

  /// The part of an item; asks for it if the item repeats and none is chosen.
  ///
  /// - Throws: `Failure` if there is no answer; `EpactError` for an invalid date.
  package func part(of found: FoundItem, _ choice: SpanChoice?) throws -> EditSpan {
    if let choice { return try editor.span(choice, of: found) }
    // The title of a changed occurrence names that occurrence only.
    if let occurrence = found.occurrenceOfTitle { return .occurrence(occurrence) }
    guard found.isSeries else { return .all }
    guard console.canAsk, !isUnattended else {
      throw Failure(
        .usage, "\"\(found.item.title)\" repeats",
        hint: "Choose the occurrences with --this DATE, --future DATE or --all.")
    }
    return try editor.span(console.chooseSpan(of: found.item.title, dates), of: found)
  }

  /// Whether the copy of a meeting stays one; asks for it if it is not chosen.
  ///
  /// - Throws: `Failure` if there is no answer.
  package func keepsPeople(of found: FoundItem, _ choice: Bool?) throws -> Bool {
    guard found.item.hasPeople, choice == nil else { return choice ?? true }
    guard console.canAsk, !isUnattended else {
      throw Failure(
        .usage, "\"\(found.item.title)\" has an organizer or attendees",
        hint: "Copy it as an event of your own with --without-people, or as a meeting with "
          + "--with-people.")
    }
    let answer = try console.answer(
      to: "\"\(found.item.title)\" is a meeting. Does the copy keep its people? [yes, no]")
    switch answer?.lowercased() {
    case "yes", "y": return true
    case "no", "n": return false
    default: throw Failure(.usage, "expected yes or no, and nothing was copied")
    }
  }

  /// Changes an item or a part of a series: the values, or without any, its text in an editor.
  ///
  /// - Throws: `EpactError`, `LibraryError` or `Failure`.
  package func change(
    _ found: FoundItem, _ details: ItemDetails, _ choice: SpanChoice?
  ) throws -> ExitStatus {
    let part = try part(of: found, choice)
    guard details.isEmpty else {
      return try finish(editor.changing(found, details, part), of: [found])
    }
    let external = ExternalEditor(machine: library.machine, ending: "txt")
    let status = try ItemForm(found, part, editor).edited(by: external.edit, dates) { values in
      try finish(editor.changing(found, values, part), of: [found])
    }
    if status == nil { console.say(found.unchangedLine) }
    return status ?? .done
  }

  /// Makes an edit unless it is a dry run, and prints its changes.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - found: The items that are named; those that do not change are named in the output.
  ///   - hint: A sentence after the changes.
  /// - Returns: The exit status.
  /// - Throws: `LibraryError`; `EpactError` or `Failure` if attendees cannot be informed.
  package func finish(
    _ edit: PreparedEdit, of found: [FoundItem] = [], hint: String? = nil
  ) throws -> ExitStatus {
    let mails = try notice.map { try self.mails(for: edit, $0) } ?? []
    let isSent = notice?.isSent ?? false
    // The program is checked before anything is changed.
    let command = isSent && !mails.isEmpty ? try library.mailCommand : nil
    let run = isDryRun ? nil : try edit.commit()
    if asJSON {
      let isSending = command != nil && !isDryRun
      if isSending, let command { for mail in mails { try command.send(mail) } }
      let sent = mails.map { $0.json(isSent: isSending) }
      console.write(
        .object(
          [
            .init("dryRun", .bool(isDryRun)),
            .init("run", JSONValue(run.map { Int($0.rawValue) })),
            .init("items", .array(edit.changes.map { editor.json($0, of: edit) })),
          ] + (sent.isEmpty ? [] : [.init("mails", .array(sent))]) + [.init("exit", .integer(0))]))
      return .done
    }
    // A mail is all of the standard output, as that of an answer.
    let isPrinted = !mails.isEmpty && !isSent
    console.write(editor.lines(of: edit, found, hint).map { isPrinted ? .note($0) : .say($0) })
    if isPrinted { console.write(OutgoingMail.bytes(of: mails)) }
    if let command, !isDryRun {
      for (place, mail) in mails.enumerated() {
        do {
          try console.send(mail, with: command)
        } catch {
          // The change is made, and no later command writes the mails again.
          console.write(OutgoingMail.bytes(of: Array(mails[place...])))
          throw error
        }
      }
    }
    if !edit.isEmpty, isDryRun {
      let words: ConsoleText = "Nothing was written, because of --dry-run."
      if isPrinted { console.note(words) } else { console.say(words) }
    }
    return .done
  }

  /// The mails for an edit.
  ///
  /// - Throws: `Failure` if they are to be sent, but the edit changes no meeting of the user;
  ///   `EpactError` if a server sends them, or they cannot be written.
  private func mails(
    for edit: PreparedEdit, _ notice: MeetingNotice
  ) throws -> [OutgoingMail] {
    var meetings = try MeetingMails(for: edit, editor)
    meetings.comment = notice.comment
    guard !notice.isSent || edit.isEmpty || meetings.isOfOrganizer else {
      throw Failure(
        .usage, "--send is for meetings of yours with attendees",
        hint: "Name yourself with --as ADDRESS, or add addresses = [\"ADDRESS\"] to the "
          + "configuration.")
    }
    if let address = notice.address, let own = meetings.organizer(otherThan: address) {
      throw Failure(.usage, "the organizer is \(own), and --as names another one")
    }
    if let sync = try meetings.scheduler() {
      guard !notice.isSent else {
        throw EpactError(
          .argument, "the server of the sync \(sync) sends the messages itself", subject: sync,
          remedy: .other("Omit --send."))
      }
      return []
    }
    return try meetings.all()
  }
}

extension Console {
  /// Sends a mail, and prints its recipients.
  ///
  /// - Throws: `EpactError` if the program fails; `CancellationError`.
  package func send(_ mail: OutgoingMail, with command: MailCommand) throws {
    try command.send(mail)
    saySent(mail)
  }

  /// Names the recipients of a sent mail.
  package func saySent(_ mail: OutgoingMail) {
    let recipients = mail.recipients.map(\.description).joined(separator: ", ")
    say("Sent to \(recipients): \(mail.subject)")
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactConsole

/// The calendars, the dates and the output of a command that changes items.
struct EditSession {
  let context: Context
  let editor: LibraryEditor
  let dates: DateReading

  /// Opens the calendars of the configuration.
  ///
  /// - Parameters:
  ///   - context: The console and the machine.
  ///   - meeting: How attendees are informed; nil if they are not.
  /// - Throws: `EpactError`, `ICUError` or `Failure`.
  init(_ context: Context, informing meeting: MeetingOptions? = nil) throws {
    self.context = context
    let viewer = try context.viewerZone(nil)
    var editor = LibraryEditor(context.library, viewer: viewer)
    if let address = try meeting?.chosenAddress() { editor.addresses = [address] }
    self.editor = editor
    dates = try DateReading(machine: context.machine, viewer: viewer)
  }

  var library: CalendarLibrary { editor.library }

  /// The calendar with a name; nil for nil.
  ///
  /// - Throws: `EpactError` if there is none.
  func calendar(_ name: String?) throws -> CalendarInfo? {
    try name.map { try library.calendar(named: $0) }
  }

  /// The finder of items in a calendar; nil for all.
  ///
  /// - Throws: `EpactError` if there is no such calendar.
  func finder(in calendar: String?) throws -> ItemFinder {
    try ItemFinder(
      editor, in: try self.calendar(calendar).map { [$0] },
      listed: ListedItems(machine: context.machine).load(), dates: dates)
  }

  /// The item with a name.
  ///
  /// If the name fits several, they are the items that the next command can name by numbers.
  ///
  /// - Throws: `EpactError` if there is none, or if the name fits several.
  func item(
    _ name: String, in calendar: String? = nil, of kinds: Set<ItemKind> = [],
    prefersClosed: Bool = false, having choice: SpanChoice? = nil
  ) throws -> FoundItem {
    let listed = ListedItems(machine: context.machine)
    let finder = try finder(in: calendar)
    let found = try finder.items(
      name, of: kinds, prefersClosed: prefersClosed, having: choice)
    guard found.count == 1 else {
      try listed.store(found.map { ListedItem(calendar: $0.calendar.id, uid: $0.item.uid) })
      throw finder.ambiguity(of: name, found)
    }
    return found[0]
  }

  /// Makes an edit unless it is a dry run, and prints its changes.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - options: How it is made.
  ///   - found: The items that are named; those that do not change are named in the output.
  ///   - hint: A sentence after the changes.
  ///   - meeting: How attendees are informed; nil if they are not.
  /// - Returns: The exit status.
  /// - Throws: `LibraryError`; `EpactError` or `Failure` if attendees cannot be informed.
  func finish(
    _ edit: PreparedEdit, _ options: EditOptions, of found: [FoundItem] = [],
    hint: String? = nil, informing meeting: MeetingOptions? = nil
  ) throws -> ExitStatus {
    let mails = try meeting.map { try $0.mails(for: edit, self) } ?? []
    let isSent = meeting?.send ?? false
    // The program is checked before anything is changed.
    let command = isSent && !mails.isEmpty ? try context.mailCommand : nil
    let run = options.isDryRun ? nil : try edit.commit()
    if options.json {
      let isSending = command != nil && !options.isDryRun
      if isSending, let command { for mail in mails { try command.send(mail) } }
      let sent = mails.map { $0.json(isSent: isSending) }
      context.console.write(
        .object(
          [
            .init("dryRun", .bool(options.isDryRun)),
            .init("run", JSONValue(run.map { Int($0.rawValue) })),
            .init("items", .array(edit.changes.map { editor.json($0, of: edit) })),
          ] + (sent.isEmpty ? [] : [.init("mails", .array(sent))]) + [.init("exit", .integer(0))]))
      return .done
    }
    // A mail is all of the standard output, as that of an answer.
    let isPrinted = !mails.isEmpty && !isSent
    context.console.write(
      editor.lines(of: edit, found, hint).map { isPrinted ? .note($0) : .say($0) })
    if isPrinted { context.console.write(OutgoingMail.bytes(of: mails)) }
    if let command, !options.isDryRun {
      for (place, mail) in mails.enumerated() {
        do {
          try context.send(mail, with: command)
        } catch {
          // The change is made, and no later command writes the mails again.
          context.console.write(OutgoingMail.bytes(of: Array(mails[place...])))
          throw error
        }
      }
    }
    if !edit.isEmpty, options.isDryRun {
      let words: ConsoleText = "Nothing was written, because of --dry-run."
      if isPrinted { context.console.note(words) } else { context.console.say(words) }
    }
    return .done
  }
}

extension Context {
  /// The program that sends mails.
  ///
  /// - Throws: `EpactError` if the configuration names none.
  var mailCommand: MailCommand {
    get throws { try MailCommand(try configuration().sendmailCommand, machine: machine) }
  }

  /// The calendars of the configuration.
  var library: CalendarLibrary {
    let file = configurationFile
    return CalendarLibrary(machine: machine, configuration: file.isExplicit ? file.path : nil)
  }
}

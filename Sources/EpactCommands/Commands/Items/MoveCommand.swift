// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact move`: moves an item to another calendar.
struct MoveCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Move an item to another calendar.",
    discussion: """
      The item keeps its UID. Both calendars change at once or not at all. The next sync moves it \
      on the servers. `epact undo` undoes the move.
      """)

  @OptionGroup var item: ItemArgument

  @OptionGroup var target: TargetArgument

  @OptionGroup var edit: EditOptions

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let session = try context.editSession(edit)
    let found = try session.item(item.item, in: item.calendar)
    return try session.finish(
      session.editor.moving(found, to: try target.calendar(session)), of: [found])
  }
}

/// `epact copy`: copies an item to a calendar.
struct CopyCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy an item to a calendar.",
    discussion: """
      The copy has a new UID, so that both can be changed independently. `epact undo` removes it.
      A meeting is copied as an event of your own with --without-people, or as a meeting with \
      --with-people; no attendee is informed of the copy.
      """)

  @OptionGroup var item: ItemArgument

  @OptionGroup var target: TargetArgument

  @Flag(name: .customLong("with-people"), help: "Keep the organizer and the attendees.")
  var keepsPeople = false

  @Flag(
    name: .customLong("without-people"), help: "Leave out the organizer and the attendees.")
  var omitsPeople = false

  @OptionGroup var edit: EditOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !keepsPeople || !omitsPeople else {
      throw ValidationError("--with-people and --without-people exclude each other")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let session = try context.editSession(edit)
    let found = try session.item(item.item, in: item.calendar)
    let calendar = try target.calendar(session)
    let choice = keepsPeople || omitsPeople ? keepsPeople : nil
    return try session.finish(
      session.editor.copying(
        found, to: calendar, keepingPeople: try session.keepsPeople(of: found, choice)))
  }
}

/// The calendar that gets an item.
struct TargetArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The other calendar, also as --to.", valueName: "calendar"),
    completion: .calendars)
  var target: String?

  @Option(
    name: .customLong("to"), help: ArgumentHelp("The other calendar.", valueName: "calendar"),
    completion: .calendars)
  var to: String?

  func validate() throws {
    guard target == nil || to == nil else {
      throw ValidationError(
        "expected one other calendar, found two; a title of several words is in quotation marks")
    }
    guard target != nil || to != nil else {
      throw ValidationError("expected the other calendar, found none")
    }
  }

  /// The calendar.
  ///
  /// - Throws: `EpactError` if there is none with this name.
  func calendar(_ session: EditSession) throws -> CalendarInfo {
    try session.library.calendar(named: target ?? to ?? "")
  }
}

/// `epact delete`: removes an item, or a part of a series.
struct DeleteCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete an event or a reminder.",
    discussion: """
      An item that repeats needs --this, --future or --all: --this excludes one occurrence, and \
      --future ends the series before it. The deletion is a run in `epact history`, and `epact \
      undo` undoes it. The attendees of a meeting of yours get a cancellation; it is printed, or sent \
      with --send.
      """)

  @OptionGroup var item: ItemArgument

  @OptionGroup var title: TitleWords

  @OptionGroup var span: SpanOptions

  @OptionGroup var meeting: MeetingOptions

  @OptionGroup var edit: EditOptions

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let session = try context.editSession(edit, informing: meeting)
    let choice = try span.choice(session, beside: title.words)
    let found = try session.item(title.name(after: item), in: item.calendar, having: choice)
    return try session.finish(session.editor.deleting(found, session.part(of: found, choice)))
  }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole

/// `epact delete`: removes an item, or a part of a series.
struct DeleteCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete an event or a reminder.",
    discussion: """
      An item that repeats needs --this, --future or --all: --this excludes one occurrence, and \
      --future ends the series before it. The deletion is a run in `epact history`, and `epact \
      undo` undoes it.
      """)

  @OptionGroup var item: ItemArgument

  @OptionGroup var span: SpanOptions

  @OptionGroup var edit: EditOptions

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let session = try EditSession(context)
    let found = try session.item(item.item, in: item.calendar)
    let part = try span.span(of: found, session, isUnattended: edit.isUnattended)
    return try session.finish(session.editor.deleting(found, part), edit)
  }
}

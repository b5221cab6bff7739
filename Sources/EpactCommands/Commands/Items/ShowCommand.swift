// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarSync
import Epact
import EpactConsole

/// `epact show`: shows an item.
struct ShowCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an event or a reminder.",
    discussion: """
      Times are in the time zone of the item. With --raw, prints the stored iCalendar object.

        epact show lunch
        epact show 3
      """)

  @OptionGroup var item: ItemArgument

  @Flag(help: "Print the stored iCalendar object.")
  var raw = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !raw || !json else { throw ValidationError("--raw and --json exclude each other") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let session = try EditSession(context)
    let found = try session.item(item.item, in: item.calendar)
    if raw {
      try context.console.stream(found.item.serialized())
      return .done
    }
    if json {
      context.console.write(session.editor.json(of: found))
      return .done
    }
    let card = ItemCard(found, session.editor)
    let rows = card.rows.filter { !$0.text.isEmpty && $0.field != .title }
    let width = rows.map { DisplayWidth.of($0.label) }.max() ?? 0
    context.console.show("\(card.title, .bold)")
    for row in rows {
      let lines = row.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        let label = DisplayWidth.padded(number == 0 ? row.label : "", to: width)
        context.console.show("  \(label, .dim)  \(String(line))")
      }
    }
    return .done
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactConsole

/// The form that shows an event of the user's calendars for another program.
///
///     Lunch with Ana
///       Wednesday, November 25, 2026 at 12:30 PM – Wednesday, November 25, 2026 at 1:30 PM
///       Café
///     Close it? [Return]
///
/// The other program receives the exit status and nothing else.
struct EventForm {
  let context: Context
  let uid: UID
  /// The identifier or the name of the calendar.
  let calendar: String
  /// The time at which the series has the occurrence; nil for the event as a whole.
  let time: EventTime?

  /// Shows the event until the user closes it.
  ///
  /// - Returns: `done`.
  /// - Throws: `Failure` without a terminal, or if there is no such event.
  func run() throws -> ExitStatus {
    let library = try context.libraryForForm()
    let known = try library.calendars()
    let found = known.first { $0.id == calendar } ?? known.first { $0.name == calendar }
    guard let found, let item = try library.contents(of: found).entries[uid]?.item,
      item.kind == .event, let event = event(of: item)
    else { throw Failure(.nothingDone, "there is no such event") }
    for line in try context.lines(of: event, title: item.title) { context.console.report(line) }
    _ = try context.console.answer(to: "Close it? [Return]")
    return .done
  }

  /// The occurrence, or the event as a whole; nil if the series does not have the occurrence.
  private func event(of item: CalendarItem) -> Event? {
    guard let time else { return (item.main ?? item.components.first).map { Event($0) } }
    let editor = ItemEditor(zones: context.machine.zoneResolver, now: context.machine.now()) {
      item.uid
    }
    var event: Event?
    // An edit that changes nothing finds the occurrence by all rules of the RFC.
    _ = try? editor.edit(item, .occurrence(time)) { (found: inout Event) in event = found }
    return event
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
package import Epact

extension SyncSet.Result {
  /// The maximum number of items that are reported at once.
  private static var itemLimit: Int { 10 }

  /// The lines about items in several calendars, and about calendars that moved.
  package func messages(isDryRun: Bool) -> [Message] {
    let warnings = duplicates.flatMap { $0.map(\.warning).limited(to: Self.itemLimit, rest: rest) }
    return (warnings + returned.map(\.warning).limited(to: Self.itemLimit, rest: rest))
      .map { .warn($0) }
      + moves.map { move in
        .say(
          "\(isDryRun ? "would move" : "moved") \(.item(move.title, move.uid)) from "
            + "\(move.departure) to \(move.arrival).")
      }
  }

  private func rest(_ count: Int) -> ConsoleText { "so are \(Count.grouped(count)) more items" }
}

extension DuplicateItem {
  fileprivate var warning: ConsoleText {
    guard isOfOneAccount else {
      let syncs = locations.map(\.sync).joined(separator: " and ")
      return
        "\(.item(title ?? uid.rawValue, uid)) is now in the calendars of \(syncs): to keep one, "
        + "delete the other"
    }
    let places = locations.map { "\($0.href) (\($0.sync))" }.joined(separator: " and ")
    return
      "the UID \(uid) is in two calendars of one account, \(places): some servers refuse that"
  }
}

extension ReturnedItem {
  /// Another machine moved the item after it was deleted here.
  fileprivate var warning: ConsoleText {
    "\(.item(title, uid)) was deleted here from the calendar of \(origin), and moved elsewhere: it "
      + "is now in that of \(sync)"
  }
}

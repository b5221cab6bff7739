// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
package import Epact

/// The pending conflicts, a line each.
extension Conflicts: Report {
  package var status: ExitStatus { pending.isEmpty ? .done : .conflicts }

  package var json: JSONValue {
    ["conflicts": .array(pending.map { json($0) }), "exit": status.json]
  }

  package var messages: [Message] {
    pending.isEmpty
      ? [.say("No conflicts wait.")] : pending.map { .show(line(of: $0)) }
  }

  /// The lines of a conflict: the three versions side by side; a mark precedes each conflict.
  package func lines(of conflict: PendingConflict, columns: Int?) -> [ConsoleText] {
    let rows = differences(of: conflict).map { difference in
      VersionTable.Row(
        isMarked: difference.isContested,
        title: "\(difference.row.component): \(difference.row.subject)",
        cells: difference.row.values)
    }
    let table = VersionTable(heads: ["agreed on", "here", "there"], rows: rows, columns: columns)
    return [line(of: conflict)] + table.lines
  }

  /// The sync, the item and the conflicting properties on one line.
  private func line(of conflict: PendingConflict) -> ConsoleText {
    let subjects =
      conflict.stored.isTakenBack
      ? "the sides differ since a run was taken back, or another file took its place"
      : contested(conflict).map(\.subject).joined(separator: "; ")
    let name = ConsoleText.item(conflict.stored.title, conflict.uid)
    return "\(conflict.sync): \(name): \(subjects)"
  }
}

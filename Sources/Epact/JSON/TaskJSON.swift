// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

extension TaskList {
  /// The reminders, in the order of the list.
  package func json(_ editor: LibraryEditor) -> JSONValue {
    ["reminders": .array(entries.map { $0.json(editor) })]
  }
}

extension TaskList.Entry {
  fileprivate func json(_ editor: LibraryEditor) -> JSONValue {
    let times = editor.times(of: found.item, zone: nil)
    return [
      "uid": .string(found.item.uid.rawValue),
      "title": .string(reminder.summary ?? found.item.title),
      "calendar": .string(found.calendar.name),
      "due": JSONValue(due.map { OccurrenceTime($0, times.instant(of: $0)).rfc3339 }),
      "overdue": .bool(isOverdue && !isClosed),
      "priority": JSONValue(reminder.priority == 0 ? nil : reminder.priority),
      "status": .string((reminder.statedStatus ?? .needsAction).rawValue),
      "completed": JSONValue(reminder.completed?.timestamp), "repeats": .bool(found.isSeries),
      "parent": JSONValue(parent?.rawValue), "depth": .integer(depth),
    ]
  }
}

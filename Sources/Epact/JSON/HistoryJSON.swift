// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CalendarSync

extension PastRun {
  /// The calendar of an import, otherwise nil.
  package var importedCalendar: String? { binding.flatMap { $0.isImport ? $0.local : nil } }

  /// Whether the run is an edit.
  package var isEdit: Bool { binding?.isEdit == true }

  /// The run and the numbers of its changes.
  package var json: JSONValue {
    [
      "id": .integer(Int(id.rawValue)),
      "sync": importedCalendar == nil && !isEdit && binding?.calendarChange == nil
        ? .string(sync) : .null,
      "import": JSONValue(importedCalendar), "edit": .bool(isEdit), "choice": .bool(isChoice),
      "calendarChange": JSONValue(binding?.calendarChange?.kind.rawValue),
      "calendar": JSONValue(binding?.calendarChange?.calendar),
      "startedAt": .string(startedAt.timestamp), "endedAt": JSONValue(endedAt?.timestamp),
      "undoes": JSONValue(undoes.map { Int($0.rawValue) }),
      "uploaded": .integer(summary.uploaded), "downloaded": .integer(summary.downloaded),
      "appended": .integer(summary.appended),
      "deletedRemotely": .integer(summary.deletedRemotely),
      "deletedLocally": .integer(summary.deletedLocally),
      "conflicts": .integer(summary.conflicts), "failed": .integer(summary.failed),
      "properties": .integer(summary.properties),
    ]
  }
}

extension JournalLine {
  /// The change of an item, with its contents before and after.
  package var json: JSONValue {
    func text(_ bytes: [UInt8]?) -> JSONValue {
      JSONValue(bytes.map { String(decoding: $0, as: UTF8.self) })
    }
    return [
      "action": .string(action.rawValue), "uid": .string(uid.rawValue), "title": .string(title),
      "state": .string(state.rawValue), "moved": JSONValue(moved), "before": text(before),
      "after": text(after),
    ]
  }
}

extension PropertyLine {
  /// The change of a property of the calendar.
  package var json: JSONValue {
    [
      "property": .string(property.rawValue), "side": .string(side.rawValue),
      "state": .string(state.rawValue), "before": JSONValue(before), "after": JSONValue(after),
    ]
  }
}

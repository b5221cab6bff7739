// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CalendarStore
package import CalendarSync

extension FileMerge.Result {
  /// The conflicts, the surviving edits and the unreadable items of a merge.
  package var members: [JSONValue.Member] {
    let conflicts =
      findings.flatMap { finding in
        finding.conflicts.map { $0.json(uid: finding.uid.rawValue, title: finding.title) }
      } + calendarConflicts.map { $0.json(uid: nil, title: nil) }
    let survivors = findings.compactMap { finding in
      finding.survivor.map { side -> JSONValue in
        [
          "uid": .string(finding.uid.rawValue), "title": .string(finding.title),
          "side": .string(side.rawValue),
        ]
      }
    }
    let faults = unreadable.map { entry -> JSONValue in
      ["name": .string(entry.name), "reason": .string(entry.reason)]
    }
    return [
      .init("conflicts", .array(conflicts)), .init("survivors", .array(survivors)),
      .init("unreadable", .array(faults)),
    ]
  }
}

extension MergeConflict {
  fileprivate func json(uid: String?, title: String?) -> JSONValue {
    let taken: JSONValue =
      switch outcome {
      case .waits: .null
      case .chosen(let side), .survived(let side): .string(side.rawValue)
      }
    return [
      "uid": JSONValue(uid), "title": JSONValue(title), "component": .string(component),
      "name": .string(subject), "kind": .string(kind.rawValue), "taken": taken,
      "base": JSONValue(base), "local": JSONValue(local), "remote": JSONValue(remote),
    ]
  }
}

extension Conflicts {
  /// A pending conflict with the differences of its versions.
  package func json(_ conflict: PendingConflict) -> JSONValue {
    [
      "sync": .string(conflict.sync), "uid": .string(conflict.uid.rawValue),
      "title": .string(conflict.stored.title),
      "differences": .array(differences(of: conflict).map(\.json)),
    ]
  }
}

extension Conflicts.Difference {
  fileprivate var json: JSONValue {
    [
      "component": .string(row.component), "name": .string(row.subject),
      "conflict": .bool(isContested), "base": JSONValue(row.versions[0]),
      "local": JSONValue(row.versions[1]), "remote": JSONValue(row.versions[2]),
    ]
  }
}

extension ItemDifference {
  /// The item and its differing properties.
  package var json: JSONValue {
    [
      "uid": .string(item.uid.rawValue), "title": .string(item.title),
      "change": .string(change.rawValue), "properties": .array(rows.map(\.json)),
    ]
  }
}

extension ItemComparison.Row {
  /// A difference between two versions.
  package var json: JSONValue {
    [
      "component": .string(component), "name": .string(subject),
      "before": JSONValue(versions[0]), "after": JSONValue(versions[1]),
    ]
  }
}

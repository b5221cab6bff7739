// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Epact

/// The results of a file merge, as text and JSON.
struct MergeReport {
  let result: FileMerge.Result

  /// The exit status of the merge.
  var status: ExitStatus {
    if !result.unreadable.isEmpty { return .someFailed }
    return result.isClean ? .done : .conflicts
  }

  /// Reports on standard error: conflicts with all versions, everything else on one line.
  func tell(on console: Console) {
    for entry in result.unreadable {
      console.warn("\(entry.name) is left as it is: \(entry.reason)")
    }
    for finding in result.findings {
      let name: ConsoleText = "\"\(finding.title)\" \("(\(finding.uid))", .dim)"
      if let survivor = finding.survivor {
        console.note(
          "\(name): deleted on one side and edited on the other; the \(survivor.rawValue) edit survives"
        )
      }
      for conflict in finding.conflicts { tell(conflict, "\(name): \(conflict)", on: console) }
    }
    for conflict in result.calendarConflicts { tell(conflict, "\(conflict)", on: console) }
  }

  private func tell(_ conflict: MergeConflict, _ line: ConsoleText, on console: Console) {
    guard conflict.isWaiting else { return console.note(line) }
    console.report("\("conflict:", .red) \(line)")
    for line in Self.versions(of: conflict) { console.report(line) }
  }

  /// The JSON representation.
  var json: JSONValue {
    [
      "conflicts": .array(
        result.findings.flatMap { finding in
          finding.conflicts.map { Self.json($0, uid: finding.uid.rawValue, title: finding.title) }
        } + result.calendarConflicts.map { Self.json($0, uid: nil, title: nil) }),
      "survivors": .array(
        result.findings.compactMap { finding in
          finding.survivor.map { side in
            [
              "uid": .string(finding.uid.rawValue), "title": .string(finding.title),
              "side": .string(side.rawValue),
            ]
          }
        }),
      "unreadable": .array(
        result.unreadable.map { ["name": .string($0.name), "reason": .string($0.reason)] }),
      "exit": .integer(Int(status.rawValue)),
    ]
  }

  private static func json(_ conflict: MergeConflict, uid: String?, title: String?) -> JSONValue {
    func lines(_ lines: [String]) -> JSONValue { .array(lines.map { .string($0) }) }
    let taken: JSONValue =
      switch conflict.outcome {
      case .waits: .null
      case .chosen(let side), .survived(let side): .string(side.rawValue)
      }
    return [
      "uid": uid.map { .string($0) } ?? .null, "title": title.map { .string($0) } ?? .null,
      "component": .string(conflict.component), "name": .string(conflict.subject),
      "kind": .string(conflict.kind.rawValue), "taken": taken, "base": lines(conflict.base),
      "local": lines(conflict.local), "remote": lines(conflict.remote),
    ]
  }

  /// The versions of a conflict, one below the other; the file has only one of them.
  private static func versions(of conflict: MergeConflict) -> [ConsoleText] {
    [("base", conflict.base), ("local", conflict.local), ("remote", conflict.remote)]
      .flatMap { head, lines in
        (lines.isEmpty ? ["–"] : lines).enumerated().map { index, line in
          let label = DisplayWidth.padded(index == 0 ? head : "", to: 6)
          return "    \(label, .dim)  \(line)"
        }
      }
  }
}

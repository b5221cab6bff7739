// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CalendarStore
import CalendarSync
package import Epact

/// The results of a merge of files: conflicts with all versions, everything else on one line.
extension FileMerge.Result: Report {
  package var status: ExitStatus {
    if !unreadable.isEmpty { return .someFailed }
    return isClean ? .done : .conflicts
  }

  package var json: JSONValue { .object(members + [.init("exit", status.json)]) }

  package var messages: [Message] {
    unreadable.map { .warn("\($0.name) is unchanged: \($0.reason)") }
      + findings.flatMap(Self.messages)
      + calendarConflicts.flatMap { Self.messages(about: $0, "\($0.words)") }
  }

  private static func messages(about finding: FileMerge.Finding) -> [Message] {
    let name = ConsoleText.item(finding.title, finding.uid)
    let survivor: [Message] =
      finding.survivor.map { side in
        [
          .note(
            "\(name): deleted on one side and edited on the other; the \(side.rawValue) edit survives"
          )
        ]
      } ?? []
    return survivor
      + finding.conflicts.flatMap { messages(about: $0, "\(name): \($0.words)") }
  }

  private static func messages(about conflict: MergeConflict, _ line: ConsoleText) -> [Message] {
    guard conflict.isWaiting else { return [.note(line)] }
    return [.report("\("conflict:", .red) \(line)")] + versions(of: conflict).map { .report($0) }
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

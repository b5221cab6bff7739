// SPDX-License-Identifier: Apache-2.0

import CalendarSync
package import Epact

/// The result of a sync, as a line of text and as JSON.
package struct SyncReport: Sendable {
  package let result: SyncResult
  /// Additional advice for a sync without access.
  package var remark: ConsoleText?
  private let details: SyncDetails
  private let remedies: any Remedies

  /// Creates a report; the details are needed only for JSON.
  package init(_ result: SyncResult, _ details: SyncDetails? = nil, _ remedies: any Remedies) {
    self.result = result
    self.details = details ?? SyncDetails(isDryRun: result.isDryRun, ofMirror: result.isMirror)
    self.remedies = remedies
  }

  /// The exit status of the run.
  package var status: ExitStatus { ExitStatus(result.outcome) }

  /// The remark about a ledger without grants and runs.
  package static func remark(onNewLedger folder: String) -> ConsoleText {
    "The ledger in \(folder) is new, and grants are kept there alone. On a restored machine, bring "
      + "that folder back from a backup, or grant access once more; the next sync then pairs what "
      + "both sides hold by UID, and deletes nothing."
  }

  private var name: String { result.name }
  private var summary: RunSummary { result.summary }
  private var objection: GuardObjection? { result.objection }
  private var withheld: Int { result.withheld }
  private var isDryRun: Bool { result.isDryRun }

  /// The error of the run, with its name; nil if it has none.
  package var failure: Failure? {
    if let error = result.error { return remedies.failure(error).prefixed(name) }
    return objection.map {
      Failure(.stoppedByGuard, "\(name): \(problem(of: $0))", hint: hint(for: $0))
    }
  }

  /// The error and its remedy on one line, for a non-zero exit status.
  package var message: ConsoleText {
    if let error = result.error {
      let line = remedies.failure(error).line
      return remark.map { "\(line). \($0)" } ?? line
    }
    guard let objection else { return line }
    return "\(problem(of: objection)). \(hint(for: objection))"
  }

  private func problem(of objection: GuardObjection) -> ConsoleText {
    guard result.isMirror, objection.cause == .missing else { return objection.problem }
    return
      "\(objection.deletions) of \(Count(objection.known, "copy", plural: "copies")) would be deleted, because its "
      + "calendars do not show the originals any more; nothing was changed"
  }

  private func hint(for objection: GuardObjection) -> ConsoleText {
    remedies.hint(objection, in: result)
  }

  /// Whether the run found nothing to do.
  package var isUpToDate: Bool { result.phrases.isEmpty && withheld == 0 }

  /// The text output.
  package var line: ConsoleText {
    if summary.stoppedByGuard { return "\(name, .bold): stopped by a guard." }
    var numbers = result.undo?.phrases(summary) ?? result.phrases
    if withheld > 0 {
      let reason = result.limit == .requested ? ", which the sync does not ask for" : ""
      numbers.append(
        "\(Count.grouped(withheld)) need\(withheld == 1 ? "s" : "") full access\(reason)")
    }
    guard !numbers.isEmpty else {
      return isDryRun
        ? "\(name, .bold): dry run, nothing was changed."
        : "\(name, .bold): \(result.undo == nil ? "up to date" : "nothing to take back")."
    }
    let suffix = isDryRun ? " (dry run, nothing was changed)" : ""
    return "\(name, .bold): \(numbers.joined(separator: ", "))\(suffix)."
  }

  /// The JSON representation.
  package var json: JSONValue { result.json(details) }
}

/// The wording of an objection to too many deletions, or to a remote that was restored.
extension GuardObjection {
  /// The problem.
  fileprivate var problem: ConsoleText {
    if case .rollback(let rollback) = cause { return rollback.problem(on: side.other) }
    return
      "\(deletions) of \(Count(known, "item")) would be deleted on the \(side.rawValue) side"
      + "\(reason); nothing was changed"
  }

  private var reason: ConsoleText {
    let missing: ConsoleText = ", because they are missing on the \(side.other.rawValue) side"
    return switch cause {
    case .missing: missing
    case .otherPlace: "\(missing), which is on another file system than at the last run"
    case .undo: " by the undo"
    case .push: ", because they were deleted before it was restored"
    case .rollback: ""
    }
  }
}

extension Rollback {
  /// The problem.
  fileprivate func problem(on side: MergeSide) -> ConsoleText {
    let place: ConsoleText = side == .local ? "the local calendar" : "the remote"
    let parts: [(Int, String, String)] = [
      (returned, "has an earlier version", "have earlier versions"),
      (missing, "is missing", "are missing"),
      (reappeared, "was deleted and is back", "were deleted and are back"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { count, one, many in
      "\(Count.grouped(count)) \(count == 1 ? one : many)"
    }
    return
      "\(place) seems to be restored from a backup: it lost the agreed versions of "
      + "\(Count(count, "item")) since \(local: since) (\(words.joined(separator: ", "))); "
      + "nothing was changed"
  }
}

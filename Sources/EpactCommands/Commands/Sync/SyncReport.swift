// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import EpactConsole

/// The result of a sync, as a line of text and as JSON.
struct SyncReport: Sendable {
  let result: SyncResult
  /// Additional advice for a sync without access.
  var remark: ConsoleText?
  private let details: SyncDetails

  /// Creates a report; the details are needed only for JSON.
  init(_ result: SyncResult, _ details: SyncDetails? = nil) {
    self.result = result
    self.details = details ?? SyncDetails(isDryRun: result.isDryRun)
  }

  /// The exit status of the run.
  var status: ExitStatus { ExitStatus(result.outcome) }

  private var name: String { result.name }
  private var summary: RunSummary { result.summary }
  private var objection: GuardObjection? { result.objection }
  private var withheld: Int { result.withheld }
  private var isDryRun: Bool { result.isDryRun }
  private var failure: Failure? { result.error.map { Failure(describing: $0) } }

  /// The error and its remedy on one line, for a non-zero exit status.
  var message: ConsoleText {
    if let failure { return remark.map { "\(failure.line). \($0)" } ?? failure.line }
    guard let objection else { return line }
    return "\(objection.problem). \(objection.hint(for: name))"
  }

  /// Whether the run found nothing to do.
  var isUpToDate: Bool { summary.phrases.isEmpty && withheld == 0 }

  /// The text output.
  var line: ConsoleText {
    if summary.stoppedByGuard { return "\(name, .bold): stopped by a guard." }
    var numbers = result.undo?.phrases(summary) ?? summary.phrases
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
  var json: JSONValue { result.json(details) }
}

/// The wording of an objection to too many deletions, or to a remote that was restored.
extension GuardObjection {
  /// The problem.
  var problem: ConsoleText {
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

  /// The command that allows the deletions, and the one that restores the items instead.
  func hint(for sync: String) -> ConsoleText {
    let deleting = SuggestedCommand.sync(sync, allowDelete: deletions)
    switch cause {
    case .rollback where side == .remote:
      return
        "To take the agreed versions again: \(SuggestedCommand.restoreReplacing(sync)); to send "
        + "those of the local calendar: \(SuggestedCommand.syncAcceptingRestored(sync))"
    case .rollback:
      return
        "To send the agreed versions again: \(SuggestedCommand.restorePushing(sync)); to take "
        + "those of the remote: \(SuggestedCommand.syncAcceptingRestored(sync))"
    case .push:
      let pushing = SuggestedCommand.restorePushing(sync, allowDelete: deletions)
      return "If they are meant to go: \(pushing)"
    case .undo(let run):
      return "If they are meant to go: \(SuggestedCommand.undo(run, allowDelete: deletions))"
    // If the disk is not mounted, restoring is no remedy.
    case .missing where side == .remote:
      return
        "To get them back: \(SuggestedCommand.restore(sync)); if they are meant to go: \(deleting)"
    case .missing, .otherPlace: return "If they are meant to go: \(deleting)"
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

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact

/// The results of a sync, as a line of text and as JSON.
struct SyncReport: Sendable {
  let name: String
  /// Additional advice for a sync without access.
  var remark: ConsoleText?
  /// The start time.
  var startedAt = Instant(secondsSinceEpoch: 0)
  /// The duration.
  var seconds = 0.0
  private let summary: RunSummary
  private let objection: GuardObjection?
  private let failure: Failure?
  private let isDryRun: Bool
  private let operations: [JSONValue]
  /// The changes of calendar properties.
  var properties: [JSONValue] = []
  /// The values that the remote did not preserve.
  var losses: [JSONValue] = []
  /// The deleted items, which may include halves of moves.
  var departed: Set<UID> = []
  /// The added items with their titles.
  var arrived: [UID: String] = [:]
  /// The final states of undone items; nil if the run is not an undo.
  var undo: UndoOutlook?
  /// The number of items that were skipped because the granted access is too low.
  private let withheld: Int

  /// Creates the report of a completed run.
  init(
    name: String, summary: RunSummary, objection: GuardObjection?, isDryRun: Bool,
    operations: [JSONValue], withheld: Int = 0
  ) {
    self.name = name
    self.withheld = withheld
    self.summary = summary
    self.objection = objection
    self.isDryRun = isDryRun
    self.operations = operations
    failure = nil
  }

  /// Creates the report of a failed run.
  init(name: String, failure: Failure, isDryRun: Bool, operations: [JSONValue]) {
    self.name = name
    self.failure = failure
    self.isDryRun = isDryRun
    self.operations = operations
    summary = RunSummary()
    objection = nil
    withheld = 0
  }

  /// Whether the run was completed.
  var isWhole: Bool { failure == nil && objection == nil }

  /// The combined report of this run and a following one.
  func followed(by next: SyncReport) -> SyncReport {
    guard next.failure == nil else { return next }
    var summary = next.summary
    summary.uploaded += self.summary.uploaded
    summary.downloaded += self.summary.downloaded
    summary.appended += self.summary.appended
    summary.deletedRemotely += self.summary.deletedRemotely
    summary.deletedLocally += self.summary.deletedLocally
    summary.properties += self.summary.properties
    var report = SyncReport(
      name: name, summary: summary, objection: next.objection, isDryRun: isDryRun,
      operations: operations + next.operations, withheld: next.withheld)
    (report.startedAt, report.seconds) = (startedAt, seconds + next.seconds)
    report.properties = properties + next.properties
    report.losses = losses + next.losses
    report.departed = departed.union(next.departed)
    report.arrived = arrived.merging(next.arrived) { $1 }
    return report
  }

  /// The exit status of the run.
  var status: ExitStatus {
    if let failure { return failure.status }
    if summary.stoppedByGuard { return .stoppedByGuard }
    // Problems that need the user take precedence; a retry may resolve the others.
    if summary.failed > 0 { return .someFailed }
    if withheld > 0 { return .noAccess }
    if summary.conflicts > 0 { return .conflicts }
    return summary.deferred > 0 ? .unavailable : .done
  }

  /// The error and its remedy on one line, for a non-zero exit status.
  var message: ConsoleText {
    if let failure { return remark.map { "\(failure.line). \($0)" } ?? failure.line }
    guard let objection else { return line }
    let command = SuggestedCommand.sync(name, allowDelete: objection.deletions)
    return "\(objection.message). If they are meant to go: \(command)"
  }

  /// The number of pending conflicts.
  var conflicts: Int { summary.conflicts }

  /// The number of items by action; the action names are stable.
  var counts: [(action: String, number: Int)] {
    [
      ("uploaded", summary.uploaded), ("downloaded", summary.downloaded),
      ("appended", summary.appended), ("deletedRemotely", summary.deletedRemotely),
      ("deletedLocally", summary.deletedLocally), ("failed", summary.failed),
      ("deferred", summary.deferred), ("withheld", withheld),
    ]
  }

  /// The error of the run as a whole on one line; nil if there is none.
  var complaint: String? {
    failure?.message.plain
      ?? objection.map {
        "\($0.deletions) of \($0.known) items would have been deleted on the \($0.side.rawValue) side"
      }
  }

  /// The text output.
  var line: ConsoleText {
    if summary.stoppedByGuard { return "\(name, .bold): stopped by a guard." }
    var numbers = undo?.phrases(summary) ?? summary.phrases
    if withheld > 0 {
      numbers.append("\(Count.grouped(withheld)) need\(withheld == 1 ? "s" : "") full access")
    }
    guard !numbers.isEmpty else {
      return isDryRun
        ? "\(name, .bold): dry run, nothing was changed."
        : "\(name, .bold): \(undo == nil ? "up to date" : "nothing to take back")."
    }
    let suffix = isDryRun ? " (dry run, nothing was changed)" : ""
    return "\(name, .bold): \(numbers.joined(separator: ", "))\(suffix)."
  }

  /// The JSON representation.
  var json: JSONValue {
    [
      "name": .string(name), "exit": .integer(Int(status.rawValue)),
      "uploaded": .integer(summary.uploaded), "downloaded": .integer(summary.downloaded),
      "appended": .integer(summary.appended),
      "deletedRemotely": .integer(summary.deletedRemotely),
      "deletedLocally": .integer(summary.deletedLocally),
      "conflicts": .integer(summary.conflicts), "failed": .integer(summary.failed),
      "deferred": .integer(summary.deferred), "withheld": .integer(withheld),
      "guard": objection.map {
        [
          "side": .string($0.side.rawValue), "deletions": .integer($0.deletions),
          "known": .integer($0.known),
        ]
      } ?? .null,
      "error": JSONValue(failure?.message.plain), "operations": .array(operations),
      "properties": .array(properties), "losses": .array(losses),
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

/// What a sync did, in one line for people and one object for programs.
struct SyncReport: Sendable {
  /// The name of the sync.
  let name: String
  /// What else there is to say if it was not granted access.
  var remark: ConsoleText?
  /// When it began.
  var startedAt = Instant(secondsSinceEpoch: 0)
  /// How long it took.
  var seconds = 0.0
  private let summary: RunSummary
  private let objection: GuardObjection?
  private let failure: Failure?
  private let isDryRun: Bool
  private let operations: [JSONValue]
  /// What was done with the properties of the calendar as a whole.
  var properties: [JSONValue] = []
  /// What the remote does not keep of what it was sent.
  var losses: [JSONValue] = []
  /// The items that were deleted, with what may be the half of a move among them.
  var departed: Set<UID> = []
  /// The items that were added, and their titles.
  var arrived: [UID: String] = [:]
  /// How the items that a run was taken back of are left; nil unless one was.
  var undo: UndoOutlook?
  /// How many items were left alone although the sync wants them, because less was granted.
  private let withheld: Int

  /// Creates the report of a run that came to its end.
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

  /// Creates the report of a run that could not go on.
  init(name: String, failure: Failure, isDryRun: Bool, operations: [JSONValue]) {
    self.name = name
    self.failure = failure
    self.isDryRun = isDryRun
    self.operations = operations
    summary = RunSummary()
    objection = nil
    withheld = 0
  }

  /// Whether the run came to its end.
  var isWhole: Bool { failure == nil && objection == nil }

  /// The report of this run and one after it, as if they had been one.
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

  /// How the run ended.
  var status: ExitStatus {
    if let failure { return failure.status }
    if summary.stoppedByGuard { return .stoppedByGuard }
    // What needs a person comes first; another try heals the rest.
    if summary.failed > 0 { return .someFailed }
    if withheld > 0 { return .noAccess }
    if summary.conflicts > 0 { return .conflicts }
    return summary.deferred > 0 ? .unavailable : .done
  }

  /// What there is to say if it did not end with 0, and what would help, on one line.
  var message: ConsoleText {
    if let failure { return remark.map { "\(failure.line). \($0)" } ?? failure.line }
    guard let objection else { return line }
    let command = SuggestedCommand.sync(name, allowDelete: objection.deletions)
    return "\(objection.message). If they are meant to go: \(command)"
  }

  /// How many conflicts wait.
  var conflicts: Int { summary.conflicts }

  /// How many items were dealt with, by what was done; the words are stable for programs.
  var counts: [(action: String, number: Int)] {
    [
      ("uploaded", summary.uploaded), ("downloaded", summary.downloaded),
      ("appended", summary.appended), ("deletedRemotely", summary.deletedRemotely),
      ("deletedLocally", summary.deletedLocally), ("failed", summary.failed),
      ("deferred", summary.deferred), ("withheld", withheld),
    ]
  }

  /// What was wrong with the run as a whole, on one line, if anything was.
  var complaint: String? {
    failure?.message.plain
      ?? objection.map {
        "\($0.deletions) of \($0.known) items would have been deleted on the \($0.side.rawValue) side"
      }
  }

  /// The line for people.
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

  /// The object for programs.
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

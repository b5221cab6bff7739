// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// What a sync did, in one line for people and one object for programs.
struct SyncReport: Sendable {
  private let name: String
  private let summary: RunSummary
  private let objection: GuardObjection?
  private let failure: Failure?
  private let isDryRun: Bool
  private let operations: [JSONValue]

  /// Creates the report of a run that came to its end.
  init(
    name: String, summary: RunSummary, objection: GuardObjection?, isDryRun: Bool,
    operations: [JSONValue]
  ) {
    self.name = name
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
  }

  /// How the run ended.
  var status: ExitStatus {
    if let failure { return failure.status }
    if summary.stoppedByGuard { return .stoppedByGuard }
    if summary.failed > 0 { return .someFailed }
    return summary.conflicts > 0 ? .conflicts : .done
  }

  /// The line for people.
  var line: ConsoleText {
    if summary.stoppedByGuard { return "\(name, .bold): stopped by a guard." }
    let numbers = counts.filter { $0.number > 0 }.map { "\(Count.grouped($0.number)) \($0.words)" }
    guard !numbers.isEmpty else {
      return isDryRun
        ? "\(name, .bold): dry run, nothing was changed."
        : "\(name, .bold): up to date."
    }
    let suffix = isDryRun ? " (dry run, nothing was changed)" : ""
    return "\(name, .bold): \(numbers.joined(separator: ", "))\(suffix)."
  }

  private var counts: [(number: Int, words: String)] {
    [
      (summary.uploaded, "uploaded"), (summary.downloaded, "downloaded"),
      (summary.appended, "added to the remote"),
      (summary.deletedRemotely, "deleted on the remote"), (summary.deletedLocally, "deleted here"),
      (summary.conflicts, summary.conflicts == 1 ? "conflict waits" : "conflicts wait"),
      (summary.failed, "failed"),
    ]
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
      "guard": objection.map {
        [
          "side": .string($0.side.rawValue), "deletions": .integer($0.deletions),
          "known": .integer($0.known),
        ]
      } ?? .null,
      "error": JSONValue(failure?.message.plain), "operations": .array(operations),
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The planned operations of a sync, as a value that can be printed before execution.
public struct SyncPlan: Hashable, Sendable, CustomStringConvertible {
  /// The operations, in order of UID.
  public let operations: [PlannedOperation]
  /// The reason for stopping the plan, or nil if there is none.
  public let objection: GuardObjection?
  /// The number of unresolved conflicts after the plan.
  public let conflicts: Int
  /// The parts of the sent content that the remote was found to have lost.
  public let losses: [RemoteLoss]

  /// Creates a plan.
  public init(
    operations: [PlannedOperation], objection: GuardObjection? = nil, conflicts: Int = 0,
    losses: [RemoteLoss] = []
  ) {
    self.losses = losses
    self.operations = operations
    self.objection = objection
    self.conflicts = conflicts
  }

  /// One line for each operation that is relevant to the user: verb, title, UID and reason.
  public var description: String {
    let lines = operations.filter { $0.verb != "record" && $0.verb != "forget" }
      .map { "\($0.verb) \"\($0.title)\" (\($0.uid)): \($0.reason)" }
    return (lines + (objection.map { ["stopped: \($0.message)"] } ?? [])).joined(separator: "\n")
  }
}

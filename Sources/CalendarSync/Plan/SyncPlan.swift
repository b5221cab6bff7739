// SPDX-License-Identifier: Apache-2.0

/// Everything that a sync is going to do, as a value that can be printed before anything is done.
public struct SyncPlan: Hashable, Sendable, CustomStringConvertible {
  /// The operations, in order of UID.
  public let operations: [PlannedOperation]
  /// Why nothing of it may be done, or nil if nothing stands against it.
  public let objection: GuardObjection?
  /// How many conflicts wait once the plan was carried out.
  public let conflicts: Int
  /// What the remote is found not to keep of what it was sent.
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

  /// One line for each operation that concerns people: verb, title, UID and reason.
  public var description: String {
    let lines = operations.filter { $0.verb != "record" && $0.verb != "forget" }
      .map { "\($0.verb) \"\($0.title)\" (\($0.uid)): \($0.reason)" }
    return (lines + (objection.map { ["stopped: \($0.message)"] } ?? [])).joined(separator: "\n")
  }
}

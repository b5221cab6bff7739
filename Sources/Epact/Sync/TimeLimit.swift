// SPDX-License-Identifier: Apache-2.0

/// The end of the time that a run of syncs may take.
///
/// A server that sends every answer slowly would otherwise hold the lock of all syncs for hours. What is
/// not done until then is left to the next run.
struct TimeLimit: Sendable {
  private let limit: Duration
  private let end: ContinuousClock.Instant

  /// Begins the time; nil without a limit.
  init?(_ limit: Duration?) {
    guard let limit else { return nil }
    self.limit = limit
    end = .now + limit
  }

  /// Runs a step, and cancels it at the end of the time.
  ///
  /// - Throws: `EpactError` at the end of the time; the errors of the step.
  func run<Result: Sendable>(
    _ step: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard ContinuousClock.now < end else { throw error }
    return try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask { try await step() }
      group.addTask {
        try await Task.sleep(until: end, clock: .continuous)
        throw error
      }
      defer { group.cancelAll() }
      guard let result = try await group.next() else { throw CancellationError() }
      return result
    }
  }

  private var error: EpactError {
    let (minutes, rest) = limit.components.seconds.quotientAndRemainder(dividingBy: 60)
    let words = minutes > 0 && rest == 0 ? "\(Count(Int(minutes), "minute"))" : "\(limit)"
    return EpactError(
      .unavailable,
      "the run reached its time limit of \(words); the next run does the rest")
  }
}

extension TimeLimit? {
  /// Runs a step within the limit, if there is one.
  func run<Result: Sendable>(
    _ step: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    switch self {
    case .some(let limit): try await limit.run(step)
    case .none: try await step()
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Work on several inputs at once, whose results are used in the order of the inputs.
///
///     inputs   1  2  3  4  5  6 …      started in order, at most `limit` at once
///     results     2  1     4  3        arrive in any order
///     take     1  2  3  4 …            called in order, while the next inputs are in work
///
/// With a limit of 1, everything happens one after another: an input is started when the result of
/// the previous one has been taken, unless the tasks are to run ahead. The order keeps reports,
/// counts and the number of consecutive failures independent of the timing.
package struct OrderedTasks<Input: Sendable, Output: Sendable>: Sendable {
  /// What happens to the tasks in work after an error.
  package enum Ending: Sendable {
    /// They are cancelled, and their results are dropped.
    case cancel
    /// They are completed, and their results are taken, because their effects are to be recorded.
    case complete
  }

  /// The maximum number of inputs in work at once, at least 1.
  let limit: Int
  /// The maximum number of results that wait for an earlier one, at least 1.
  let waiting: Int
  let ending: Ending
  /// Whether the next input is started before a result is taken.
  let runsAhead: Bool
  /// Works on an input.
  let work: @Sendable (Input) async -> Output

  /// Creates the work.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of inputs in work at once; less than 1 means 1.
  ///   - waiting: The maximum number of results that wait for an earlier one, which limits the
  ///     memory for results; nil for any number.
  ///   - ending: What happens to the tasks in work after an error.
  ///   - runsAhead: Whether the next input is started before a result is taken; by default, if the
  ///     limit is greater than 1.
  ///   - work: Works on an input.
  package init(
    limit: Int, waiting: Int? = nil, ending: Ending, runsAhead: Bool? = nil,
    work: @escaping @Sendable (Input) async -> Output
  ) {
    self.limit = max(1, limit)
    self.waiting = max(1, waiting ?? .max)
    self.ending = ending
    self.runsAhead = runsAhead ?? (limit > 1)
    self.work = work
  }

  /// Creates work for processors, whose memory does not depend on the number of inputs.
  ///
  /// - Parameters:
  ///   - cores: The number of inputs in work at once; as many results wait.
  ///   - work: Works on an input.
  package init(onCores cores: Int, _ work: @escaping @Sendable (Input) -> Output) {
    self.init(limit: cores, waiting: cores, ending: .cancel, work: work)
  }

  /// Works on all inputs.
  ///
  /// No input is started after the first error of `take`, or after the task is cancelled. An error of
  /// `next` is thrown when the results of all earlier inputs are taken.
  ///
  /// - Parameters:
  ///   - next: Returns the next input; nil after the last one.
  ///   - take: Uses the result of an input.
  /// - Throws: The first error of `take`, that of `next`, or `CancellationError` if an input was not
  ///   started.
  package func run(
    _ next: () throws -> Input?, _ take: (Input, Output) async throws -> Void
  ) async throws {
    let failure = await withTaskGroup(of: (Int, Output).self) { group in
      var inputs: [Int: Input] = [:]
      var results: [Int: Output] = [:]
      var (started, taken) = (0, 0)
      var failure: (any Error)?
      var end: Result<Void, any Error>?
      func start() {
        while failure == nil, end == nil, started - taken - results.count < limit,
          results.count < waiting
        {
          guard !Task.isCancelled else { return failure = CancellationError() }
          let input: Input
          do {
            guard let found = try next() else { return end = .success(()) }
            input = found
          } catch {
            return end = .failure(error)
          }
          let number = started
          inputs[number] = input
          started += 1
          group.addTask { [work] in (number, await work(input)) }
        }
      }
      start()
      while let (number, result) = await group.next() {
        results[number] = result
        while let result = results.removeValue(forKey: taken),
          let input = inputs.removeValue(forKey: taken)
        {
          taken += 1
          if runsAhead { start() }
          do { try await take(input, result) } catch { failure = failure ?? error }
          if failure != nil, ending == .cancel { break }
        }
        if failure != nil, ending == .cancel { break }
        start()
      }
      if failure != nil { group.cancelAll() }
      if failure == nil, case .failure(let error)? = end { failure = error }
      return failure
    }
    if let failure { throw failure }
  }
}

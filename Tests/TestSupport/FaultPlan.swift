// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What goes wrong at which call, counted over all doubles that share the plan.
public final class FaultPlan: Sendable {
  /// What goes wrong at one call.
  public enum Fault: Hashable, Sendable, CaseIterable {
    /// The call does nothing and throws.
    case fail
    /// The call does its work and throws all the same.
    case loseAnswer
    /// The process ends before the call.
    case crashBefore
    /// The process ends after the call has done its work.
    case crashAfter
  }

  /// A call that failed.
  public struct Failure: Error, CustomStringConvertible {
    /// What was called.
    public let call: String

    /// What was called.
    public var description: String { "\(call) failed" }
  }

  /// The end of the process; every later call throws it too.
  public struct Crash: Error, CustomStringConvertible {
    /// The first thing to say in a log.
    public var description: String { "crashed" }
  }

  private struct State {
    var faults: [Int: Fault] = [:]
    var namedFaults: [String: Fault] = [:]
    /// A fault at one call of a name, by how many of them come before.
    var countedFault: (name: String, rest: Int, fault: Fault)?
    var calls: [String] = []
    var isDown = false

    /// The fault of a call of a name, if its turn has come.
    mutating func counted(_ name: String) -> Fault? {
      guard let planned = countedFault, planned.name == name else { return nil }
      countedFault?.rest -= 1
      return planned.rest == 0 ? planned.fault : nil
    }
  }

  private let state: Mutex<State>

  /// Plans faults by the number of the call, from 0.
  public init(_ faults: [Int: Fault] = [:]) {
    state = Mutex(State(faults: faults))
  }

  /// The calls since the last start, in order.
  public var calls: [String] { state.withLock { $0.calls } }

  /// Whether the process has crashed.
  public var isDown: Bool { state.withLock { $0.isDown } }

  /// Starts the process anew, with other faults; calls count from 0 again.
  public func restart(_ faults: [Int: Fault] = [:]) {
    state.withLock { $0 = State(faults: faults) }
  }

  /// Starts the process anew, with faults at every call of a name.
  public func restart(named faults: [String: Fault]) {
    state.withLock { $0 = State(namedFaults: faults) }
  }

  /// Starts the process anew, with a fault at one of the calls of a name, counted from 0.
  public func restart(_ fault: Fault, at number: Int, of name: String) {
    state.withLock { $0 = State(countedFault: (name, number, fault)) }
  }

  /// Does the work of one call, unless its turn to go wrong has come.
  ///
  /// - Throws: `Failure`, `Crash`, or what the work throws.
  public func perform<Answer>(
    _ call: @autoclosure () -> String, _ work: () throws -> Answer
  ) throws -> Answer {
    let name = call()
    let fault = try begin(name)
    let answer = try work()
    try end(name, fault)
    return answer
  }

  /// Does the work of one call that waits, unless its turn to go wrong has come.
  ///
  /// - Throws: `Failure`, `Crash`, or what the work throws.
  package func perform<Answer>(
    _ name: String, waiting work: () async throws -> Answer
  ) async throws -> Answer {
    let fault = try begin(name)
    let answer = try await work()
    try end(name, fault)
    return answer
  }

  /// Counts a call, and throws if it does nothing.
  private func begin(_ name: String) throws -> Fault? {
    let fault = try state.withLock { state throws(Crash) in
      guard !state.isDown else { throw Crash() }
      state.calls.append(name)
      let fault =
        state.faults[state.calls.count - 1] ?? state.namedFaults[name] ?? state.counted(name)
      state.isDown = fault == .crashBefore || fault == .crashAfter
      return fault
    }
    switch fault {
    case .fail?: throw Failure(call: name)
    case .crashBefore?: throw Crash()
    default: return fault
    }
  }

  /// Throws if the caller does not learn of the work.
  private func end(_ name: String, _ fault: Fault?) throws {
    switch fault {
    case .loseAnswer?: throw Failure(call: name)
    case .crashAfter?: throw Crash()
    default: break
    }
  }
}

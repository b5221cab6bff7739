// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Carries out the requests that are in flight at once in an order that depends on a seed.
///
///     requests   1  2  3        arrive while others wait
///     turns      2  3  1        each arrival lets one of the waiting requests go on
public final class Interleaving: Sendable {
  private struct State {
    var random: SeededGenerator
    var waiting: [CheckedContinuation<Void, Never>] = []
    var most = 0
  }

  /// The maximum number of requests in flight.
  public let limit: Int
  private let state: Mutex<State>

  /// Creates the order of at most `limit` requests at once.
  public init(seed: UInt64, limit: Int) {
    self.limit = limit
    state = Mutex(State(random: SeededGenerator(seed: seed)))
  }

  /// Draws a limit from 1 to 4 and an order, which are the same for the same seed.
  public convenience init(seed: UInt64) {
    var random = SeededGenerator(seed: ~seed)
    self.init(seed: seed, limit: Int.random(in: 1...4, using: &random))
  }

  /// The largest number of requests that waited together.
  public var most: Int { state.withLock { $0.most } }

  /// Waits for the turn of a request.
  public func turn() async {
    guard limit > 1 else { return }
    await withCheckedContinuation { request in
      state.withLock { state in
        state.waiting.append(request)
        state.most = max(state.most, state.waiting.count)
      }
      Task {
        // Others may arrive meanwhile.
        for _ in 0..<8 { await Task.yield() }
        letOneGo()
      }
    }
  }

  private func letOneGo() {
    let request = state.withLock { state in
      state.waiting.indices.randomElement(using: &state.random).map { state.waiting.remove(at: $0) }
    }
    request?.resume()
  }
}

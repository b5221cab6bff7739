// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Collects signals of several threads, for one task that waits for them.
///
/// Equal signals that arrive before the task takes them are one.
final class WatchBell<Signal: Hashable & Sendable>: Sendable {
  private let signals = Mutex<Set<Signal>>([])
  private let wake: AsyncStream<Void>.Continuation
  private let stream: AsyncStream<Void>

  init() {
    (stream, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func ring(_ signal: Signal) {
    signals.withLock { _ = $0.insert(signal) }
    wake.yield()
  }

  /// Waits for a signal, for a time, or until the task is cancelled, and takes the signals.
  ///
  /// - Parameters:
  ///   - seconds: The longest time; nil for any time.
  ///   - sleep: Waits for a duration.
  /// - Returns: The signals since the last call; none after the time or a cancellation.
  func wait(
    seconds: Double?, _ sleep: @escaping @Sendable (Duration) async throws -> Void
  ) async -> Set<Signal> {
    let timer = seconds.map { seconds in
      Task { [wake] in
        do {
          try await sleep(.seconds(seconds))
          wake.yield()
        } catch {}
      }
    }
    var iterator = stream.makeAsyncIterator()
    _ = await iterator.next()
    timer?.cancel()
    return signals.withLock { signals in
      defer { signals = [] }
      return signals
    }
  }
}

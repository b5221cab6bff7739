// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import Synchronization

/// A transport that waits and retries if that is safe and may succeed.
///
/// If a server responds with status 429 or 503 (RFC 9110 §10.2.3), all requests to it wait until
/// the given time.
public final class PatientTransport: HTTPTransport {
  /// The clock and the source of randomness, which callers provide.
  public struct Pace: Sendable {
    let now: @Sendable () -> Instant
    let stopwatch: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void
    let random: @Sendable () -> Double

    /// Creates a pace.
    ///
    /// - Parameters:
    ///   - now: The wall clock.
    ///   - stopwatch: A monotonic clock.
    ///   - sleep: Waits for a duration.
    ///   - random: Returns a random number from 0 to 1.
    public init(
      now: @escaping @Sendable () -> Instant, stopwatch: @escaping @Sendable () -> Duration,
      sleep: @escaping @Sendable (Duration) async throws -> Void,
      random: @escaping @Sendable () -> Double
    ) {
      self.now = now
      self.stopwatch = stopwatch
      self.sleep = sleep
      self.random = random
    }
  }

  private struct State {
    /// The earliest time of the next request to each server.
    var notBefore: [RemoteURL.Origin: Duration] = [:]
    /// The total waiting time so far.
    var waited = Duration.zero
  }

  private let base: any HTTPTransport
  private let policy: RetryPolicy
  private let pace: Pace
  private let state = Mutex(State())

  /// Creates a transport that sends through another one.
  public init(_ base: any HTTPTransport, policy: RetryPolicy = RetryPolicy(), pace: Pace) {
    self.base = base
    self.policy = policy
    self.pace = pace
  }

  /// Sends a request, with retries if necessary, and returns the last response.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    for attempt in 1... {
      try await waitForTurn(request)
      do {
        let response = try await base.send(request)
        guard [429, 503].contains(response.status), attempt < policy.attempts,
          defer429(response, request, attempt)
        else { return response }
      } catch let error as HTTPError {
        guard attempt < policy.attempts, policy.allowsRetry(of: request, after: error) else {
          throw error
        }
        guard try await wait(policy.delay(after: attempt, random: pace.random())) else {
          throw error
        }
      }
    }
    preconditionFailure("the policy ends every chain of attempts")
  }

  /// Delays all requests to a server as it demands, and returns false if the delay is too long.
  private func defer429(_ response: HTTPResponse, _ request: HTTPRequest, _ attempt: Int) -> Bool {
    let asked = RetryPolicy.retryAfter(of: response, now: pace.now())
    let spread = policy.delay(after: attempt, random: pace.random())
    guard (asked ?? .zero) <= policy.patience else { return false }
    // The delay is spread, so that not all requests are sent at the same time.
    let until = pace.stopwatch() + max(asked ?? .zero, spread)
    let origin = request.url.origin
    return state.withLock { state in
      guard state.waited < policy.totalDelay else { return false }
      state.notBefore[origin] = max(state.notBefore[origin] ?? .zero, until)
      return true
    }
  }

  private func waitForTurn(_ request: HTTPRequest) async throws {
    let origin = request.url.origin
    guard let until = state.withLock({ $0.notBefore[origin] }) else { return }
    let rest = until - pace.stopwatch()
    guard rest > .zero else { return }
    _ = try await wait(rest)
  }

  /// Waits, or returns false immediately if the total waiting time is exhausted.
  private func wait(_ time: Duration) async throws -> Bool {
    let isAllowed = state.withLock { state in
      guard state.waited + time <= policy.totalDelay + policy.patience else { return false }
      state.waited += time
      return true
    }
    if isAllowed { try await pace.sleep(time) }
    return isAllowed
  }
}

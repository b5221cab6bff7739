// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import Synchronization

/// A transport that waits and retries if that is safe and may succeed.
///
/// If a server responds with status 429 or 503 (RFC 9110 §10.2.3), all requests to it wait until
/// the given time, and fewer of them are in flight at once afterwards.
public final class PatientTransport: HTTPTransport {
  /// The clock and the source of randomness, which callers provide.
  public struct Pace: Sendable {
    let now: @Sendable () -> Instant
    let stopwatch: @Sendable () -> Duration
    package let sleep: @Sendable (Duration) async throws -> Void
    package let random: @Sendable () -> Double

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
    /// The limits of the requests in flight.
    var limiters: [RemoteURL.Origin: RequestLimiter] = [:]
    /// The waiting time so far.
    var waiting = WaitingTime()
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

  /// The number that the transport below allows.
  public var requestsAtOnce: Int { base.requestsAtOnce }

  /// Sends a request, with retries if necessary, and returns the last response.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    for attempt in 1... {
      do {
        let response = try await sendUnlocked(request)
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

  /// Sends a write again while the server rejects it because of another write that is in flight.
  ///
  /// Some servers lock the calendar instead of letting writes wait (status 423, RFC 4918 §11.3). A
  /// rejected write was not carried out.
  private func sendUnlocked(_ request: HTTPRequest) async throws -> HTTPResponse {
    for _ in 1..<policy.lockedAttempts {
      let (response, isShared) = try await sendInTurn(request)
      guard response.status == 423, isShared else { return response }
      guard try await wait(policy.lockedDelay * pace.random()) else { return response }
    }
    return try await sendInTurn(request).response
  }

  /// Sends a request when the server may get another one.
  ///
  /// - Returns: The response, and whether another request was in flight at the same time.
  private func sendInTurn(
    _ request: HTTPRequest
  ) async throws -> (response: HTTPResponse, isShared: Bool) {
    let limiter = limiter(of: request.url.origin)
    let turn = try await limiter.begin(isWrite: !request.method.isSafe)
    var answer = RequestWindow.Answer.none
    var time: Duration?
    defer { limiter.end(turn, answer, after: time) }
    if turn.delay > .zero { try await pace.sleep(turn.delay) }
    try await waitForTurn(request)
    let start = pace.stopwatch()
    do {
      let response = try await base.send(request)
      // A new connection takes no time of the server.
      let duration = max(.zero, pace.stopwatch() - start - response.connectDuration)
      time = duration
      answer =
        switch response.status {
        case 423 where limiter.isShared(turn): .locked
        case 429, 500, 502, 503, 504: .overload
        default: request.method.isSafe ? .read : .write(duration)
        }
      return (response, limiter.isShared(turn))
    } catch let error as HTTPError {
      if [.timeout, .unreachable, .interrupted].contains(error.code) { answer = .overload }
      throw error
    }
  }

  private func limiter(of origin: RemoteURL.Origin) -> RequestLimiter {
    state.withLock { state in
      if let known = state.limiters[origin] { return known }
      let limiter = RequestLimiter(most: base.requestsAtOnce, stopwatch: pace.stopwatch)
      state.limiters[origin] = limiter
      return limiter
    }
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
      guard state.waiting.total < policy.totalDelay else { return false }
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
    let now = pace.stopwatch()
    let isAllowed = state.withLock { state in
      state.waiting.add(time, from: now, upTo: policy.totalDelay + policy.patience)
    }
    if isAllowed { try await pace.sleep(time) }
    return isAllowed
  }
}

/// The time that requests waited; the time of requests that wait together counts once.
struct WaitingTime {
  /// The total time.
  private(set) var total = Duration.zero
  private var end = Duration.zero

  /// Adds a wait that starts now, unless the total would exceed the limit.
  ///
  /// - Returns: Whether it was added.
  mutating func add(_ time: Duration, from now: Duration, upTo limit: Duration) -> Bool {
    let more = max(.zero, now + time - max(now, end))
    guard total + more <= limit else { return false }
    total += more
    end = max(end, now + time)
    return true
  }
}

/// The number of retries and the delays before them.
///
/// The delay doubles with each attempt and is randomized, so that many clients that lost the
/// connection together do not reconnect at the same time.
public struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of attempts.
  public var attempts = 4
  /// The maximum number of attempts to write while the server carries out other writes.
  public var lockedAttempts = 20
  /// The maximum delay before such an attempt.
  public var lockedDelay = Duration.milliseconds(40)
  /// The maximum delay before the second attempt.
  public var firstDelay = Duration.milliseconds(500)
  /// The maximum delay before any attempt, if the server does not specify one.
  public var longestDelay = Duration.seconds(8)
  /// The maximum delay that a server may demand; after a longer one the request is not retried.
  public var patience = Duration.seconds(60)
  /// The maximum total delay.
  public var totalDelay = Duration.seconds(300)

  /// Creates the default policy.
  public init() {}

  /// Returns the delay before a retry if the server does not specify one.
  ///
  /// The number of previous attempts starts at 1, and `random` is from 0 to 1.
  func delay(after attempt: Int, random: Double) -> Duration {
    let doublings = min(max(attempt - 1, 0), 16)
    let longest = min(firstDelay * (1 << doublings), longestDelay)
    // The delay is at least half of the maximum, so that it is effective.
    return longest * (0.5 + min(max(random, 0), 1) / 2)
  }

  /// Whether a request may be retried after an error.
  ///
  /// This is safe if the request was never sent, or if it only reads and no part of the response
  /// has arrived.
  func allowsRetry(of request: HTTPRequest, after error: HTTPError) -> Bool {
    switch error.code {
    case .unreachable: true
    // An interrupted write may have been executed; the next run detects that.
    case .interrupted: error.isBeforeAnswer && request.method.isSafe
    default: false
    }
  }

  /// Returns the delay that a server demands, or nil if it specifies none.
  ///
  /// If Retry-After is a date, it is relative to the server's Date header, or else to `now`.
  static func retryAfter(of response: HTTPResponse, now: Instant) -> Duration? {
    guard let text = response.headers["Retry-After"] else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text) {
      return .seconds(seconds)
    }
    guard let until = HTTPDate.parse(text) else { return nil }
    // Both times are by the server's clock if possible, so that the local clock does not matter.
    let start = response.headers["Date"].flatMap(HTTPDate.parse) ?? now
    return .seconds(max(0, until.secondsSinceEpoch - start.secondsSinceEpoch))
  }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// How often a request is sent again, and how long is waited before.
///
/// Waiting grows twofold with each attempt and is spread at random, so that many programs that were cut
/// off together do not come back together.
public struct RetryPolicy: Hashable, Sendable {
  /// How often a request is sent at most.
  public var attempts = 4
  /// What is waited before the second attempt, at most.
  public var firstDelay = Duration.milliseconds(500)
  /// What is waited before any attempt, at most, where the server does not say how long.
  public var longestDelay = Duration.seconds(8)
  /// The longest wait that a server may ask for; one that asks for more is asked no more.
  public var patience = Duration.seconds(60)
  /// What is waited altogether, at most.
  public var totalDelay = Duration.seconds(300)

  /// Creates the default policy.
  public init() {}

  /// What is waited before an attempt that nobody set a time for; `attempt` counts those before, from
  /// 1, and `random` is a number from 0 to 1.
  func delay(after attempt: Int, random: Double) -> Duration {
    let doublings = min(max(attempt - 1, 0), 16)
    let longest = min(firstDelay * (1 << doublings), longestDelay)
    // At least a half, so that a wait is one.
    return longest * (0.5 + min(max(random, 0), 1) / 2)
  }

  /// Whether a request may be sent again after an error: it reads, and nothing had come of the answer;
  /// or it never left.
  func allowsRetry(of request: HTTPRequest, after error: HTTPError) -> Bool {
    switch error.code {
    case .unreachable: true
    // What wrote may have been done: the next run finds out.
    case .interrupted: error.isBeforeAnswer && request.method.isSafe
    default: false
    }
  }

  /// How long a server asks to wait, or nil if it does not ask, or does not say how long; `now` is the
  /// time by the own clock, for a server that tells a date but not its own.
  static func retryAfter(of response: HTTPResponse, now: Instant) -> Duration? {
    guard let text = response.headers["Retry-After"] else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text) {
      return .seconds(seconds)
    }
    guard let until = HTTPDate.parse(text) else { return nil }
    // Both by the server's clock, if it tells: whether ours is right is of no account then.
    let start = response.headers["Date"].flatMap(HTTPDate.parse) ?? now
    return .seconds(max(0, until.secondsSinceEpoch - start.secondsSinceEpoch))
  }
}

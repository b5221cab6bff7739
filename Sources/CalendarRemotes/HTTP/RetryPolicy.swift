// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The number of retries and the delays before them.
///
/// The delay doubles with each attempt and is randomized, so that many clients that lost the
/// connection together do not reconnect at the same time.
public struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of attempts.
  public var attempts = 4
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

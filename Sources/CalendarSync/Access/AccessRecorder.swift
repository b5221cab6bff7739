// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Logs the requests of an open remote.
///
/// The first request of a class is stored before it is sent, so that an interruption cannot hide a
/// class from the log. The total numbers are stored at the end.
public actor AccessRecorder {
  private let log: any AccessLog
  private let grant: AccessGrant
  private let tier: AccessTier
  private let now: @Sendable () -> Instant
  /// The entries that are not stored yet; a stored class has a count of 0.
  private var waiting: [AccessRequest: AccessLogEntry] = [:]

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - grant: The grant that is used.
  ///   - tier: The tier that is used.
  ///   - now: The clock.
  public init(
    log: any AccessLog, grant: AccessGrant, tier: AccessTier, now: @escaping @Sendable () -> Instant
  ) {
    self.log = log
    self.grant = grant
    self.tier = tier
    self.now = now
  }

  /// Records a request before it is sent.
  ///
  /// - Throws: `AccessError` if the tier does not allow the request, or an error of the log; the
  ///   request must not be sent then.
  public func note(_ request: AccessRequest) async throws {
    guard tier.allows(request.effect) else {
      throw AccessError(
        code: .denied, message: "\(request) is refused: the access is \(tier.rawValue)")
    }
    let now = now()
    if var known = waiting[request] {
      known.count += 1
      known.lastAt = now
      waiting[request] = known
      return
    }
    waiting[request] = entry(request, count: 0, at: now)
    try await log.log([entry(request, count: 1, at: now)])
  }

  /// Stores the numbers of requests.
  public func flush() async throws {
    let entries = waiting.values.filter { $0.count > 0 }
    guard !entries.isEmpty else { return }
    for entry in entries { waiting[entry.request]?.count = 0 }
    try await log.log(entries)
  }

  private func entry(_ request: AccessRequest, count: Int, at time: Instant) -> AccessLogEntry {
    AccessLogEntry(
      remote: grant.remote, tier: tier, grantedAt: grant.grantedAt, request: request, count: count,
      firstAt: time, lastAt: time)
  }
}

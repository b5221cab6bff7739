// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Writes down what is requested while a remote is open.
///
/// The first request of a class is durable before it is sent, so that no class can be missing from the
/// log, wherever a run is cut off. How many more there were is written at the end.
public actor AccessRecorder {
  private let log: any AccessLog
  private let grant: AccessGrant
  private let tier: AccessTier
  private let now: @Sendable () -> Instant
  /// What is not written yet; a class that was seen stays, with none.
  private var waiting: [AccessRequest: AccessLogEntry] = [:]

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - log: Where it is written down.
  ///   - grant: The answer that is made use of.
  ///   - tier: How far it is made use of.
  ///   - now: The clock.
  public init(
    log: any AccessLog, grant: AccessGrant, tier: AccessTier, now: @escaping @Sendable () -> Instant
  ) {
    self.log = log
    self.grant = grant
    self.tier = tier
    self.now = now
  }

  /// Takes note of a request that is about to be sent.
  ///
  /// - Throws: `AccessError` if the tier does not allow it, or what the log cannot do; then it must not
  ///   be sent.
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

  /// Writes down how many requests there were.
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

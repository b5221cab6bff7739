// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The log of decisions, and of request classes under each grant.
public protocol AccessLog: Sendable {
  /// Adds requests to the entries of the same class and grant.
  func log(_ entries: [AccessLogEntry]) async throws

  /// All entries, in order of remote, grant and class.
  func logEntries() async throws -> [AccessLogEntry]

  /// All decisions about remotes and programs, in order.
  func decisions() async throws -> [AccessDecision]
}

/// The requests of one class that were made under one grant.
public struct AccessLogEntry: Hashable, Sendable {
  /// The remote that received the requests.
  public let remote: RemoteIdentity
  /// The tier at the time of the requests.
  public let tier: AccessTier
  /// The time of the grant.
  public let grantedAt: Instant
  /// The class of the requests.
  public let request: AccessRequest
  /// The number of requests.
  public var count: Int
  /// The time of the first request.
  public let firstAt: Instant
  /// The time of the last request.
  public var lastAt: Instant

  /// Creates an entry.
  public init(
    remote: RemoteIdentity, tier: AccessTier, grantedAt: Instant, request: AccessRequest,
    count: Int, firstAt: Instant, lastAt: Instant
  ) {
    self.remote = remote
    self.tier = tier
    self.grantedAt = grantedAt
    self.request = request
    self.count = count
    self.firstAt = firstAt
    self.lastAt = lastAt
  }
}

/// A class of requests to a remote: the action and the kind of its target.
///
/// It contains no item and no address, so that a log of classes reveals no contents of a calendar.
public struct AccessRequest: Hashable, Sendable, CustomStringConvertible {
  /// The possible effect of a request.
  public enum Effect: String, Hashable, Sendable, CaseIterable {
    /// Reads or lists.
    case read
    /// Adds an item at a free place, without other effects.
    case add
    /// Replaces or deletes items, or changes the calendar itself.
    case change
  }

  /// The possible effect of a request.
  public let effect: Effect
  /// The method, such as `PUT If-None-Match: *` or `list`.
  public let action: String
  /// The kind of the target, such as `item` or `collection`.
  public let target: String

  /// Creates a class of requests.
  public init(_ effect: Effect, _ action: String, of target: String) {
    self.effect = effect
    self.action = action
    self.target = target
  }

  /// The action and the target.
  public var description: String { "\(action) \(target)" }
}

/// Records a request before it is sent; an error stops the request.
public typealias AccessNote = @Sendable (AccessRequest) async throws -> Void

extension AccessTier {
  /// Whether the tier allows requests with an effect.
  public func allows(_ effect: AccessRequest.Effect) -> Bool {
    switch self {
    case .none: false
    case .writeOnly: effect == .add
    case .full: true
    }
  }
}

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
      throw AccessError.requestRefused(request, tier)
    }
    let now = now()
    if var known = waiting[request] {
      known.count += 1
      known.lastAt = now
      waiting[request] = known
      return
    }
    try await log.log([entry(request, count: 1, at: now)])
    // Requests of the class that came meanwhile were stored in the same way.
    if waiting[request] == nil { waiting[request] = entry(request, count: 0, at: now) }
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

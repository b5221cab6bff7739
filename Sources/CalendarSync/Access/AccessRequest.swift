// SPDX-License-Identifier: Apache-2.0

/// A class of requests to a remote: what is done, and to what kind of thing.
///
/// It names no item and no address, so that a log of classes tells nothing of what is in a calendar.
public struct AccessRequest: Hashable, Sendable, CustomStringConvertible {
  /// What a request may do.
  public enum Effect: String, Hashable, Sendable, CaseIterable {
    /// Reads or lists.
    case read
    /// Adds an item where there is none, and can do nothing else.
    case add
    /// Replaces, deletes, or changes the calendar itself.
    case change
  }

  /// What a request may do.
  public let effect: Effect
  /// How it is done, as `PUT If-None-Match: *` or `list`.
  public let action: String
  /// What kind of thing it is done to, as `item` or `collection`.
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

/// Takes note of a request that is about to be made; what it throws, stops the request.
public typealias AccessNote = @Sendable (AccessRequest) async throws -> Void

extension AccessTier {
  /// Whether a request may be sent at all.
  public func allows(_ effect: AccessRequest.Effect) -> Bool {
    switch self {
    case .none: false
    case .writeOnly: effect == .add
    case .full: true
    }
  }
}

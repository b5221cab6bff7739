// SPDX-License-Identifier: Apache-2.0

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

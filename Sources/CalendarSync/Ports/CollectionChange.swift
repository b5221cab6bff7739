// SPDX-License-Identifier: Apache-2.0

/// A planned change of one calendar property, with its reason.
public struct CollectionChange: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the change.
  public enum Action: Hashable, Sendable {
    /// Set or remove the local value.
    case setLocal(String?)
    /// Set or remove the remote value.
    case setRemote(String?)
    /// Keep the different values of both sides, because both changed.
    case leave
  }

  /// The outcome of the change.
  public enum Outcome: Hashable, Sendable {
    /// Nothing was written in a dry run.
    case planned
    /// The change succeeded.
    case done
    /// The change failed for this reason.
    case failed(ItemObstacle)
  }

  /// The property.
  public let property: CollectionProperty
  /// The kind of the change.
  public let action: Action
  /// Whether a policy decided between different edits of both sides, so that one of them is lost.
  public private(set) var isDecidedByPolicy = false

  /// Creates a change.
  public init(property: CollectionProperty, action: Action) {
    self.property = property
    self.action = action
  }

  /// The change as one that a policy decided.
  var decidedByPolicy: CollectionChange {
    var change = self
    change.isDecidedByPolicy = true
    return change
  }

  /// The code and the values, for logs: `set-local (color; #3f7fbf)`, `leave (name)`.
  public var description: String {
    guard let (side, value) = write else { return String(code: "leave", [property.rawValue]) }
    guard let value else { return String(code: "remove-\(side.rawValue)", [property.rawValue]) }
    return String(code: "set-\(side.rawValue)", [property.rawValue, value])
  }

  /// The side to write and its new value; nil if both sides keep their values.
  var write: (side: MergeSide, value: String?)? {
    switch action {
    case .setLocal(let value): (.local, value)
    case .setRemote(let value): (.remote, value)
    case .leave: nil
    }
  }
}

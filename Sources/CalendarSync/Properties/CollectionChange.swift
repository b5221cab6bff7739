// SPDX-License-Identifier: Apache-2.0

/// What a sync does with one property of the calendar as a whole, and why.
public struct CollectionChange: Hashable, Sendable {
  /// What is done.
  public enum Action: Hashable, Sendable {
    /// The local side gets a value, or loses it.
    case setLocal(String?)
    /// The remote gets a value, or loses it.
    case setRemote(String?)
    /// Both sides changed it: each keeps its own.
    case leave
  }

  /// What became of it.
  public enum Outcome: Hashable, Sendable {
    /// Nothing was written: a dry run.
    case planned
    /// It is done.
    case done
    /// It could not be done, for this reason.
    case failed(reason: String)
  }

  /// The property.
  public let property: CollectionProperty
  /// What is done.
  public let action: Action

  /// Creates a change.
  public init(property: CollectionProperty, action: Action) {
    self.property = property
    self.action = action
  }

  /// The side that is written, and what it gets; nil if each keeps its own.
  var write: (side: MergeSide, value: String?)? {
    switch action {
    case .setLocal(let value): (.local, value)
    case .setRemote(let value): (.remote, value)
    case .leave: nil
    }
  }
}

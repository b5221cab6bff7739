// SPDX-License-Identifier: Apache-2.0

/// A change of a calendar property that a run made or attempted.
public struct PropertyLine: Hashable, Sendable {
  /// The property.
  public let property: CollectionProperty
  /// The side that was written.
  public let side: MergeSide
  /// The previous value of the side; nil if it was not set.
  public let before: String?
  /// The value that was written; nil if the property was removed.
  public let after: String?
  /// The last agreed value of the other side; nil if it was not set or the sides never agreed.
  public let agreed: String?
  /// The outcome of the change.
  public var state: JournalLine.State

  /// Creates a line.
  public init(
    property: CollectionProperty, side: MergeSide, before: String?, after: String?,
    agreed: String?, state: JournalLine.State = .pending
  ) {
    self.property = property
    self.side = side
    self.before = before
    self.after = after
    self.agreed = agreed
    self.state = state
  }

  /// Whether the change is known to have been made.
  public var isDone: Bool { state == .done }
}

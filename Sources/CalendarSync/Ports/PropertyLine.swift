// SPDX-License-Identifier: Apache-2.0

/// A change of a property of the calendar as a whole that a run made, or was about to make.
public struct PropertyLine: Hashable, Sendable {
  /// The property.
  public let property: CollectionProperty
  /// The side that was written.
  public let side: MergeSide
  /// What the side said before; nil if it was not set.
  public let before: String?
  /// What was written; nil if it was removed.
  public let after: String?
  /// What the other side said when both last agreed; nil if it was not set, or they never did.
  public let agreed: String?
  /// What became of the change.
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

  /// Whether it is known to have been made.
  public var isDone: Bool { state == .done }
}

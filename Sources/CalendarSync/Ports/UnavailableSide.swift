// SPDX-License-Identifier: Apache-2.0

/// An error of a side that accepts no changes at all: its disk is full, or it is gone.
///
/// It ends the run, and no item is quarantined because of it.
public struct UnavailableSide: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and its location, for display.
  public let reason: String

  /// Creates an error.
  public init(reason: String) {
    self.reason = reason
  }

  /// The problem.
  public var description: String { reason }
}

// SPDX-License-Identifier: Apache-2.0

/// A side of a sync takes no changes now, whatever they are: its disk is full, or it is gone.
///
/// It ends the run, and no item is held back for it.
public struct UnavailableSide: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, with the place, for people.
  public let reason: String

  /// Creates an error.
  public init(reason: String) {
    self.reason = reason
  }

  /// What is wrong.
  public var description: String { reason }
}

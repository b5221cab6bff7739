// SPDX-License-Identifier: Apache-2.0

/// The reason why a run cannot be undone.
public struct UndoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, for display.
  public let message: String

  init(_ message: String) {
    self.message = message
  }

  /// The problem.
  public var description: String { message }
}

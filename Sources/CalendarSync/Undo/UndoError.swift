// SPDX-License-Identifier: Apache-2.0

/// Why a run cannot be taken back at all.
public struct UndoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for people.
  public let message: String

  init(_ message: String) {
    self.message = message
  }

  /// What is wrong.
  public var description: String { message }
}

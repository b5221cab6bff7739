// SPDX-License-Identifier: Apache-2.0

/// A change to a file that fixes the cause of a diagnostic.
///
/// A fix is safe if it does not change the meaning of the file for programs that understood it. If
/// the intended meaning is uncertain, the fix is only advice for a person, and is never applied.
public struct Fix: Hashable, Sendable {
  /// A change of one content line; lines are physical lines, from 1.
  public enum Edit: Hashable, Sendable {
    /// Replaces the content line that starts in this line.
    case replace(line: Int, with: Property)
    /// Removes the content line that starts in this line.
    case remove(line: Int)
    /// Inserts a property after the content line that starts in this line.
    case insert(after: Int, Property)
    /// Ends every line in CRLF (RFC 5545 §3.1).
    case endLines
    /// Folds lines of more than 75 octets (RFC 5545 §3.1).
    case foldLines
  }

  /// The description in the imperative, such as `add VALUE=DATE`.
  public let summary: String
  /// The change of the file; nil for advice.
  public let edit: Edit?

  /// Whether the fix preserves the meaning of the file.
  public var isSafe: Bool { edit != nil }

  /// Creates a safe fix.
  package init(_ summary: String, _ edit: Edit) {
    self.summary = summary
    self.edit = edit
  }

  /// Creates advice, which only a person can apply.
  package init(advice summary: String) {
    self.summary = summary
    self.edit = nil
  }
}

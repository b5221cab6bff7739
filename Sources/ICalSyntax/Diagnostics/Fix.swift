// SPDX-License-Identifier: Apache-2.0

/// A change of a file that mends what a diagnostic is about.
///
/// A fix is safe if the file says the same after it, to whoever understood it before. One that would
/// have to guess what was meant is advice for a person, and never applied.
public struct Fix: Hashable, Sendable {
  /// One change of one content line; lines are counted in physical lines, from 1.
  public enum Edit: Hashable, Sendable {
    /// The content line that begins in this line becomes another property.
    case replace(line: Int, with: Property)
    /// The content line that begins in this line goes.
    case remove(line: Int)
    /// A property comes after the content line that begins in this line.
    case insert(after: Int, Property)
    /// Every line ends in CRLF (RFC 5545 §3.1).
    case endLines
    /// Lines of more than 75 octets are folded (RFC 5545 §3.1).
    case foldLines
  }

  /// What it changes, as an order: `add VALUE=DATE`.
  public let summary: String
  /// What it does to the file; nil for advice.
  public let edit: Edit?

  /// Whether it changes nothing of what the file says.
  public var isSafe: Bool { edit != nil }

  /// Creates a safe fix.
  package init(_ summary: String, _ edit: Edit) {
    self.summary = summary
    self.edit = edit
  }

  /// Creates advice, which only a person can follow.
  package init(advice summary: String) {
    self.summary = summary
    self.edit = nil
  }
}

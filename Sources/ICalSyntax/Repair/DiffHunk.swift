// SPDX-License-Identifier: Apache-2.0

/// A hunk of a unified diff: changed lines with context.
public struct DiffHunk: Hashable, Sendable {
  /// A line of a diff.
  public struct Line: Hashable, Sendable {
    /// The kind of a line; the raw value is its prefix in the diff.
    public enum Kind: Character, Hashable, Sendable {
      /// The line is unchanged.
      case same = " "
      /// The line was removed.
      case old = "-"
      /// The line was added.
      case new = "+"
    }

    /// The kind of the line.
    public let kind: Kind
    /// The text without its line break; invalid UTF-8 becomes U+FFFD.
    public let text: String
  }

  /// The first line in the original, from 1.
  public let oldStart: Int
  /// The number of lines in the original.
  public let oldCount: Int
  /// The first line in the new text, from 1.
  public let newStart: Int
  /// The number of lines in the new text.
  public let newCount: Int
  /// The lines, in order.
  public let lines: [Line]

  /// The header line, such as `@@ -1,4 +1,5 @@`.
  public var header: String { "@@ -\(oldStart),\(oldCount) +\(newStart),\(newCount) @@" }
}

// SPDX-License-Identifier: Apache-2.0

/// A part of a unified diff: lines that changed, and some around them.
public struct DiffHunk: Hashable, Sendable {
  /// A line of a diff.
  public struct Line: Hashable, Sendable {
    /// What became of a line; the raw value is the mark before it.
    public enum Kind: Character, Hashable, Sendable {
      /// It is as it was.
      case same = " "
      /// It is gone.
      case old = "-"
      /// It is new.
      case new = "+"
    }

    /// What became of it.
    public let kind: Kind
    /// The line without its end; bytes that are not UTF-8 read as U+FFFD.
    public let text: String
  }

  /// The first line in the original, from 1.
  public let oldStart: Int
  /// How many lines there are of the original.
  public let oldCount: Int
  /// The first line in what it became, from 1.
  public let newStart: Int
  /// How many lines there are of what it became.
  public let newCount: Int
  /// The lines in order.
  public let lines: [Line]

  /// The line above the others: `@@ -1,4 +1,5 @@`.
  public var header: String { "@@ -\(oldStart),\(oldCount) +\(newStart),\(newCount) @@" }
}

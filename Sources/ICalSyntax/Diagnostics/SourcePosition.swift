// SPDX-License-Identifier: Apache-2.0

/// A position in a file before unfolding, with lines and columns counted from 1.
public struct SourcePosition: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The physical line, from 1; CRLF, LF and a lone CR are line breaks.
  public let line: Int
  /// The column in UTF-8 bytes, from 1.
  public let column: Int

  /// Creates a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position as `line:column`.
  public var description: String { "\(line):\(column)" }

  /// Whether the left position is earlier in the file.
  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A physical line of a file, truncated for display, with a marked column.
public struct Excerpt: Hashable, Sendable {
  /// The maximum number of bytes that are shown.
  private static let limit = 100

  /// The line, or the part of it around the column.
  ///
  /// Tabs and control characters are replaced by spaces, and invalid UTF-8 by U+FFFD, so that the
  /// caret is aligned.
  public let text: String
  /// The number of characters in `text` before the column.
  public let caret: Int

  /// Creates the excerpt of a line.
  ///
  /// - Parameters:
  ///   - line: The bytes of the physical line, without its line break.
  ///   - column: The column in bytes, from 1; one past the end is allowed.
  package init(line: Span<UInt8>, column: Int) {
    let target = min(max(column - 1, 0), line.count)
    var start = 0
    if target > Self.limit * 3 / 4 { start = target - Self.limit / 2 }
    while start > 0, start < line.count, line[start] & 0xC0 == 0x80 { start -= 1 }
    var end = min(line.count, start + Self.limit)
    while end < line.count, end > target, line[end] & 0xC0 == 0x80 { end -= 1 }
    let lead = start > 0 ? "…" : ""
    let before = Self.shown(line.extracting(start..<max(start, target)))
    let after = Self.shown(line.extracting(max(start, target)..<max(end, target)))
    self.text = lead + before + after + (end < line.count ? "…" : "")
    self.caret = lead.count + before.count
  }

  /// A line of spaces with a caret under the column.
  public var caretLine: String { String(repeating: " ", count: caret) + "^" }

  private static func shown(_ bytes: Span<UInt8>) -> String {
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    for index in bytes.indices {
      copy.append(bytes[index] < 0x20 || bytes[index] == 0x7F ? 0x20 : bytes[index])
    }
    return String(decoding: copy, as: UTF8.self)
  }
}

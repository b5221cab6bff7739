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

/// Builds the hunks of a diff from consecutive lines.
struct DiffBuilder {
  private let context: Int
  private var hunks: [DiffHunk] = []
  private var oldLine = 1
  private var newLine = 1
  /// The last unchanged lines, as the leading context of the next hunk.
  private var before: [DiffHunk.Line] = []
  /// The lines of the open hunk, and its start.
  private var lines: [DiffHunk.Line] = []
  private var start = (old: 1, new: 1)
  /// The number of unchanged lines at the end of the open hunk.
  private var trailing = 0

  init(context: Int) {
    self.context = context
  }

  /// Adds the old and the new text of a content line.
  mutating func add(old: ArraySlice<UInt8>, new: ArraySlice<UInt8>) {
    let olds = RepairedText.lines(in: old)
    let news = RepairedText.lines(in: new)
    var prefix = 0
    while prefix < min(olds.count, news.count), olds[prefix] == news[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < min(olds.count, news.count) - prefix,
      olds[olds.count - 1 - suffix] == news[news.count - 1 - suffix]
    { suffix += 1 }
    for line in olds[..<prefix] { addSame(line) }
    for line in olds[prefix..<(olds.count - suffix)] { addChange(.old, line) }
    for line in news[prefix..<(news.count - suffix)] { addChange(.new, line) }
    for line in olds[(olds.count - suffix)...] { addSame(line) }
  }

  private mutating func addSame(_ bytes: ArraySlice<UInt8>) {
    let line = DiffHunk.Line(kind: .same, text: String(decoding: bytes, as: UTF8.self))
    oldLine += 1
    newLine += 1
    guard !lines.isEmpty else {
      before.append(line)
      if before.count > context { before.removeFirst() }
      return
    }
    lines.append(line)
    trailing += 1
    if trailing > 2 * context { closeHunk() }
  }

  private mutating func addChange(_ kind: DiffHunk.Line.Kind, _ bytes: ArraySlice<UInt8>) {
    if lines.isEmpty {
      start = (oldLine - before.count, newLine - before.count)
      lines = before
      before = []
    }
    lines.append(DiffHunk.Line(kind: kind, text: String(decoding: bytes, as: UTF8.self)))
    trailing = 0
    if kind == .old { oldLine += 1 } else { newLine += 1 }
  }

  /// Ends the open hunk; unchanged lines at its end may also start the next one.
  private mutating func closeHunk() {
    guard !lines.isEmpty else { return }
    let surplus = max(0, trailing - context)
    before = Array(lines.suffix(min(surplus, context)))
    let shown = Array(lines.dropLast(surplus))
    let oldCount = shown.count { $0.kind != .new }
    let newCount = shown.count { $0.kind != .old }
    hunks.append(
      DiffHunk(
        oldStart: oldCount == 0 ? start.old - 1 : start.old, oldCount: oldCount,
        newStart: newCount == 0 ? start.new - 1 : start.new, newCount: newCount, lines: shown))
    lines = []
    trailing = 0
  }

  /// Ends the diff.
  mutating func finish() -> [DiffHunk] {
    closeHunk()
    return hunks
  }
}

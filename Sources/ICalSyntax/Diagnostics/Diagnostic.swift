// SPDX-License-Identifier: Apache-2.0

/// An error, warning or note about a position in a file.
///
/// Reading a file with errors does not throw; it returns components together with diagnostics.
public struct Diagnostic: Hashable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The file violates a rule, and a part of it cannot be used as intended.
    case error
    /// The file violates a rule, but its meaning is clear.
    case warning
    /// The file is valid, but the information may be useful.
    case note
  }

  /// The severity.
  public let severity: Severity
  /// The code for programs; codes are stable.
  public let code: DiagnosticCode
  /// The position in the file.
  public let position: SourcePosition
  /// The message for people, such as `expected X, found Y`: lower case, without a full stop.
  public let message: String
  /// The section that states the rule, such as `RFC 5545 §3.1`, or nil if no RFC does.
  public let reference: String?
  /// The physical line at `position`, truncated for display.
  public let excerpt: Excerpt?
  /// A fix, or nil if none is known.
  public package(set) var fix: Fix?

  /// Creates a diagnostic.
  public init(
    _ severity: Severity, _ code: DiagnosticCode, at position: SourcePosition, _ message: String,
    reference: String? = nil, excerpt: Excerpt? = nil, fix: Fix? = nil
  ) {
    self.severity = severity
    self.code = code
    self.position = position
    self.message = message
    self.reference = reference
    self.excerpt = excerpt
    self.fix = fix
  }

  /// Returns the same diagnostic with a fix.
  package func with(_ fix: Fix?) -> Diagnostic {
    var diagnostic = self
    diagnostic.fix = fix
    return diagnostic
  }

  /// Whether the structure is broken, so that properties may belong to the wrong component.
  package var isStructural: Bool {
    let codes: [DiagnosticCode] = [
      .missingEnd, .unexpectedEnd, .misplacedComponent, .strayProperty,
    ]
    return severity == .error && codes.contains(code)
  }

  /// Formats the diagnostic like a compiler.
  ///
  /// The first line is `path:line:column: error: message (RFC 5545 §3.1)`. The excerpt, a line with
  /// a caret under the column, and the fix follow.
  public func formatted(path: String) -> String {
    let place = "\(path):\(position): \(severity.rawValue): \(message)"
    let head = reference.map { "\(place) (\($0))" } ?? place
    var lines = [head]
    if let excerpt { lines += [excerpt.text, excerpt.caretLine] }
    if let fix { lines.append("\(fix.isSafe ? "fix" : "advice"): \(fix.summary)") }
    return lines.joined(separator: "\n")
  }
}

/// A position in a file before unfolding, with lines and columns counted from 1.
public struct SourcePosition: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
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

/// A physical line of a file, truncated for display, with a marked column.
public struct Excerpt: Hashable, Sendable, Codable {
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
    /// Inserts a line that ends a component before the content line that starts in this line.
    case end(before: Int, Property)
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

  /// The fix of a file in which a number of lines precede.
  func shifted(byLines count: Int) -> Fix {
    switch edit {
    case .replace(let line, let property)?:
      Fix(summary, .replace(line: line + count, with: property))
    case .remove(let line)?: Fix(summary, .remove(line: line + count))
    case .insert(let line, let property)?: Fix(summary, .insert(after: line + count, property))
    case .end(let line, let property)?: Fix(summary, .end(before: line + count, property))
    case .endLines?, .foldLines?, nil: self
    }
  }

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

/// An error that stops the parser, because a limit was reached.
///
/// All other problems of a file are diagnostics, which do not stop the parser.
public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exceeded limit and its position.
  public let diagnostic: Diagnostic

  /// Creates an error from its diagnostic.
  package init(_ diagnostic: Diagnostic) {
    self.diagnostic = diagnostic
  }

  /// The position and the message.
  public var description: String { "\(diagnostic.position): \(diagnostic.message)" }
}

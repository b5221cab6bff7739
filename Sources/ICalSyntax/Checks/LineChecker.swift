// SPDX-License-Identifier: Apache-2.0

/// Checks whether lines exceed the recommended length (RFC 5545 §3.1).
///
/// A file usually has the same line length throughout, so there is one diagnostic, at the first
/// long line.
public struct LineChecker: Sendable {
  /// The maximum number of octets in a line, without its line break.
  private static let lengthLimit = 75

  private var line = 1
  /// The number of octets in the current line so far.
  private var length = 0
  private var endsInCR = false
  private var first: SourcePosition?
  private var total = 0

  /// Creates a checker at the start of a file.
  public init() {}

  /// Reads the next bytes of the file.
  public mutating func consume(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      // The preceding CR already ended the line.
      case ASCII.lineFeed where endsInCR: break
      case ASCII.lineFeed, ASCII.carriageReturn: endLine()
      default: length += 1
      }
      endsInCR = byte == ASCII.carriageReturn
    }
  }

  /// Returns the diagnostics at the end of the file.
  public mutating func finish() -> [Diagnostic] {
    endLine()
    guard let first else { return [] }
    let lines = total == 1 ? "a longer one" : "\(total) longer ones"
    return [
      Diagnostic(
        .note, .longLine, at: first,
        "expected lines of at most \(Self.lengthLimit) octets, found \(lines)",
        reference: "RFC 5545 §3.1", fix: Fix("fold long lines", .foldLines))
    ]
  }

  private mutating func endLine() {
    if length > Self.lengthLimit {
      total += 1
      if first == nil { first = SourcePosition(line: line, column: Self.lengthLimit + 1) }
    }
    line += 1
    length = 0
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Says whether lines of a file are longer than they should be (RFC 5545 §3.1).
///
/// Files have one habit in all their lines, and so it is told of once, at the first place.
public struct LineChecker: Sendable {
  /// The most octets of a line without its end.
  private static let lengthLimit = 75

  private var line = 1
  /// The octets of the line that is being read.
  private var length = 0
  private var endsInCR = false
  private var first: SourcePosition?
  private var total = 0

  /// Creates a checker at the start of a file.
  public init() {}

  /// Takes the next bytes of the file.
  public mutating func consume(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      // The CR before it ended the line.
      case ASCII.lineFeed where endsInCR: break
      case ASCII.lineFeed, ASCII.carriageReturn: endLine()
      default: length += 1
      }
      endsInCR = byte == ASCII.carriageReturn
    }
  }

  /// What there is to say at the end of the file.
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

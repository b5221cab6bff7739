// SPDX-License-Identifier: Apache-2.0

/// Where the parts of one content line are (RFC 5545 §3.1), for a `ContentLineHandler`.
///
/// The ranges are those of the unfolded line, without its end, that is handed over beside it.
public struct ContentLine: Sendable {
  /// What a line does.
  public enum Role: Hashable, Sendable {
    /// It begins a component, whose name is its value (RFC 5545 §3.6).
    case begin
    /// It ends a component, whose name is its value.
    case end
    /// It is a property.
    case property
    /// It is no content line, since it has no name or no colon.
    case malformed
  }

  /// What the line does.
  public let role: Role
  /// The number of its first physical line, from 1.
  public let lineNumber: Int
  private let nameLength: UInt16
  private let valueStart: UInt32
  private let count: UInt32

  @inline(__always)
  init(_ line: LineRecord, role: Role) {
    self.role = role
    lineNumber = Int(line.lineNumber)
    nameLength = line.nameLength
    valueStart = min(line.valueStart, line.textCount)
    count = line.textCount
  }

  /// The name; empty in a malformed line.
  public var name: Range<Int> { 0..<Int(nameLength) }

  /// The parameters, from the first semicolon up to the colon; empty if there are none.
  public var parameters: Range<Int> {
    let start = Int(nameLength)
    return start..<max(start, Int(valueStart) &- 1)
  }

  /// The value, with all escapes; the whole line if it is malformed.
  public var value: Range<Int> { Int(valueStart)..<Int(count) }

  /// The name, case-insensitive.
  public func propertyName(in text: Span<UInt8>) -> PropertyName {
    PropertyName(spelling: text.extracting(name))
  }
}

/// What becomes of the lines that a `ContentLineReader` finds.
public protocol ContentLineHandler {
  /// Takes a content line.
  ///
  /// - Parameters:
  ///   - line: Where its parts are.
  ///   - text: The unfolded line without its end, which is gone when the function returns.
  mutating func take(_ line: ContentLine, _ text: Span<UInt8>)

  /// Takes what is worth saying about the line that comes next, or about one that is left out.
  mutating func take(_ diagnostic: Diagnostic)
}

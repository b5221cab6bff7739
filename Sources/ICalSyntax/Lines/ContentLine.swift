// SPDX-License-Identifier: Apache-2.0

/// The parts of a content line (RFC 5545 §3.1), for a `ContentLineHandler`.
///
/// The ranges refer to the unfolded line without its line break, which is passed with it.
public struct ContentLine: Sendable {
  /// The role of a line.
  public enum Role: Hashable, Sendable {
    /// The line begins a component, whose name is its value (RFC 5545 §3.6).
    case begin
    /// The line ends a component, whose name is its value.
    case end
    /// The line is a property.
    case property
    /// The line has no name or no colon, so it is not a content line.
    case malformed
  }

  /// The role of the line.
  public let role: Role
  /// The number of the first physical line, from 1.
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

  /// The parameters, from the first semicolon to the colon; empty if there are none.
  public var parameters: Range<Int> {
    let start = Int(nameLength)
    return start..<max(start, Int(valueStart) &- 1)
  }

  /// The value with escapes; the whole line if it is malformed.
  public var value: Range<Int> { Int(valueStart)..<Int(count) }

  /// Returns the name, case-insensitive.
  public func propertyName(in text: Span<UInt8>) -> PropertyName {
    PropertyName(spelling: text.extracting(name))
  }
}

/// A handler of the lines that a `ContentLineReader` finds.
public protocol ContentLineHandler {
  /// Handles a content line.
  ///
  /// - Parameters:
  ///   - line: The ranges of its parts.
  ///   - text: The unfolded line without its line break, valid only during the call.
  mutating func take(_ line: ContentLine, _ text: Span<UInt8>)

  /// Handles a diagnostic about the next line, or about a skipped one.
  mutating func take(_ diagnostic: Diagnostic)
}

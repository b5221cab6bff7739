// SPDX-License-Identifier: Apache-2.0

/// Writes JSON (RFC 8259) piece by piece, without spaces and line ends; the commas come by themselves.
///
/// What is begun has to be ended by whoever begins it.
package struct JSONBuilder: Sendable {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []
  /// Whether a comma has to precede the next value or name.
  private var needsComma = false

  /// Creates an empty text.
  package init() {}

  /// Begins an array.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Ends an array.
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Begins an object.
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends an object.
  package mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Writes the name of a member, whose value comes next.
  package mutating func name(_ name: String) {
    string(name)
    bytes.append(ASCII.colon)
    needsComma = false
  }

  /// Writes a string; what JSON cannot hold as it is becomes `\uXXXX`.
  package mutating func string(_ text: String) {
    separate()
    bytes.append(ASCII.quote)
    for byte in text.utf8 {
      switch byte {
      case ASCII.quote, ASCII.backslash: bytes += [ASCII.backslash, byte]
      case ASCII.lineFeed: bytes += [ASCII.backslash, UInt8(ascii: "n")]
      case ASCII.carriageReturn: bytes += [ASCII.backslash, UInt8(ascii: "r")]
      case ASCII.tab: bytes += [ASCII.backslash, UInt8(ascii: "t")]
      case 0..<ASCII.space, ASCII.delete:
        bytes += [ASCII.backslash, UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")]
        bytes += [Self.digit(byte >> 4), Self.digit(byte & 0x0F)]
      default: bytes.append(byte)
      }
    }
    bytes.append(ASCII.quote)
    needsComma = true
  }

  /// Writes a string, or null where there is none.
  package mutating func string(_ text: String?) {
    if let text { string(text) } else { literal("null") }
  }

  /// Writes a number, given as it is spelled in JSON, or `true`, `false` or `null`.
  package mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  /// Writes a truth value.
  package mutating func boolean(_ value: Bool) { literal(value ? "true" : "false") }

  private mutating func separate() {
    if needsComma { bytes.append(ASCII.comma) }
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

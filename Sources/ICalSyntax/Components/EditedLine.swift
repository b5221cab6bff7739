// SPDX-License-Identifier: Apache-2.0

/// The parts of a property that is not, or no longer, a line of a file.
struct EditedLine: Sendable {
  let name: PropertyName
  /// The bytes between the name and the colon, the first semicolon included.
  var parameters: [UInt8]
  private(set) var value: [UInt8]
  /// Where the property was before it was changed.
  let position: SourcePosition?

  init(name: PropertyName, parameters: [UInt8], value: [UInt8], position: SourcePosition?) {
    self.name = name
    self.parameters = parameters
    self.value = Self.escapingBreaks(value)
    self.position = position
  }

  /// Gives the line another value.
  mutating func setValue(_ bytes: [UInt8]) {
    value = Self.escapingBreaks(bytes)
  }

  /// Writes line breaks as `\n`: as themselves they would end the line, and what follows would be
  /// another one.
  private static func escapingBreaks(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }) else {
      return bytes
    }
    var result: [UInt8] = []
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == ASCII.carriageReturn || byte == ASCII.lineFeed && previous != ASCII.carriageReturn
      {
        result += [ASCII.backslash, UInt8(ascii: "n")]
      } else if byte != ASCII.lineFeed {
        result.append(byte)
      }
      previous = byte
    }
    return result
  }

  static func encode(_ parameters: [Parameter]) -> [UInt8] {
    var bytes: [UInt8] = []
    for parameter in parameters {
      bytes.append(ASCII.semicolon)
      parameter.write(to: &bytes)
    }
    return bytes
  }
}

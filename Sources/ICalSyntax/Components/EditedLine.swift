// SPDX-License-Identifier: Apache-2.0

/// The parts of a property that no line of a file describes.
struct EditedLine: Sendable {
  let name: PropertyName
  /// The bytes between the name and the colon, including the first semicolon.
  var parameters: [UInt8]
  private(set) var value: [UInt8]
  /// The position of the original property.
  let position: SourcePosition?

  init(name: PropertyName, parameters: [UInt8], value: [UInt8], position: SourcePosition?) {
    self.name = name
    self.parameters = parameters
    self.value = Self.escapingBreaks(value)
    self.position = position
  }

  /// Sets the value.
  mutating func setValue(_ bytes: [UInt8]) {
    value = Self.escapingBreaks(bytes)
  }

  /// Escapes line breaks as `\n`, because a raw line break would start another content line.
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

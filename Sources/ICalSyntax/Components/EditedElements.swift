// SPDX-License-Identifier: Apache-2.0

/// The parts of a component that the records of a file do not describe.
struct ComponentNode: Sendable {
  let name: ComponentName
  var properties: PropertyList = []
  var components: ComponentList = []
  var isComplete = true
  /// The position in the source file.
  var position: SourcePosition?
  /// The BEGIN and END lines, if they contain more than the name.
  var spelling: ComponentSpelling?
  /// The bytes that the component was read from, until it is changed.
  var source: ArraySlice<UInt8>?
}

/// The BEGIN and END lines of a component, if they contain more than its name.
///
/// Parameters, and bytes that are not UTF-8, thus survive changes of the component.
struct ComponentSpelling: Sendable {
  /// The unfolded line that begins the component.
  let begin: [UInt8]
  /// The unfolded line that ends it.
  let end: [UInt8]

  /// Reads the BEGIN line of a component, or returns nil if it contains only the name.
  init?(_ line: LineRecord, in block: RecordBlock) {
    let text = block.withText(of: line) { Array(copying: $0) }
    let rest = Array(text[min(Int(line.valueStart), text.count)...])
    let spelling = Array(rest[rest.span.trimmedRange])
    let name = block.withText(of: line) { line.componentName(in: $0) }
    let hasParameters = Int(line.valueStart) > Int(line.nameLength) + 1
    guard hasParameters || !spelling.elementsEqual(name.rawName.utf8) else { return nil }
    begin = text
    end = Array("END:".utf8) + spelling
  }
}

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

// SPDX-License-Identifier: Apache-2.0

/// Splits the parameters of a content line (RFC 5545 §3.1, `*(";" param)`).
///
/// What is wrong with them was said when the line was read, by `ContentLineParser`; here they are
/// taken as well as they can be.
enum ParameterParser {
  /// The parameters in the bytes between the name and the colon, the first semicolon included.
  static func parameters(in bytes: Span<UInt8>) -> [Parameter] {
    var parameters: [Parameter] = []
    var index = 0
    while index < bytes.count, bytes[index] == ASCII.semicolon {
      let nameStart = index + 1
      index = nameStart
      while index < bytes.count, bytes[index] != ASCII.equals, bytes[index] != ASCII.semicolon {
        index += 1
      }
      let name = ParameterName(spelling: bytes.extracting(nameStart..<index))
      var values: [String] = []
      if index < bytes.count, bytes[index] == ASCII.equals {
        repeat {
          let start = index + 1
          index = endOfValue(bytes, from: start)
          values.append(decode(bytes.extracting(start..<index)))
        } while index < bytes.count && bytes[index] == ASCII.comma
      }
      parameters.append(Parameter(name, values))
    }
    return parameters
  }

  /// The first value of the first parameter of a name; nothing else is decoded.
  static func firstValue(of wanted: ParameterName, in bytes: Span<UInt8>) -> String? {
    let table = ParameterVocabulary.table
    var index = 0
    while index < bytes.count, bytes[index] == ASCII.semicolon {
      let nameStart = index + 1
      index = nameStart
      while index < bytes.count, bytes[index] != ASCII.equals, bytes[index] != ASCII.semicolon {
        index += 1
      }
      let spelling = bytes.extracting(nameStart..<index)
      let found = table.index(of: spelling)
      let isWanted =
        found == nil && wanted.index == nil
        ? ParameterName(spelling: spelling) == wanted : found == wanted.index
      let valueStart = index + 1
      while index < bytes.count, bytes[index] != ASCII.semicolon {
        index = endOfValue(bytes, from: index + 1)
        if isWanted { return decode(bytes.extracting(valueStart..<index)) }
      }
      if isWanted { return "" }
    }
    return nil
  }

  /// The index of the comma or semicolon that ends a value; those between quotes do not count.
  private static func endOfValue(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var isQuoted = false
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == ASCII.quote {
        isQuoted.toggle()
      } else if !isQuoted, byte == ASCII.comma || byte == ASCII.semicolon {
        return index
      }
      index += 1
    }
    return index
  }

  private static func decode(_ bytes: Span<UInt8>) -> String {
    guard bytes.count >= 2, bytes[0] == ASCII.quote, bytes[bytes.count - 1] == ASCII.quote else {
      return CaretEncoding.decode(bytes)
    }
    return CaretEncoding.decode(bytes.extracting(1..<(bytes.count - 1)))
  }
}

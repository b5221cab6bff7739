// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The canonical form of single lines, for `CanonicalOracle`.
enum CanonicalLine {
  /// A parameter: its name, and the values as they are spelled; nil for one without an equals sign.
  private struct Part {
    let name: [UInt8]
    let values: [[UInt8]]?

    var hasName: Bool {
      !name.isEmpty
        && name.allSatisfy {
          0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D
        }
    }
    var canonicalName: [UInt8] { CanonicalOracle.uppercased(name) }
    var isValue: Bool { canonicalName == Array("VALUE".utf8) }
  }

  /// The name of a property and its line.
  static func line(_ property: Property) -> (name: [UInt8], bytes: [UInt8]) {
    let spelled = unfolded(property)
    let value = property.valueBytes
    let nameCount = property.name.rawName.utf8.count
    let name = CanonicalOracle.uppercased(Array(spelled[..<nameCount]))
    let head = Array(spelled[nameCount..<(spelled.count - value.count - 1)])
    let row = PropertyTable.row(for: property.name)
    let (parameters, type) = parameters(head, row)
    let isText = type == .text
    let written = isText ? text(value, separator: row?.separator) : value
    return (name, folded(name + parameters + [0x3A] + written))
  }

  /// The line as it is spelled, without folds and line end.
  private static func unfolded(_ property: Property) -> [UInt8] {
    var bytes: [UInt8] = []
    Serializer(lineEnds: .refolded).write(property, to: &bytes)
    var line: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x0D {
        index += index + 2 < bytes.count ? 3 : 2
      } else {
        line.append(bytes[index])
        index += 1
      }
    }
    return line
  }

  /// The parameters in their canonical form, and the type of the value.
  private static func parameters(
    _ head: [UInt8], _ row: PropertyTable.Row?
  ) -> ([UInt8], ValueType) {
    let parts = parts(head)
    var type = row?.valueType ?? .unknown
    var goesWithoutSaying = false
    if let value = parts.first(where: \.isValue) {
      let names = (value.values ?? []).map { CanonicalOracle.uppercased(unquoted($0)) }
      if let row, row.hasDefaultType, names == [Array(row.valueType.rawValue.utf8)] {
        goesWithoutSaying = true
      } else if let row, let name = names.first,
        let declared = ValueType(rawValue: String(decoding: name, as: UTF8.self)),
        row.alternatives.contains(declared)
      {
        type = declared
      }
    }
    guard parts.allSatisfy(\.hasName) else { return (head, type) }
    var bytes: [UInt8] = []
    let sorted = parts.enumerated().sorted {
      let (left, right) = ($0.element.canonicalName, $1.element.canonicalName)
      return left == right ? $0.offset < $1.offset : left.lexicographicallyPrecedes(right)
    }
    for (_, part) in sorted where !(goesWithoutSaying && part.isValue) {
      let spellings = part.values ?? [[]]
      var values = spellings.enumerated().map { index, value in
        parameterValue(value, isFollowed: index + 1 < spellings.count)
      }
      if part.isValue { values = values.map(uppercasedType) }
      bytes += [0x3B] + part.canonicalName + [0x3D] + values.joined(separator: [0x2C])
    }
    return (bytes, type)
  }

  private static func parts(_ head: [UInt8]) -> [Part] {
    var parts: [Part] = []
    var index = 0
    while index < head.count {
      index += 1
      let start = index
      while index < head.count, head[index] != 0x3D, head[index] != 0x3B { index += 1 }
      let name = Array(head[start..<index])
      guard index < head.count, head[index] == 0x3D else {
        parts.append(Part(name: name, values: nil))
        continue
      }
      var values: [[UInt8]] = [[]]
      var isQuoted = false
      index += 1
      while index < head.count, isQuoted || head[index] != 0x3B {
        if head[index] == 0x22 { isQuoted.toggle() }
        if head[index] == 0x2C, !isQuoted, head[index - 1] != 0x5C {
          values.append([])
        } else {
          values[values.count - 1].append(head[index])
        }
        index += 1
      }
      parts.append(Part(name: name, values: values))
    }
    return parts
  }

  /// The name of a type in upper case, but for what carets encode.
  private static func uppercasedType(_ value: [UInt8]) -> [UInt8] {
    var isEncoded = false
    return value.map { byte in
      let isKept = isEncoded
      isEncoded = byte == 0x5E && !isEncoded
      return isKept ? byte : CanonicalOracle.uppercased([byte])[0]
    }
  }

  private static func unquoted(_ value: [UInt8]) -> [UInt8] {
    value.count >= 2 && value.first == 0x22 && value.last == 0x22
      ? Array(value.dropFirst().dropLast()) : value
  }

  /// A parameter value with the quotes and carets that it needs (RFC 5545 §3.2, RFC 6868 §3).
  private static func parameterValue(_ spelled: [UInt8], isFollowed: Bool) -> [UInt8] {
    var value = unquoted(spelled)
    if value.count == spelled.count {
      // A backslash keeps a comma from ending a value that stands without quotes.
      value = zip(value, value.dropFirst() + [0]).filter { $0 != 0x5C || $1 != 0x2C }.map(\.0)
    }
    var result: [UInt8] = []
    var index = 0
    while index < value.count {
      let byte = value[index]
      index += 1
      guard byte == 0x5E else {
        result += byte == 0x22 ? Array("^'".utf8) : [byte]
        continue
      }
      switch index < value.count ? value[index] : 0 {
      case 0x6E: result += Array("^n".utf8)
      case 0x27: result += Array("^'".utf8)
      case 0x5E: result += Array("^^".utf8)
      default:
        result += Array("^^".utf8)
        continue
      }
      index += 1
    }
    let needsQuotes =
      value.contains { $0 == 0x3A || $0 == 0x3B || $0 == 0x2C } || isFollowed && value.last == 0x5C
    return needsQuotes ? [0x22] + result + [0x22] : result
  }

  /// A text with the escapes of RFC 5545 §3.3.11 and no others.
  private static func text(_ value: [UInt8], separator: PropertyTable.Separator?) -> [UInt8] {
    let plain: UInt8? =
      switch separator {
      case .comma: 0x2C
      case .semicolon: 0x3B
      case nil: nil
      }
    var result: [UInt8] = []
    var index = 0
    while index < value.count {
      let byte = value[index]
      index += 1
      if byte == 0x2C || byte == 0x3B {
        result += byte == plain ? [byte] : [0x5C, byte]
      } else if byte != 0x5C {
        result.append(byte)
      } else if index == value.count {
        result += [0x5C, 0x5C]
      } else {
        let next = value[index]
        index += 1
        switch next {
        case 0x6E, 0x4E: result += [0x5C, 0x6E]
        case 0x5C, 0x2C, 0x3B: result += [0x5C, next]
        default: result.append(next)
        }
      }
    }
    return result
  }

  /// A line with its folds and its end (RFC 5545 §3.1).
  static func folded(_ line: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = line[...]
    var room = 75
    while rest.count > room {
      var count = room
      for _ in 0..<3 where rest[rest.startIndex + count] & 0xC0 == 0x80 { count -= 1 }
      let backslashes = rest.prefix(count).reversed().prefix { $0 == 0x5C }.count
      if !backslashes.isMultiple(of: 2) { count -= 1 }
      result += rest.prefix(count) + [0x0D, 0x0A, 0x20]
      rest = rest.dropFirst(count)
      room = 74
    }
    return result + rest + [0x0D, 0x0A]
  }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// Reads a single value about which there is nothing to say, as nearly every value of a file is one.
///
/// It gives up on lists, and on everything that is not written as it must be; `ValueParser` reads those,
/// and says what is wrong. Both read the same value where both read one.
enum UsualValue {
  /// The number of the VALUE parameter.
  private static let valueParameter = ParameterName.value.index

  /// The value of a line, or nil if there is anything unusual about it.
  @inline(__always)
  static func read(_ line: LineRecord, in block: RecordBlock) -> TypedValues? {
    guard line.valueStart <= line.textCount else { return nil }
    let form = line.nameIndex.map { block.forms[$0] } ?? .unknown
    guard !line.mayDeclareType else { return readDeclared(line, form, in: block) }
    let valueStart = Int(line.valueStart)
    let value = block.withText(of: line) { text in
      read(form.type, text.extracting(valueStart..<text.count), form, of: line, in: block)
    }
    return value.map { TypedValues(type: form.type, values: ValueList($0)) }
  }

  /// The value of a line with a VALUE parameter, if the property may have the type that it names
  /// (RFC 5545 §3.2.20).
  @inline(never)
  private static func readDeclared(
    _ line: LineRecord, _ form: ValueForm, in block: RecordBlock
  ) -> TypedValues? {
    let valueStart = Int(line.valueStart)
    return block.withText(of: line) { text -> TypedValues? in
      let nameEnd = Int(line.nameLength)
      let parameters = text.extracting(nameEnd..<max(nameEnd, valueStart - 1))
      guard let place = declaredType(in: parameters), form.allows(typeAt: place) else { return nil }
      let type = ValueForm.types[place]
      guard
        let value = read(
          type, text.extracting(valueStart..<text.count), form, of: line, in: block)
      else { return nil }
      return TypedValues(type: type, values: ValueList(value))
    }
  }

  /// The place of the type that the first VALUE parameter names, if that is all it says.
  private static func declaredType(in parameters: Span<UInt8>) -> Int? {
    var isFound = false
    var place: Int?
    ParameterParser.forEach(in: parameters) { name, values in
      guard !isFound, name == valueParameter else { return }
      isFound = true
      place = ValueForm.typeNames.index(of: values)
    }
    return place
  }

  @inline(__always)
  private static func read(
    _ type: ValueType, _ bytes: Span<UInt8>, _ form: ValueForm, of line: LineRecord,
    in block: RecordBlock
  ) -> Value? {
    if let separator = form.separator, bytes.firstIndex(of: separator) != nil { return nil }
    switch type {
    case .text: return .text(ValueText(block, valueOf: line, hasEscapes: true))
    case .uri where hasScheme(bytes):
      return .uri(ValueText(block, valueOf: line, hasEscapes: false))
    case .calendarAddress where hasScheme(bytes):
      return .calendarAddress(ValueText(block, valueOf: line, hasEscapes: false))
    case .unknown: return .unknown(ValueText(block, valueOf: line, hasEscapes: false))
    default: return decoded(type, bytes)
    }
  }

  private static func decoded(_ type: ValueType, _ bytes: Span<UInt8>) -> Value? {
    switch type {
    case .date where bytes.count == 8: return (try? BasicFormat.date(bytes)).map { .date($0) }
    case .dateTime where bytes.count == 15 || bytes.count == 16:
      guard let (value, isUTC) = try? BasicFormat.dateTime(bytes) else { return nil }
      return .dateTime(value, isUTC: isUTC)
    case .duration: return (try? BasicFormat.duration(bytes)).map { .duration($0) }
    case .integer: return (try? BasicFormat.integer(bytes)).map { .integer($0) }
    case .recurrence: return RecurrenceRule(usual: bytes).map { .recurrence($0) }
    case .utcOffset: return (try? BasicFormat.utcOffset(bytes)).map { .utcOffset($0) }
    default: return nil
    }
  }

  /// Whether a URI begins with a scheme (RFC 3986 §3.1).
  static func hasScheme(_ bytes: Span<UInt8>) -> Bool {
    // The scheme of most addresses, seen at once.
    if bytes.word(at: 0) & 0xFF_FFFF_FFFF_FFFF == mailto { return true }
    var length = 0
    while length < bytes.count, bytes[length].isSchemeByte { length &+= 1 }
    return length > 0 && length < bytes.count && bytes[length] == ASCII.colon
  }

  /// `mailto:` as a word, the first letter lowest.
  private static let mailto: UInt64 = 0x3A_6F74_6C69_616D
}

extension UInt8 {
  /// Whether the byte may stand in the scheme of a URI (RFC 3986 §3.1).
  fileprivate var isSchemeByte: Bool { isNameByte || self == 0x2B || self == 0x2E }
}

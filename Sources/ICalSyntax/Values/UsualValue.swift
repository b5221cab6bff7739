// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// Reads a single value about which there is nothing to say, as nearly every value of a file is one.
///
/// It gives up on lists, on types that a VALUE parameter names, and on everything that is not written
/// as it must be; `ValueParser` reads those, and says what is wrong. Both read the same value where
/// both read one.
enum UsualValue {
  /// The value of a line, or nil if there is anything unusual about it.
  @inline(__always)
  static func read(_ line: LineRecord, in block: RecordBlock) -> TypedValues? {
    guard !line.mayDeclareType, let index = line.nameIndex, line.valueStart <= line.textCount else {
      return nil
    }
    let form = ValueForm.all[index]
    let valueStart = Int(line.valueStart)
    let value = block.withText(of: line) { text -> Value? in
      let bytes = text.extracting(valueStart..<text.count)
      if let separator = form.separator, bytes.firstIndex(of: separator) != nil { return nil }
      switch form.type {
      case .text: return .text(ValueText(block, valueOf: line, hasEscapes: true))
      case .uri where hasScheme(bytes):
        return .uri(ValueText(block, valueOf: line, hasEscapes: false))
      case .calendarAddress where hasScheme(bytes):
        return .calendarAddress(ValueText(block, valueOf: line, hasEscapes: false))
      default: return decoded(form.type, bytes)
      }
    }
    return value.map { TypedValues(type: form.type, values: ValueList($0)) }
  }

  private static func decoded(_ type: ValueType, _ bytes: Span<UInt8>) -> Value? {
    switch type {
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
    var length = 0
    while length < bytes.count, bytes[length].isSchemeByte { length &+= 1 }
    return length > 0 && length < bytes.count && bytes[length] == ASCII.colon
  }
}

extension UInt8 {
  /// Whether the byte may stand in the scheme of a URI (RFC 3986 §3.1).
  fileprivate var isSchemeByte: Bool { isNameByte || self == 0x2B || self == 0x2E }
}

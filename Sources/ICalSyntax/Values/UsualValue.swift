// SPDX-License-Identifier: Apache-2.0

package import CivilTime
import Recurrence

/// The fast path of values: parses a single valid value, as nearly all values are.
///
/// It returns nil for lists and for values with any deviation, and the grammar reads them:
/// `ValueParser`. For values that both accept, the results are equal (see <doc:FastPath>).
enum UsualValue {
  /// The index of the VALUE parameter.
  private static let valueParameter = ParameterName.value.index

  /// Parses the value of a line, or returns nil if it is unusual in any way.
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

  /// Parses the value of a line with a VALUE parameter that the property allows (RFC 5545 §3.2.20).
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

  /// The index of the type in the first VALUE parameter, if that has no other content.
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

  /// Whether a URI starts with a scheme (RFC 3986 §3.1).
  static func hasScheme(_ bytes: Span<UInt8>) -> Bool {
    // A single comparison detects the most common scheme of addresses.
    if bytes.word(at: 0) & 0xFF_FFFF_FFFF_FFFF == mailto { return true }
    var length = 0
    while length < bytes.count, bytes[length].isSchemeByte { length &+= 1 }
    return length > 0 && length < bytes.count && bytes[length] == ASCII.colon
  }

  /// `mailto:` as a little-endian word.
  private static let mailto: UInt64 = 0x3A_6F74_6C69_616D
}

extension UInt8 {
  /// Whether the byte is valid in the scheme of a URI (RFC 3986 §3.1).
  fileprivate var isSchemeByte: Bool { isNameByte || self == 0x2B || self == 0x2E }
}

// Fast accessors for the common form of a value, for callers that know its type. Each returns nil
// if `typedValues` could return another value or a problem.
extension Property {
  private static let tzIDIndex = ParameterName.tzID.index

  /// The value as a date-time (RFC 5545 §3.3.5).
  package var usualDateTime: (value: CivilDateTime, isUTC: Bool)? {
    guard !mayDeclareType else { return nil }
    return withValue { (bytes) -> (value: CivilDateTime, isUTC: Bool)? in
      guard bytes.count == 15 || bytes.count == 16 else { return nil }
      do throws(BasicFormatError) { return try BasicFormat.dateTime(bytes) } catch { return nil }
    }
  }

  /// The TZID, or nil if there is none (RFC 5545 §3.2.19).
  package var tzID: String? {
    var tzID: String?
    forEachParameter { name, values in
      if tzID == nil, name == Self.tzIDIndex { tzID = ParameterParser.firstValue(in: values) }
    }
    return tzID
  }

  /// The value as a duration (RFC 5545 §3.3.6).
  package var usualDuration: CivilDuration? {
    guard !mayDeclareType else { return nil }
    return withValue { (bytes) -> CivilDuration? in
      do throws(BasicFormatError) { return try BasicFormat.duration(bytes) } catch { return nil }
    }
  }

  /// The value as an integer (RFC 5545 §3.3.8).
  package var usualInteger: Int? {
    guard !mayDeclareType else { return nil }
    return withValue { (bytes) -> Int? in
      do throws(BasicFormatError) { return try BasicFormat.integer(bytes) } catch { return nil }
    }
  }

  /// The value as a URI (RFC 5545 §3.3.13).
  package var usualURI: String? {
    guard !mayDeclareType else { return nil }
    return withValue { UsualValue.hasScheme($0) ? String(copying: $0) : nil }
  }

  /// The index of the value in a table of names, in any case, or nil if the table lacks it.
  package func valueIndex(in names: NameTable) -> Int? {
    withValue { names.index(of: $0) }
  }
}

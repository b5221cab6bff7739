// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The two layouts of a property in JSON.
enum JSONPropertyLayout {
  /// An array, as in jCal (RFC 7265 §3.4).
  case array
  /// An object with a member for each part, as in ndjson.
  case object
}

/// The fast path of properties in JSON: writes a property of a file from its bytes.
///
/// It does not accept lists, repeated parameters, or anything else that is unusual; `JCalValues`
/// writes these. For properties that both accept, the results are equal (see <doc:FastPath>).
enum UsualJSONProperty {
  private static let valueParameter = ParameterName.value.index
  private static let encoding = ParameterName.encoding.index

  /// Writes a property, or returns false and writes nothing if it is unusual in any way.
  static func write(
    _ property: Property, as layout: JSONPropertyLayout, to json: inout JSONBuilder
  ) -> Bool {
    guard let (block, line) = property.record, line.valueStart <= line.textCount else {
      return false
    }
    let mark = json.mark
    let isWritten = block.withText(of: line) { text in
      write(line, text, in: block, as: layout, to: &json)
    }
    if !isWritten { json.reset(to: mark) }
    return isWritten
  }

  private static func write(
    _ line: LineRecord, _ text: Span<UInt8>, in block: RecordBlock, as layout: JSONPropertyLayout,
    to json: inout JSONBuilder
  ) -> Bool {
    var known: TypedValues?
    if let index = line.nameIndex {
      guard block.forms[index].hasDefaultType, let typed = UsualValue.read(line, in: block),
        typed.type != .unknown
      else { return false }
      known = typed
    } else if line.mayDeclareType {
      return false
    }
    let nameEnd = Int(line.nameLength)
    let valueStart = Int(line.valueStart)
    let parameters = text.extracting(nameEnd..<max(nameEnd, valueStart - 1))
    let value = text.extracting(valueStart..<text.count)
    switch layout {
    case .array: json.beginArray()
    case .object:
      json.beginObject()
      json.member("name")
    }
    guard json.lowercasedName(text.extracting(0..<nameEnd)) else { return false }
    if layout == .object { json.member("parameters") }
    json.beginObject()
    guard write(parameters, hasType: known != nil, as: layout, to: &json) else { return false }
    json.endObject()
    if layout == .object { json.member("type") }
    json.word((known?.type ?? .unknown).jCalName)
    if layout == .object {
      json.member("values")
      json.beginArray()
    }
    guard write(known?.values.first, value, to: &json) else { return false }
    if layout == .object {
      json.endArray()
      json.endObject()
    } else {
      json.endArray()
    }
    return true
  }

  /// Writes the parameters as members; the type replaces VALUE (RFC 7265 §3.4).
  private static func write(
    _ parameters: Span<UInt8>, hasType: Bool, as layout: JSONPropertyLayout,
    to json: inout JSONBuilder
  ) -> Bool {
    var seen: UInt64 = 0
    var hasUnknown = false
    var start = 0
    while let place = ParameterParser.place(in: parameters, at: start) {
      start = place.end
      if let index = place.index {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: index)
        guard seen & bit == 0, index != encoding else { return false }
        seen |= bit
        if hasType, index == valueParameter { continue }
      } else {
        // Two of them may have the same name.
        guard !hasUnknown else { return false }
        hasUnknown = true
      }
      guard let value = ParameterParser.plainValue(in: parameters, place.values),
        json.lowercasedName(parameters.extracting(place.name))
      else { return false }
      json.endName()
      if layout == .object { json.beginArray() }
      json.string(utf8: parameters.extracting(value))
      if layout == .object { json.endArray() }
    }
    return true
  }

  /// Writes a value of a known type, or the raw value if there is none.
  private static func write(
    _ typed: Value?, _ raw: Span<UInt8>, to json: inout JSONBuilder
  ) -> Bool {
    switch typed {
    case nil, .uri?, .calendarAddress?: json.string(utf8: raw)
    case .text?: json.text(raw)
    case .date(let date)?: json.date(date)
    case .dateTime(let value, let isUTC)?: json.dateTime(value, isUTC: isUTC)
    case .duration(let duration)?: json.string(duration.description)
    case .integer(let number)?: json.literal(String(number))
    case .recurrence?: JCalRule.write(String(copying: raw), to: &json)
    case .utcOffset(let offset)?: json.string(ExtendedFormat.text(offset))
    default: return false
    }
    return true
  }
}

extension ValueType {
  /// The name in lower case, as in jCal (RFC 7265 §3.4).
  fileprivate var jCalName: StaticString {
    switch self {
    case .binary: "binary"
    case .boolean: "boolean"
    case .calendarAddress: "cal-address"
    case .date: "date"
    case .dateTime: "date-time"
    case .duration: "duration"
    case .float: "float"
    case .integer: "integer"
    case .period: "period"
    case .recurrence: "recur"
    case .text: "text"
    case .time: "time"
    case .uri: "uri"
    case .utcOffset: "utc-offset"
    case .uid: "uid"
    case .xmlReference: "xml-reference"
    case .unknown: "unknown"
    }
  }
}

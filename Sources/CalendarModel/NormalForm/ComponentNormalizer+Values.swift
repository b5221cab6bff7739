// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension ComponentNormalizer {
  /// The canonical parameters and values of a property.
  ///
  /// A list (RFC 5545 §3.1.1) has several values with one part each. A structured value such as GEO
  /// is one value with several parts. All other properties have one value with one part.
  typealias PropertyContent = (parameters: [[UInt8]], values: [[[UInt8]]])

  /// Returns the canonical content of a property by its value type.
  mutating func canonicalValue(
    of property: Property, _ traits: PropertyTraits, _ row: PropertyTable.Row?
  ) -> PropertyContent {
    guard property.hasParameters else {
      return ([], values(of: property, row?.valueType ?? .unknown, traits, row))
    }
    let all = property.parameters
    let declared = all.first { $0.name == .value }?.value.asciiUppercased
    let type = declared == nil ? row?.valueType ?? .unknown : property.typedValues.type
    let values = values(of: property, type, traits, row)
    var omitted: [ParameterName] = []
    if type.isTime {
      // The value includes its type and zone.
      omitted = [.value, .tzID]
    } else if declared == type.rawValue {
      if type == row?.valueType { omitted = [.value] }
      if type == .binary { omitted.append(.encoding) }
    }
    return (CanonicalParameter.forms(of: all, &zones, omitting: omitted), values)
  }

  private mutating func values(
    of property: Property, _ type: ValueType, _ traits: PropertyTraits, _ row: PropertyTable.Row?
  ) -> [[[UInt8]]] {
    switch type {
    case .text: return texts(of: property, row?.separator, isWord: traits.isWord)
    case .binary, .uri, .uid, .xmlReference, .unknown: return [[property.valueBytes]]
    case .calendarAddress: return [[Array(property.rawValue.lowercased().utf8)]]
    case .boolean, .date, .dateTime, .duration, .float, .integer, .period, .recurrence, .time,
      .utcOffset:
      break
    }
    let series = traits.namesOccurrences ? seriesStart : nil
    let tzID = property.tzID
    let parts = property.typedValues.values.map { value in
      Array(text(of: value, tzID: tzID, series: series).utf8)
    }
    return row?.separator == .semicolon ? [parts] : parts.map { [$0] }
  }

  private func texts(
    of property: Property, _ separator: PropertyTable.Separator?, isWord: Bool
  ) -> [[[UInt8]]] {
    let text = { (bytes: Span<UInt8>) -> [UInt8] in
      var hasEscapes = isWord
      for index in bytes.indices where bytes[index] == UInt8(ascii: "\\") { hasEscapes = true }
      guard hasEscapes else { return Array(copying: bytes) }
      let text = TextEscaping.unescape(bytes)
      return Array((isWord ? text.asciiUppercased : text).utf8)
    }
    return property.withValue { bytes -> [[[UInt8]]] in
      switch separator {
      case nil: return [[text(bytes)]]
      case .comma:
        return TextEscaping.split(bytes, separator: UInt8(ascii: ","))
          .map { [text(bytes.extracting($0))] }
      case .semicolon:
        return [
          TextEscaping.split(bytes, separator: UInt8(ascii: ";"))
            .map { text(bytes.extracting($0)) }
        ]
      }
    }
  }

  /// Returns the text of a value in the normal form.
  private mutating func text(
    of value: Value, tzID: String?, series: CanonicalTime?
  ) -> String {
    switch value {
    case .date, .dateTime:
      return CanonicalTime(value, tzID: tzID, &zones)?.onClock(of: series).text ?? ""
    case .period(let period): return text(of: period, tzID: tzID, series: series)
    case .duration(let duration): return duration.canonicalText
    case .recurrence(let rule): return CanonicalRecurrence(rule, start: seriesStart).text
    case .integer(let number): return number.description
    case .float(let number): return number.description
    case .boolean(let isTrue): return isTrue ? "TRUE" : "FALSE"
    case .time(let time, let isUTC): return isUTC ? "\(time)Z" : time.description
    case .utcOffset(let offset): return offset.description
    case .binary, .calendarAddress, .text, .uri: return ""
    case .unknown(let text): return text.string
    }
  }

  /// Returns a period with its start and its end, if the end can be computed (RFC 5545 §3.3.9).
  private mutating func text(of period: Period, tzID: String?, series: CanonicalTime?) -> String {
    let start = CanonicalTime(
      .dateTime(period.start, isUTC: period.isUTC), tzID: tzID, &zones)
    guard let start else { return "" }
    let begin = start.onClock(of: series).text
    switch period.end {
    case .dateTime(let time, let isUTC):
      let end = CanonicalTime(.dateTime(time, isUTC: isUTC), tzID: tzID, &zones)
      return "\(begin)/\(end?.onClock(of: series).text ?? "")"
    case .duration(let duration):
      guard let end = start.adding(duration) else { return "\(begin)/\(duration.canonicalText)" }
      return "\(begin)/\(end.onClock(of: series).text)"
    }
  }
}

extension ValueType {
  /// Whether values of the type are dates or times.
  fileprivate var isTime: Bool {
    switch self {
    case .date, .dateTime, .period: true
    default: false
    }
  }
}

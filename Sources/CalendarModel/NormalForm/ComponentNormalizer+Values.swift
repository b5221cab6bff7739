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

extension ComponentNormalizer {
  /// Appends the end of a component from its DTEND, DUE or DURATION.
  ///
  /// For a component without recurrence, the end is a time. In a series, DURATION has separate days
  /// and exact time, while DTEND fixes an exact duration for all occurrences (RFC 5545 §3.8.5.3).
  /// The two are then equal only if the duration has no days or the series is in UTC.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - places: The indices of its end properties.
  mutating func appendEnd(of component: Component, at places: [Int]) {
    let all = component.properties
    let set = ComponentSet(component.name)
    var isFirst = true
    // A time takes precedence over a duration, which the RFC does not allow together with it.
    let timed = places.first { !all[$0].isNamed(.duration) }
    for place in places {
      let property = all[place]
      if isFirst, place == timed ?? place, let end = end(of: component, property) {
        isFirst = false
        guard !end.isStandard else { continue }
        let name = property.isNamed(.duration) ? endName(of: component) : property.name
        let parameters = CanonicalParameter.forms(
          of: property.parameters, &zones, omitting: [.value, .tzID])
        append(name, parameters: parameters, parts: [Array(end.text.utf8)], at: place)
      } else if let index = property.nameIndex {
        append(property, at: place, PropertyTraits.all[index], PropertyTable.rows[index], in: set)
      }
    }
  }

  private func endName(of component: Component) -> PropertyName {
    component.name == .reminder ? .due : .dtEnd
  }

  /// Returns the end that a property states, or nil if it is invalid with the start.
  private mutating func end(
    of component: Component, _ property: Property
  ) -> (text: String, isStandard: Bool)? {
    let isEvent = component.name == .event
    if property.isNamed(.duration) {
      guard let start, case .duration(let duration)? = property.typedValues.first,
        !duration.isNegative
      else { return nil }
      return self.end(start, after: duration, isEvent: isEvent)
    }
    guard let end = time(of: property) else { return nil }
    guard let start else { return (end.text, false) }
    if case .date(let first) = start, case .date(let last) = end {
      let days = last.dayNumber - first.dayNumber
      return days > 0 ? ("P\(days)D", isEvent && days == 1) : (end.text, false)
    }
    guard isSeries, let seconds = start.exactSeconds(to: end), seconds >= 0 else {
      return (end.text, isEvent && end == start)
    }
    let clock = start.clockName == end.clockName ? "" : " \(end.clockName)"
    return ("PT\(seconds)S\(clock)", isEvent && seconds == 0 && clock.isEmpty)
  }

  private func end(
    _ start: CanonicalTime, after duration: CivilDuration, isEvent: Bool
  ) -> (text: String, isStandard: Bool)? {
    let days = duration.nominalDays
    if case .date = start {
      guard days > 0, duration.exactSeconds == 0 else { return nil }
      return ("P\(days)D", isEvent && days == 1)
    }
    guard isSeries else {
      return start.adding(duration).map { ($0.text, isEvent && $0 == start) }
    }
    if case .utc = start {
      let seconds = Int64(days) * 86_400 + duration.exactSeconds
      return ("PT\(seconds)S", isEvent && seconds == 0)
    }
    guard days == 0 else { return ("P\(days)DT\(duration.exactSeconds)S", false) }
    return ("PT\(duration.exactSeconds)S", isEvent && duration.exactSeconds == 0)
  }
}

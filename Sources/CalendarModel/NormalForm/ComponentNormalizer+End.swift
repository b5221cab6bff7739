// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

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

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// The time-related properties of a component, as in the file.
struct ComponentTimes: Sendable {
  let component: Component
  let kind: ItemKind
  /// The start; for a reminder without a start, its due time.
  let start: EventTime?
  /// The end or the due time.
  let end: EventEnd?
  /// The overridden occurrence, or nil for the main component.
  let recurrenceID: RecurrenceID?
  let isCancelled: Bool

  /// Reads a component, or returns nil for a kind without a time.
  init?(_ component: Component, diagnostics: inout [Diagnostic]) {
    guard let kind = ItemKind(component.name) else { return nil }
    func time(_ name: PropertyName) -> EventTime? {
      component[name].flatMap { PropertyCodec.time.read($0, &diagnostics) }
    }
    let start = time(.dtStart)
    let end: EventEnd?
    switch kind {
    case .event: end = time(.dtEnd).map { .time($0) }
    case .reminder: end = time(.due).map { .time($0) }
    case .journal: end = nil
    case .freeBusy, .availability: return nil
    }
    self.component = component
    self.kind = kind
    self.start = start ?? (kind == .reminder ? end?.time : nil)
    let duration = kind == .journal ? nil : component[.duration]
    self.end =
      end
      ?? duration.flatMap { PropertyCodec.duration.read($0, &diagnostics) }.map { .duration($0) }
    recurrenceID = component[.recurrenceID].flatMap {
      PropertyCodec.recurrenceID.read($0, &diagnostics)
    }
    isCancelled =
      component[.status].map { $0.text.asciiUppercased == EventStatus.cancelled.rawValue } ?? false
  }

  /// Returns the recurrence properties; only those of main components count (RFC 5545 §3.8.4.4).
  func recurrence(_ diagnostics: inout [Diagnostic]) -> RecurrenceProperties {
    var result = RecurrenceProperties()
    component.forEachKnownProperty { _, property in
      if property.isNamed(.rRule) {
        if let rule = PropertyCodec.rule.read(property, &diagnostics) { result.rules.append(rule) }
      } else if property.isNamed(.exRule) {
        if let rule = PropertyCodec.rule.read(property, &diagnostics) {
          result.exclusionRules.append(rule)
        }
      } else if property.isNamed(.rDate) {
        ListCodec.recurrenceDates.read(property, &diagnostics) { date in
          if let date { result.dates.append(date) }
        }
      } else if property.isNamed(.exDate) {
        ListCodec.times.read(property, &diagnostics) { time in
          if let time { result.excludedDates.append(time) }
        }
      }
    }
    return result
  }
}

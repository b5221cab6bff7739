// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

extension EventTime {
  /// Converts a typed value of a property to a time.
  init?(_ value: Value, in property: Property) {
    switch value {
    case .date(let date): self = .date(date)
    case .dateTime(let time, isUTC: true): self = .utc(time)
    case .dateTime(let time, isUTC: false):
      self = property.tzID.map { .zoned(time, tzID: $0) } ?? .floating(time)
    default: return nil
    }
  }

  /// Parses a property in the usual notation, or returns nil if the notation is unusual or invalid.
  init?(usual property: Property) {
    guard let (time, isUTC) = property.usualDateTime else { return nil }
    if isUTC {
      self = .utc(time)
    } else {
      self = property.tzID.map { .zoned(time, tzID: $0) } ?? .floating(time)
    }
  }

  /// The value in the notation of a property (RFC 5545 §3.3.4, §3.3.5).
  var rawValue: String {
    switch self {
    case .date(let date): date.description
    case .utc(let time): "\(time)Z"
    case .floating(let time), .zoned(let time, _): time.description
    }
  }

  /// Writes the time to a property, with the necessary parameters.
  func write(to property: inout Property) {
    if isAllDay {
      property.set(.value, to: ValueType.date.rawValue)
    } else if property[.value]?.asciiUppercased != ValueType.dateTime.rawValue {
      property.set(.value, to: nil)
    }
    property.set(.tzID, to: tzID)
    property.set(rawValue: rawValue)
  }
}

extension PropertyCodec where Value == EventTime {
  /// A date or a time (RFC 5545 §3.8.2.4).
  static let time = PropertyCodec(
    read: { property, diagnostics in
      if let time = EventTime(usual: property) { return time }
      return property.typedValue(&diagnostics).flatMap { EventTime($0, in: property) }
    },
    edit: { $0.write(to: &$1) })
}

extension PropertyCodec where Value == RecurrenceID {
  /// The identifier of an occurrence (RFC 5545 §3.8.4.4).
  static let recurrenceID = PropertyCodec(
    read: { property, diagnostics in
      guard let value = property.typedValue(&diagnostics), let time = EventTime(value, in: property)
      else { return nil }
      return RecurrenceID(time, includesFuture: property.isForFuture)
    },
    edit: { id, property in
      id.time.write(to: &property)
      if property.isForFuture != id.includesFuture {
        property[.range] = id.includesFuture ? "THISANDFUTURE" : nil
      }
    })
}

extension Property {
  fileprivate var isForFuture: Bool { self[.range]?.asciiUppercased == "THISANDFUTURE" }
}

extension PropertyCodec where Value == Instant {
  /// An instant, which must be written in UTC (RFC 5545 §3.8.7.2 and others).
  static let instant = PropertyCodec(
    read: { property, diagnostics in
      if let (time, isUTC) = property.usualDateTime, isUTC { return time.instant(at: .zero) }
      guard let value = property.typedValue(&diagnostics) else { return nil }
      if case .dateTime(let time, isUTC: true) = value { return time.instant(at: .zero) }
      property.reportValue(expected: "a time in UTC", property.reference, to: &diagnostics)
      return nil
    },
    edit: { instant, property in
      guard let time = CivilDateTime(wallSeconds: instant.secondsSinceEpoch) else { return }
      EventTime.utc(time).write(to: &property)
    })
}

extension PropertyCodec where Value == CivilDuration {
  /// A duration (RFC 5545 §3.8.2.5).
  static let duration = PropertyCodec(
    read: { property, diagnostics in
      if let duration = property.usualDuration { return duration }
      guard case .duration(let duration)? = property.typedValue(&diagnostics) else { return nil }
      return duration
    },
    edit: { $1.set(rawValue: $0.description) })
}

extension PropertyCodec where Value == AlarmTrigger {
  /// The trigger of an alarm (RFC 5545 §3.8.6.3).
  static let trigger = PropertyCodec(
    read: { property, diagnostics in
      if !property.hasParameters, let duration = property.usualDuration {
        return .relative(duration, to: .start)
      }
      switch property.typedValue(&diagnostics) {
      case .duration(let duration)?:
        let anchor = property[.related].map { AlarmTrigger.Anchor(rawValue: $0.asciiUppercased) }
        return .relative(duration, to: (anchor ?? .start) ?? .start)
      case .dateTime(let time, isUTC: true)?: return .absolute(time.instant(at: .zero))
      case .dateTime?:
        property.reportValue(expected: "a time in UTC", property.reference, to: &diagnostics)
        return nil
      default: return nil
      }
    },
    edit: { trigger, property in
      switch trigger {
      case .relative(let duration, let anchor):
        property.set(.value, to: nil)
        property.set(.related, to: anchor == .start ? nil : anchor.rawValue)
        property.set(rawValue: duration.description)
      case .absolute(let instant):
        guard let time = CivilDateTime(wallSeconds: instant.secondsSinceEpoch) else { return }
        property.set(.related, to: nil)
        property.set(.value, to: ValueType.dateTime.rawValue)
        property.set(rawValue: "\(time)Z")
      }
    })
}

extension ListCodec where Value == EventTime {
  /// A list of dates or times (RFC 5545 §3.8.5.1).
  static let times = ListCodec(
    read: { property, diagnostics, body in
      if let time = EventTime(usual: property) { return body(time) }
      let typed = property.typedValues
      property.report(typed, to: &diagnostics)
      for value in typed.values { body(EventTime(value, in: property)) }
    },
    properties: { name, times in times.map { PropertyCodec.time.property(name, $0) } })
}

extension ListCodec where Value == RecurrenceDate {
  /// A list of dates, times or periods (RFC 5545 §3.8.5.2).
  static let recurrenceDates = ListCodec(
    read: { property, diagnostics, body in
      let typed = property.typedValues
      property.report(typed, to: &diagnostics)
      for value in typed.values {
        if case .period(let period) = value {
          body(RecurrenceDate(period, in: property))
        } else {
          body(EventTime(value, in: property).map { .time($0) })
        }
      }
    },
    properties: { name, dates in
      dates.map { date in
        var property = PropertyCodec.time.property(name, date.start)
        if case .period(let start, let end) = date {
          property[.value] = ValueType.period.rawValue
          property.rawValue =
            "\(start.rawValue)/\(end.time?.rawValue ?? end.duration?.description ?? "")"
        }
        return property
      }
    })
}

extension RecurrenceDate {
  init?(_ period: Period, in property: Property) {
    guard
      let start = EventTime(.dateTime(period.start, isUTC: period.isUTC), in: property)
    else { return nil }
    switch period.end {
    case .duration(let duration): self = .period(start: start, end: .duration(duration))
    case .dateTime(let time, let isUTC):
      guard let end = EventTime(.dateTime(time, isUTC: isUTC), in: property) else { return nil }
      self = .period(start: start, end: .time(end))
    }
  }
}

extension PropertyCodec where Value == RecurrenceRule {
  /// A recurrence rule (RFC 5545 §3.8.5.3), parsed leniently.
  static let rule = PropertyCodec(
    read: { property, diagnostics in
      if let rule = property.withValue({ RecurrenceRule(usual: $0) }) { return rule }
      let bytes = property.valueBytes
      do throws(RecurrenceRuleIssue) {
        let reading = try RecurrenceRule.parse(leniently: bytes.span)
        for issue in reading.issues where issue.isViolation {
          diagnostics.append(property.diagnostic(.warning, .lenientValue, issue))
        }
        return reading.rule
      } catch {
        diagnostics.append(property.diagnostic(.error, .invalidValue, error))
        return nil
      }
    },
    edit: { $1.set(rawValue: $0.description) })
}

extension Property {
  fileprivate func diagnostic(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ issue: RecurrenceRuleIssue
  ) -> Diagnostic {
    diagnostic(
      severity, code, atValueOffset: issue.offset, issue.message, reference: issue.section)
  }
}

extension ListCodec where Value == BusyPeriod {
  /// A list of periods with the same type (RFC 5545 §3.8.2.6).
  static let busyPeriods = ListCodec(
    read: { property, diagnostics, body in
      let type = property[.freeBusyType].map { BusyType(rawValue: $0) } ?? .busy
      let typed = property.typedValues
      property.report(typed, to: &diagnostics)
      for value in typed.values {
        guard case .period(let period) = value,
          case .period(let start, let end)? = RecurrenceDate(period, in: property)
        else {
          body(nil)
          continue
        }
        body(BusyPeriod(start: start, end: end, type: type))
      }
    },
    properties: { name, periods in
      var types: [BusyType] = []
      for period in periods where !types.contains(period.type) { types.append(period.type) }
      return types.map { type in
        let values = periods.filter { $0.type == type }.map { period in
          let end = period.end.time?.rawValue ?? period.end.duration?.description ?? ""
          return "\(period.start.rawValue)/\(end)"
        }
        let parameters = type == .busy ? [] : [Parameter(.freeBusyType, type.rawValue)]
        return Property(name, rawValue: values.joined(separator: ","), parameters: parameters)
      }
    })
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

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

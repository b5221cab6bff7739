// SPDX-License-Identifier: Apache-2.0

/// The floating times of a calendar that declares a zone for them, in X-WR-TIMEZONE.
///
/// Google and others write the property and mean its zone in floating times. RFC 5545 does not
/// define it, and other programs read such times on the clock of the viewer.
struct FloatingTimes: Sendable {
  private let zone: String
  private var first: Property?
  private var count = 0

  /// Creates the check from a property of the calendar, or returns nil if it declares no zone.
  init?(_ property: Property) {
    guard property.isNamed("X-WR-TIMEZONE"), !property.text.isEmpty else { return nil }
    zone = property.text
  }

  /// Adds the floating times of a component.
  mutating func add(_ times: ExaminedComponent.FloatingTimes?) {
    guard let times else { return }
    count += times.count
    if first == nil { first = times.first }
  }

  /// The diagnostic at the end of the calendar.
  var diagnostic: Diagnostic? {
    let more = count > 1 ? " and \(count - 1) more" : ""
    return first?.diagnostic(
      aboutName: .note, .floatingTime,
      "expected a time zone, found a floating time\(more) in a calendar with X-WR-TIMEZONE:\(zone), "
        + "which programs read in that zone or not", reference: "RFC 5545 §3.3.5")
  }
}

extension Property {
  private static let times: [PropertyName] = [
    .dtStart, .dtEnd, .due, .recurrenceID, .exDate, .rDate,
  ]

  /// Whether the property contains a time without a zone and without `Z`.
  package var isFloatingTime: Bool {
    guard Self.times.contains(where: { isNamed($0) }), self[.tzID] == nil else { return false }
    return typedValues.values.contains { value in
      switch value {
      case .dateTime(_, isUTC: let isUTC): !isUTC
      case .period(let period): !period.isUTC
      default: false
      }
    }
  }
}

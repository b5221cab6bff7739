// SPDX-License-Identifier: Apache-2.0

/// Says what in a stream is not as the RFCs want it, as the stream goes by.
///
/// ```swift
/// var checker = CalendarChecker()
/// while let element = reader.next() { diagnostics += checker.check(element) }
/// ```
public struct CalendarChecker: Sendable {
  /// The calendar that has begun and not ended, with its own properties only.
  private var calendar: Component?
  private var calendarPosition = SourcePosition(line: 1, column: 1)
  private var definedZones: Set<String> = []
  /// The zones that are used, each with a diagnostic for the case that nothing defines it.
  private var usedZones: [(tzID: String, diagnostic: Diagnostic)] = []
  private var seenZones: Set<String> = []
  private let components = ComponentChecker()

  /// The most distinct zones that are looked for in a calendar; more are not reported.
  private static let zoneLimit = 10_000

  /// Creates a checker.
  public init() {}

  /// The diagnostics for an element; those about a calendar as a whole come when it ends.
  public mutating func check(_ element: ReaderElement) -> [Diagnostic] {
    switch element {
    case .diagnostic(let diagnostic): return [diagnostic]
    case .calendarBegan(let position, _):
      calendar = Component(.calendar)
      calendarPosition = position
      definedZones = []
      usedZones = []
      seenZones = []
      return []
    case .property(let property):
      calendar?.properties.append(property)
      return []
    case .component(let component):
      noteZones(of: component)
      var found = components.diagnostics(for: component, in: calendar == nil ? nil : .calendar)
      if component.name == .event, component[.dtStart] == nil, calendar?[.method] == nil {
        found.insert(
          component.diagnostic(
            .error, .missingProperty, "expected DTSTART in VEVENT, found none",
            reference: "RFC 5545 §3.6.1"), at: 0)
      }
      return found
    case .calendarEnded: return endCalendar()
    }
  }

  private mutating func endCalendar() -> [Diagnostic] {
    guard let calendar else { return [] }
    self.calendar = nil
    let whole = Component(
      ComponentNode(
        name: .calendar, properties: calendar.properties, position: calendarPosition))
    var found = components.diagnostics(for: whole)
    for (tzID, diagnostic) in usedZones where !definedZones.contains(tzID) {
      found.append(diagnostic)
    }
    return found.sorted { $0.position < $1.position }
  }

  /// A TZID parameter needs a VTIMEZONE, unless it begins with a slash (RFC 5545 §3.2.19).
  private mutating func noteZones(of component: Component) {
    if component.name == .timeZone {
      if let tzID = component[.tzID]?.text { definedZones.insert(tzID) }
      return
    }
    for property in component.properties {
      guard let tzID = property[.tzID], !tzID.isEmpty, !tzID.hasPrefix("/"),
        seenZones.count < Self.zoneLimit,
        seenZones.insert(tzID).inserted
      else { continue }
      usedZones.append(
        (
          tzID,
          property.diagnostic(
            aboutName: .warning, .missingComponent,
            "expected a VTIMEZONE for the time zone \"\(tzID)\", found none",
            reference: "RFC 5545 §3.2.19")
        ))
    }
    for nested in component.components { noteZones(of: nested) }
  }
}

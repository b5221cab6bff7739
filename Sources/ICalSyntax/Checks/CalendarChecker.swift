// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Checks the elements of a stream against the RFCs while it is read.
///
/// ```swift
/// var checker = CalendarChecker()
/// var diagnostics: [Diagnostic] = []
/// while let element = reader.next() { diagnostics += checker.check(element) }
/// ```
public struct CalendarChecker: Sendable {
  /// The maximum number of distinct zones and of distinct components that are remembered.
  ///
  /// Later ones are not compared.
  private static let memoryLimit = 100_000

  /// Examines each element alone.
  private var examiner: ElementExaminer
  /// Whether a calendar is open.
  private var isOpen = false
  private var position = SourcePosition(line: 1, column: 1)
  /// The properties of the open calendar.
  private var properties: [Property] = []
  private var method: MethodChecker?
  private var definedZones: Set<String> = []
  /// The TZIDs in use, each with the diagnostic to report if no VTIMEZONE defines it.
  private var usedZones: [(tzID: String, diagnostic: Diagnostic)] = []
  private var seenZones: Set<String> = []
  /// The first lines of components, by a hash of their identity.
  ///
  /// Identifiers instead of hashes would take more memory than the rest of the checker.
  private var seenComponents: [Int: Int] = [:]
  /// The hashes of the rules of time zones, by TZID.
  private var zoneRules: [String: Int] = [:]
  private var overrides = OverrideTypes(limit: Self.memoryLimit)
  private var floating: FloatingTimes?

  /// Creates a checker.
  ///
  /// - Parameters:
  ///   - now: The current time in UTC, for fixes that need it.
  ///   - zones: The time zones, for fixes that need them.
  public init(now: CivilDateTime? = nil, zones: ZoneDatabase? = nil) {
    examiner = ElementExaminer(now: now, zones: zones)
  }

  private init(_ examiner: ElementExaminer) {
    self.examiner = examiner
  }

  /// Returns the diagnostics for an element; those for a whole calendar are returned at its end.
  public mutating func check(_ element: ReaderElement) -> [Diagnostic] {
    take(examiner.examine(element))
  }

  /// Returns the diagnostics for an element that an `ElementExaminer` has examined.
  ///
  /// The elements must be in the order of the stream.
  package mutating func take(_ element: ExaminedElement) -> [Diagnostic] {
    switch element {
    case .diagnostic(let diagnostic): return [withFix(diagnostic)]
    case .calendarBegan(let position):
      self = CalendarChecker(examiner)
      self.position = position
      isOpen = true
      return []
    case .property(let property):
      guard isOpen else { return [] }
      properties.append(property)
      if floating == nil { floating = FloatingTimes(property) }
      guard property.isNamed(.method), method == nil else { return [] }
      method = MethodChecker(property)
      return method?.diagnostics(about: property) ?? []
    case .component(let component): return take(component)
    case .calendarEnded: return endCalendar()
    }
  }

  /// Adds a fix to a diagnostic of the reader, which does not create fixes.
  private func withFix(_ diagnostic: Diagnostic) -> Diagnostic {
    switch diagnostic.code {
    case .blankLine:
      diagnostic.with(Fix("remove the empty line", .remove(line: diagnostic.position.line)))
    default: diagnostic
    }
  }

  private mutating func take(_ examined: ExaminedComponent) -> [Diagnostic] {
    noteZones(of: examined)
    var found: [Diagnostic] = []
    let component = examined.component
    // Only an event in a message may lack DTSTART (RFC 5545 §3.6.1).
    if examined.isEventWithoutStart, method == nil {
      found.append(
        component.diagnostic(
          .error, .missingProperty, "expected DTSTART in VEVENT, found none",
          reference: "RFC 5545 §3.6.1"))
    }
    found += examined.diagnostics
    found += method?.diagnostics(about: component) ?? []
    if let repeated = checkIdentity(of: examined) { found.append(repeated) }
    if let item = examined.item {
      found += overrides.diagnostics(about: component, item)
    }
    floating?.add(examined.floatingTimes)
    return found
  }

  private mutating func endCalendar() -> [Diagnostic] {
    guard isOpen else { return [] }
    isOpen = false
    var found: [Diagnostic] = []
    let checker = examiner.components
    let calendar = CheckedComponent(
      .calendar, position: position, properties: properties, checker.plan)
    checker.check(calendar, in: nil, into: &found)
    found += overrides.finish()
    if let note = floating?.diagnostic { found.append(note) }
    for (tzID, diagnostic) in usedZones where !definedZones.contains(tzID) {
      found.append(diagnostic)
    }
    return found.sorted { $0.position < $1.position }
  }

  /// Components with the same UID are instances of one item and must differ in RECURRENCE-ID.
  private mutating func checkIdentity(of examined: ExaminedComponent) -> Diagnostic? {
    guard let identity = examined.identity, seenComponents.count < Self.memoryLimit else {
      return nil
    }
    guard let first = seenComponents[identity.hash] else {
      seenComponents[identity.hash] = identity.line
      return nil
    }
    let component = examined.component
    let idName = ExaminedComponent.idName(of: component)
    if let conflict = zoneConflict(of: examined, since: first) { return conflict }
    let id = component[idName]?.text ?? ""
    let occurrence =
      (idName == .uid ? component[.recurrenceID] : nil)
      .map { " and the RECURRENCE-ID \($0.rawValue)" } ?? ""
    return component.diagnostic(
      .warning, .repeatedComponent,
      "expected one \(component.name.canonicalName) with the \(idName) \"\(id)\"\(occurrence), "
        + "found another one after that in line \(first)",
      reference: idName == .tzID ? "RFC 5545 §3.6.5" : "RFC 5545 §3.8.4.7")
  }

  /// A calendar defines each TZID once; of two definitions only one can be meant.
  private func zoneConflict(of examined: ExaminedComponent, since first: Int) -> Diagnostic? {
    guard let tzID = examined.definedZone, let rules = examined.zoneRules,
      let others = zoneRules[tzID], rules != others
    else { return nil }
    return examined.component.diagnostic(
      .error, .timeZoneConflict,
      "expected one definition of the time zone \"\(tzID)\", found another one, with other rules "
        + "than that in line \(first)", reference: "RFC 5545 §3.6.5")
  }

  /// A TZID parameter requires a VTIMEZONE, unless it starts with a slash (RFC 5545 §3.2.19).
  private mutating func noteZones(of examined: ExaminedComponent) {
    if let tzID = examined.definedZone, definedZones.count < Self.memoryLimit {
      definedZones.insert(tzID)
      if zoneRules[tzID] == nil { zoneRules[tzID] = examined.zoneRules }
    }
    for (tzID, property) in examined.usedZones {
      guard seenZones.count < Self.memoryLimit, seenZones.insert(tzID).inserted else { continue }
      usedZones.append(
        (
          tzID,
          property.diagnostic(
            aboutName: .warning, .missingComponent,
            "expected a VTIMEZONE for the time zone \"\(tzID)\", found none",
            reference: "RFC 5545 §3.2.19")
        ))
    }
  }
}

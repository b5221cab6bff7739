// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Checks the elements of a stream against the RFCs while it is read.
///
/// ```swift
/// var checker = CalendarChecker()
/// while let element = reader.next() { diagnostics += checker.check(element) }
/// ```
public struct CalendarChecker: Sendable {
  /// The maximum number of distinct zones and of distinct components that are remembered.
  ///
  /// Later ones are not compared.
  private static let memoryLimit = 100_000

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
  private var overrides = OverrideTypes(limit: Self.memoryLimit)
  private var floating: FloatingTimes?
  private let components: ComponentChecker

  /// Creates a checker.
  ///
  /// - Parameter now: The current time in UTC, for fixes that need it.
  public init(now: CivilDateTime? = nil) {
    components = ComponentChecker(now: now)
  }

  private init(_ components: ComponentChecker) {
    self.components = components
  }

  /// Returns the diagnostics for an element; those for a whole calendar are returned at its end.
  public mutating func check(_ element: ReaderElement) -> [Diagnostic] {
    switch element {
    case .diagnostic(let diagnostic): return [withFix(diagnostic)]
    case .calendarBegan(let position, _):
      self = CalendarChecker(components)
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
    case .component(let component): return check(component)
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

  private mutating func check(_ component: Component) -> [Diagnostic] {
    noteZones(of: component)
    var found: [Diagnostic] = []
    // Only an event in a message may lack DTSTART (RFC 5545 §3.6.1).
    if component.name == .event, method == nil, component[.dtStart] == nil {
      found.append(
        component.diagnostic(
          .error, .missingProperty, "expected DTSTART in VEVENT, found none",
          reference: "RFC 5545 §3.6.1"))
    }
    found += components.diagnostics(for: component, in: isOpen ? .calendar : nil)
    found += method?.diagnostics(about: component) ?? []
    if let repeated = checkIdentity(of: component) { found.append(repeated) }
    found += overrides.diagnostics(about: component)
    floating?.look(at: component)
    return found
  }

  private mutating func endCalendar() -> [Diagnostic] {
    guard isOpen else { return [] }
    isOpen = false
    var found: [Diagnostic] = []
    let calendar = CheckedComponent(
      .calendar, position: position, properties: properties, components.plan)
    components.check(calendar, in: nil, into: &found)
    found += overrides.finish()
    if let note = floating?.diagnostic { found.append(note) }
    for (tzID, diagnostic) in usedZones where !definedZones.contains(tzID) {
      found.append(diagnostic)
    }
    return found.sorted { $0.position < $1.position }
  }

  /// Components with the same UID are instances of one item and must differ in RECURRENCE-ID.
  private mutating func checkIdentity(of component: Component) -> Diagnostic? {
    let isZone = component.name == .timeZone
    let idName: PropertyName = isZone ? .tzID : .uid
    guard let line = component.position?.line, let id = component[idName]?.text, !id.isEmpty,
      seenComponents.count < Self.memoryLimit
    else { return nil }
    let recurrenceID = isZone ? nil : component[.recurrenceID]
    var hasher = Hasher()
    hasher.combine(component.name)
    hasher.combine(id)
    hasher.combine(recurrenceID?[.tzID])
    hasher.combine(recurrenceID?.rawValue)
    let identity = hasher.finalize()
    guard let first = seenComponents[identity] else {
      seenComponents[identity] = line
      return nil
    }
    let occurrence = recurrenceID.map { " and the RECURRENCE-ID \($0.rawValue)" } ?? ""
    return component.diagnostic(
      .warning, .repeatedComponent,
      "expected one \(component.name.canonicalName) with the \(idName) \"\(id)\"\(occurrence), "
        + "found another one after that in line \(first)",
      reference: isZone ? "RFC 5545 §3.6.5" : "RFC 5545 §3.8.4.7")
  }

  /// A TZID parameter requires a VTIMEZONE, unless it starts with a slash (RFC 5545 §3.2.19).
  private mutating func noteZones(of component: Component) {
    if component.name == .timeZone {
      if let tzID = component[.tzID]?.text { definedZones.insert(tzID) }
      return
    }
    for property in component.properties where property.hasParameters {
      guard let tzID = property[.tzID], !tzID.isEmpty, !tzID.hasPrefix("/"),
        seenZones.count < Self.memoryLimit,
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

/// Checks overrides against their main components, in any order (RFC 5545 §3.8.4.4).
///
/// It compares the value types of RECURRENCE-ID and DTSTART, and finds overrides with a rule but
/// without a main component.
struct OverrideTypes: Sendable {
  /// The maximum number of stored items, and of stored overrides.
  private let limit: Int
  /// The value types of DTSTART in main components, by a hash of kind and UID; nil without DTSTART.
  private var starts: [Int: ValueType?] = [:]
  /// Overrides before their main components, with the diagnostic for different types.
  private var waiting: [Int: [(type: ValueType, diagnostic: Diagnostic)]] = [:]
  private var waitingCount = 0
  /// Overrides with a rule whose main components were not found yet.
  private var recurring: [Int: Diagnostic] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  /// The problems of a component, and of earlier overrides of it.
  mutating func diagnostics(about component: Component) -> [Diagnostic] {
    guard [.event, .reminder, .journal].contains(component.name),
      let uid = component[.uid]?.text, !uid.isEmpty
    else { return [] }
    var hasher = Hasher()
    hasher.combine(component.name)
    hasher.combine(uid)
    let item = hasher.finalize()
    if let property = component[.recurrenceID] {
      if let rule = component[.rRule], recurring.count < limit, recurring[item] == nil {
        recurring[item] = Self.recurringOverride(rule)
      }
      return compare(property, item)
    }
    // Items beyond the limit are not checked.
    guard starts.count < limit else { return [] }
    guard let type = Self.type(of: component[.dtStart]) else {
      starts[item] = .some(nil)
      return []
    }
    starts[item] = type
    let found = waiting.removeValue(forKey: item) ?? []
    waitingCount -= found.count
    return found.filter { $0.type != type }.map(\.diagnostic)
  }

  /// The problems of overrides without a main component.
  func finish() -> [Diagnostic] {
    starts.count < limit ? recurring.filter { starts[$0.key] == nil }.map(\.value) : []
  }

  private static func recurringOverride(_ rule: Property) -> Diagnostic {
    rule.diagnostic(
      aboutName: .warning, .ruleConflict,
      "expected no RRULE beside a RECURRENCE-ID whose series is missing, found one",
      reference: "RFC 5545 §3.8.4.4")
  }

  private mutating func compare(_ property: Property, _ item: Int) -> [Diagnostic] {
    guard let type = Self.type(of: property) else { return [] }
    if let start = starts[item], start == nil || start == type { return [] }
    let other: ValueType = type == .date ? .dateTime : .date
    let diagnostic = property.diagnostic(
      .error, .timeType,
      "expected RECURRENCE-ID to be a \(other.rawValue) as DTSTART of the series is, found a "
        + type.rawValue, reference: "RFC 5545 §3.8.4.4")
    if starts[item] != nil { return [diagnostic] }
    guard waitingCount < limit else { return [] }
    waitingCount += 1
    waiting[item, default: []].append((type, diagnostic))
    return []
  }

  /// The type of a time; nil if it cannot be read.
  private static func type(of property: Property?) -> ValueType? {
    switch property?.typedValues.first {
    case .date?: .date
    case .dateTime?: .dateTime
    default: nil
    }
  }
}

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

  /// Counts the floating times of a component.
  mutating func look(at component: Component) {
    guard component.name != .timeZone else { return }
    for property in component.properties where property.isFloatingTime {
      count += 1
      if first == nil { first = property }
    }
    for nested in component.components { look(at: nested) }
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

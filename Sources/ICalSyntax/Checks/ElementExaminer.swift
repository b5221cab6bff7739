// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// Examines the elements of a stream one by one: the part of the checks that looks at a single
/// component.
///
/// ```
/// elements ──► ElementExaminer ──► examined elements ──► CalendarChecker ──► diagnostics
///              each alone, on any thread                 in the order of the stream
/// ```
///
/// An examiner remembers only whether a calendar is open and declares a zone. A copy that `skip`s
/// the elements of earlier parts can examine a later part on another thread.
package struct ElementExaminer: Sendable {
  let components: ComponentChecker
  /// Whether a calendar is open.
  private var isOpen = false
  /// Whether floating times are counted: the calendar declares a zone for them.
  private var declaresZone = false
  /// The TZIDs that were already passed on since the begin of the calendar.
  private var seenZones: Set<String> = []

  /// The maximum number of TZIDs that are remembered.
  private static let zoneLimit = 1000

  /// Creates an examiner at the start of a stream.
  ///
  /// - Parameters:
  ///   - now: The current time in UTC, for fixes that need it.
  ///   - zones: The time zones, for fixes that need them.
  package init(now: CivilDateTime? = nil, zones: ZoneDatabase? = nil) {
    components = ComponentChecker(now: now, zones: zones)
  }

  /// Examines an element.
  package mutating func examine(_ element: ReaderElement) -> ExaminedElement {
    skip(element)
    switch element {
    case .diagnostic(let diagnostic): return .diagnostic(diagnostic)
    case .calendarBegan(let position, _): return .calendarBegan(position)
    case .property(let property): return .property(property)
    case .component(let component): return .component(examine(component))
    case .calendarEnded: return .calendarEnded
    }
  }

  /// Continues after an element without examining it.
  package mutating func skip(_ element: ReaderElement) {
    switch element {
    case .calendarBegan:
      isOpen = true
      declaresZone = false
      seenZones = []
    case .property(let property):
      guard isOpen, !declaresZone else { return }
      declaresZone = FloatingTimes(property) != nil
    case .calendarEnded: isOpen = false
    case .component, .diagnostic: break
    }
  }

  private mutating func examine(_ component: Component) -> ExaminedComponent {
    var examined = ExaminedComponent(
      component, components.diagnostics(for: component, in: isOpen ? .calendar : nil))
    if component.name == .timeZone {
      examined.definedZone = component[.tzID]?.text
      examined.zoneRules = ExaminedComponent.hashOfRules(component)
    } else {
      noteZones(of: component, &examined)
      if declaresZone { examined.floatingTimes = ExaminedComponent.FloatingTimes(component) }
    }
    return examined
  }

  private mutating func noteZones(of component: Component, _ examined: inout ExaminedComponent) {
    component.properties.forEach { property in
      guard property.hasParameters, let tzID = property.tzID, !tzID.isEmpty, !tzID.hasPrefix("/"),
        !seenZones.contains(tzID)
      else { return }
      if seenZones.count < Self.zoneLimit { seenZones.insert(tzID) }
      examined.usedZones.append((tzID, property))
    }
    component.components.forEach { noteZones(of: $0, &examined) }
  }
}

/// An element with the findings in it alone.
package enum ExaminedElement: Sendable {
  case diagnostic(Diagnostic)
  case calendarBegan(SourcePosition)
  case property(Property)
  case component(ExaminedComponent)
  case calendarEnded
}

/// A component with its own diagnostics, and with what is compared with other components.
package struct ExaminedComponent: Sendable {
  /// The identity of a component among those of a calendar.
  struct Identity: Sendable {
    /// A hash of its name, its identifier and its RECURRENCE-ID.
    let hash: Int
    /// The line of its BEGIN.
    let line: Int
  }

  /// A component as a part of an item.
  struct ItemPart: Sendable {
    /// A hash of kind and UID.
    let item: Int
    let isOverride: Bool
    /// The type of DTSTART, or of the RECURRENCE-ID of an override; nil if it cannot be read.
    let type: ValueType?
  }

  /// The floating times of a component.
  struct FloatingTimes: Sendable {
    private(set) var count = 0
    private(set) var first: Property?

    init(_ component: Component) {
      look(at: component)
    }

    private mutating func look(at component: Component) {
      guard component.name != .timeZone else { return }
      for property in component.properties where property.isFloatingTime {
        count += 1
        if first == nil { first = property }
      }
      for nested in component.components { look(at: nested) }
    }
  }

  let component: Component
  /// The diagnostics about the component alone.
  let diagnostics: [Diagnostic]
  let isEventWithoutStart: Bool
  /// The identity, unless the component has no identifier.
  let identity: Identity?
  /// The item, unless the component is none or has no UID.
  let item: ItemPart?
  /// The TZID that a VTIMEZONE defines.
  fileprivate(set) var definedZone: String?
  /// A hash of the rules of a VTIMEZONE, in any order.
  fileprivate(set) var zoneRules: Int?
  /// TZIDs that the component uses, without those that the examiner has passed on before.
  fileprivate(set) var usedZones: [(tzID: String, property: Property)] = []
  /// The floating times, if they are counted.
  fileprivate(set) var floatingTimes: FloatingTimes?

  fileprivate init(_ component: Component, _ diagnostics: [Diagnostic]) {
    self.component = component
    self.diagnostics = diagnostics
    let name = component.name
    let isItem = name == .event || name == .reminder || name == .journal
    isEventWithoutStart = name == .event && component[.dtStart] == nil
    let id = component[Self.idName(of: component)]?.text ?? ""
    let recurrenceID = name == .timeZone ? nil : component[.recurrenceID]
    identity = component.position.flatMap { position in
      id.isEmpty
        ? nil : Identity(hash: Self.hash(name, id, recurrenceID), line: position.line)
    }
    guard isItem, !id.isEmpty else {
      item = nil
      return
    }
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(id)
    item = ItemPart(
      item: hasher.finalize(), isOverride: recurrenceID != nil,
      type: Self.type(of: recurrenceID ?? component[.dtStart]))
  }

  /// The property that identifies a component in a calendar.
  static func idName(of component: Component) -> PropertyName {
    component.name == .timeZone ? .tzID : .uid
  }

  /// The properties of observances that decide about offsets.
  private static let ruleNames: [PropertyName] = [
    .dtStart, .tzOffsetFrom, .tzOffsetTo, .rRule, .rDate,
  ]

  /// A hash of the offsets that the observances of a VTIMEZONE give, in any order.
  fileprivate static func hashOfRules(_ zone: Component) -> Int {
    var rules: Set<Set<[UInt8]>> = []
    for observance in zone.components {
      let lines = ruleNames.flatMap { name in
        observance.properties(named: name).map { property in
          Array(name.canonicalName.utf8) + property.rawValue.asciiUppercased.utf8
        }
      }
      rules.insert(Set(lines))
    }
    return rules.hashValue
  }

  private static func hash(_ name: ComponentName, _ id: String, _ recurrenceID: Property?) -> Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(id)
    hasher.combine(recurrenceID?[.tzID])
    hasher.combine(recurrenceID?.rawValue)
    return hasher.finalize()
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

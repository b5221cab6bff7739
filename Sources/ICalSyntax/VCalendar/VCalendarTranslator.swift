// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Converts the elements of vCalendar 1.0 to iCalendar.
///
/// ```text
/// vCalendar 1.0                         iCalendar
/// VERSION:1.0                           VERSION:2.0
/// TZ, DAYLIGHT                          VTIMEZONE, and TZID where a time has no Z
/// SUMMARY;QUOTED-PRINTABLE;CHARSET=…    SUMMARY, in UTF-8
/// CATEGORIES:a;b                        CATEGORIES:a,b        also RESOURCES, EXDATE, RDATE
/// DCREATED                              CREATED
/// RRULE:W1 MO #5                        RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5
/// STATUS:NEEDS ACTION                   STATUS:NEEDS-ACTION
/// TRANSP:0                              TRANSP:OPAQUE
/// ATTENDEE;ROLE=…;STATUS=…;EXPECT=…     ATTENDEE;ROLE=…;PARTSTAT=…, and ORGANIZER
/// AALARM, DALARM, MALARM, PALARM        VALARM
/// ```
///
/// PRODID, UID and DTSTAMP, which iCalendar requires, are added if missing. Their values depend
/// only on the calendar itself, so that the conversion is reproducible.
struct VCalendarTranslator {
  /// The substitute for an unknown timestamp: the date of the specification.
  private static let specificationDay = "19960918T000000Z"

  private let isConverted: Bool
  private let decoder: VCalendarReader.CharsetDecoder
  var zone = VCalendarZone()
  private var isZoneDefined = false
  private var isCalendarOpen = false
  private var hasProductID = false
  /// The VERSION of the open calendar, until a component contradicts it.
  private var version: Property?
  /// The diagnostics about the current element.
  var diagnostics: [Diagnostic] = []
  /// Whether a time of the current component refers to the zone.
  var usesZone = false

  init(isConverted: Bool, decoder: @escaping VCalendarReader.CharsetDecoder) {
    self.isConverted = isConverted
    self.decoder = decoder
  }

  /// Converts an element of vCalendar 1.0.
  mutating func translate(_ element: ReaderElement) -> [ReaderElement] {
    diagnostics = []
    var result: [ReaderElement] = []
    switch element {
    case .calendarBegan:
      zone = VCalendarZone()
      isZoneDefined = false
      hasProductID = false
      version = nil
      isCalendarOpen = true
      result = [element]
    case .property(let property):
      result = calendarProperty(property).map { .property($0) }
    case .component(let component):
      addProductID(to: &result, position: component.position)
      usesZone = false
      let translated = self.component(component)
      if usesZone, !isZoneDefined, let definition = zone.definition(position: component.position) {
        isZoneDefined = true
        result.append(.component(definition))
      }
      result.append(.component(translated))
    case .calendarEnded:
      addProductID(to: &result, position: nil)
      isCalendarOpen = false
      result.append(element)
    case .diagnostic(let diagnostic):
      result = Self.isAboutICalendarAlone(diagnostic) ? [] : [element]
    }
    return diagnostics.map { .diagnostic($0) } + result
  }

  /// Whether a diagnostic only applies to iCalendar.
  ///
  /// vCalendar allows bare parameters, quotes, and the empty line after BASE64. Character sets are
  /// checked here.
  private static func isAboutICalendarAlone(_ diagnostic: Diagnostic) -> Bool {
    [.malformedParameter, .blankLine, .invalidUTF8].contains(diagnostic.code)
  }

  // MARK: The calendar

  private mutating func calendarProperty(_ property: Property) -> [Property] {
    guard isCalendarOpen, property.isWellFormed else { return [property] }
    let value = value(of: property)
    switch property.name.canonicalName {
    case "VERSION":
      version = version ?? property
      return [make(.version, "2.0", from: property)]
    case "PRODID":
      hasProductID = true
      return [make(.productID, value.escapedText, from: property)]
    case "TZ":
      guard zone.take(tz: value.text) else { return [untranslated(property, value)] }
      return []
    case "DAYLIGHT":
      guard zone.take(daylight: value.text) else { return [untranslated(property, value)] }
      return []
    case "GEO": return [untranslated(property, value)]
    default: return translate(property, value, in: nil)
    }
  }

  private mutating func addProductID(to result: inout [ReaderElement], position: SourcePosition?) {
    guard isCalendarOpen, !hasProductID else { return }
    hasProductID = true
    result.append(
      .property(
        Property(
          .productID, valueBytes: Array("-//IETF//vCalendar 1.0 without PRODID//EN".utf8),
          parameters: [], position: position)))
  }

  // MARK: Components

  private mutating func component(_ component: Component) -> Component {
    if let version, component[.dtStamp] != nil {
      diagnostics.append(
        version.diagnostic(
          .warning, .valueRange,
          "expected VERSION:2.0 before components of iCalendar, which have DTSTAMP, found 1.0; the "
            + "calendar is read as vCalendar 1.0", reference: "RFC 5545 §3.7.4"))
      self.version = nil
    }
    let context = VCalendarContext(component)
    var properties: [Property] = []
    var components: [Component] = []
    for property in component.properties {
      guard property.isWellFormed else {
        properties.append(property)
        continue
      }
      let value = value(of: property)
      if let action = VCalendarAlarm.Action(property.name) {
        if let alarm = alarm(action, property, value, in: context) {
          components.append(alarm)
        } else {
          properties.append(untranslated(property, value))
        }
      } else {
        properties += translate(property, value, in: context)
      }
    }
    complete(&properties, of: component)
    for nested in component.components { components.append(self.component(nested)) }
    return Component(
      component.name, properties: properties, components: components,
      position: component.position)
  }

  /// Adds the properties that iCalendar requires.
  private func complete(_ properties: inout [Property], of component: Component) {
    guard [.event, .reminder, .journal].contains(component.name) else { return }
    let known = properties
    func first(_ name: PropertyName) -> Property? { known.first { $0.isNamed(name) } }
    let position = component.position
    if first(.uid) == nil {
      properties.append(
        Property(
          .uid, valueBytes: Array(Self.identifier(for: properties).utf8), parameters: [],
          position: position))
    }
    if first(.dtStamp) == nil {
      let moment = [PropertyName.lastModified, .created].lazy.compactMap { name in
        first(name).flatMap { VCalendarTime($0.rawValue) }
      }.first { $0.isUTC }
      properties.append(
        Property(
          .dtStamp, valueBytes: Array((moment?.text ?? Self.specificationDay).utf8), parameters: [],
          position: position))
    }
  }

  /// A UID for a component without one: a hash of its content (FNV-1a, 128 bits in two halves).
  private static func identifier(for properties: [Property]) -> String {
    var halves: (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4)
    for property in properties {
      for byte in Array(property.name.canonicalName.utf8) + [0] + property.valueBytes + [0] {
        halves.0 = (halves.0 ^ UInt64(byte)) &* 0x0100_0000_01B3
        halves.1 = (halves.1 ^ UInt64(byte)) &* 0x0100_0000_01B3
      }
    }
    let digits = [halves.0, halves.1].map { half in
      let text = String(half, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return "vcal-" + digits.joined()
  }

  // MARK: Helpers

  /// The decoded value of a property, without reporting problems.
  func quietValue(of property: Property) -> VCalendarValue {
    VCalendarValue(property, isConverted: isConverted, decoder: decoder)
  }

  /// The decoded value of a property, with problems reported as diagnostics.
  mutating func value(of property: Property) -> VCalendarValue {
    let value = quietValue(of: property)
    if let problem = value.problem {
      diagnostics.append(property.diagnostic(.error, .charset, problem))
    }
    return value
  }

  /// Creates a property that replaces another one.
  func make(
    _ name: PropertyName, _ bytes: [UInt8], _ parameters: [Parameter] = [], from property: Property
  ) -> Property {
    Property(name, valueBytes: bytes, parameters: parameters, position: property.position)
  }

  /// Creates a property that replaces another one.
  func make(
    _ name: PropertyName, _ text: String, _ parameters: [Parameter] = [], from property: Property
  ) -> Property {
    make(name, Array(text.utf8), parameters, from: property)
  }

  /// Renames a property that has no equivalent, and reports that.
  mutating func untranslated(_ property: Property, _ value: VCalendarValue) -> Property {
    let name = "X-VCAL-" + property.name.canonicalName
    diagnostics.append(
      property.diagnostic(
        aboutName: .warning, .untranslated,
        "expected something that iCalendar can say, found \(property.name.canonicalName) of "
          + "vCalendar 1.0; it is kept as \(name)"))
    return make(PropertyName(name), value.rawBytes, from: property)
  }
}

/// The data of a component that the conversion of its properties needs.
struct VCalendarContext {
  let name: ComponentName
  let start: VCalendarTime?
  let due: VCalendarTime?
  /// The title, as the default text of alarms.
  let summary: Property?

  init(_ component: Component) {
    name = component.name
    start = component[.dtStart].flatMap { VCalendarTime($0.rawValue) }
    due = component[.due].flatMap { VCalendarTime($0.rawValue) }
    summary = component[.summary]
  }
}

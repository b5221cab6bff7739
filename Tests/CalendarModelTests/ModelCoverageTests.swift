// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import TestSupport
import Testing

/// Every property of the tables, in every component that the model has a type for.
@Suite struct ModelCoverageTests {
  /// What the model says of a property of a component.
  enum Place: Equatable {
    case field, component
  }

  /// Properties that have no field, and are reached through the component.
  static let withoutField: [ComponentName: Set<PropertyName>] = [
    .event: [], .reminder: [], .journal: [],
    .freeBusy: [.relatedTo, .styledDescription, .structuredData, .concept, .link, .referenceID],
    .alarm: [.styledDescription, .structuredData, .concept, .link, .referenceID],
    .participant: [
      .comment, .created, .dtStamp, .lastModified, .priority, .relatedTo, .requestStatus,
      .resources,
      .sequence, .status, .concept, .link, .referenceID,
    ],
    .location: [.relatedTo, .concept, .link, .referenceID],
    .resource: [.relatedTo, .concept, .link, .referenceID],
  ]

  /// A value of a property, with the parameters that it needs.
  static func sample(_ row: PropertyTable.Row) -> String {
    switch row.name {
    case "RECURRENCE-ID", "DTSTART", "DTEND", "DUE", "EXDATE", "RDATE": ":20260301T090000Z"
    case "RELATED-TO": ";RELTYPE=FINISHTOSTART;GAP=P1D:other"
    case "ATTENDEE": ";CN=Ann;EMAIL=ann@example.org;SCHEDULE-AGENT=CLIENT:urn:uuid:1"
    case "GEO": ":48.2;16.37"
    case "REQUEST-STATUS": ":2.0;Success"
    case "STATUS": ":CANCELLED"
    case "CLASS": ":PRIVATE"
    case "TRANSP": ":TRANSPARENT"
    case "ACTION": ":DISPLAY"
    case "PROXIMITY": ":ARRIVE"
    case "FREEBUSY": ";FBTYPE=BUSY-TENTATIVE:20260301T090000Z/PT1H"
    case "CONFERENCE": ";VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL=Room:https://example.org/c"
    case "IMAGE": ";VALUE=URI;DISPLAY=GRAPHIC;FMTTYPE=image/png:https://example.org/i"
    case "STRUCTURED-DATA": ";VALUE=TEXT;FMTTYPE=application/json;SCHEMA=\"https://a\":{}"
    case "STYLED-DESCRIPTION": ";VALUE=TEXT;FMTTYPE=text/html:<p>A</p>"
    case "LINK": ";VALUE=URI;LINKREL=SOURCE;LABEL=A:https://example.org/l"
    case "PARTICIPANT-TYPE": ":SPEAKER"
    case "LOCATION-TYPE": ":hotel,bar"
    default:
      switch row.valueType {
      case .dateTime: ":20260301T090000Z"
      case .duration: ":PT15M"
      case .integer: ":5"
      case .float: ":1.5"
      case .calendarAddress: ":mailto:ann@example.org"
      case .uri: ":https://example.org/"
      case .recurrence: ":FREQ=DAILY"
      case .utcOffset: ":+0100"
      default: ":Something"
      }
    }
  }

  static func check<Model: ComponentModel>(_ type: Model.Type) throws {
    let name = Model.componentName
    let set = ComponentSet(name)
    let exceptions = try #require(withoutField[name])
    for row in PropertyTable.rows where row.occurrence(in: set) != nil {
      guard row.name != "BEGIN", row.name != "END" else { continue }
      let property = PropertyName(row.name)
      let line = row.name + sample(row)
      let read = try component([
        "BEGIN:\(name.rawName)", line, "X-ODD:1", "COLOR;X-A=B:Red", "END:\(name.rawName)",
      ])
      var diagnostics: [Diagnostic] = []
      let model = Model(read, diagnostics: &diagnostics)
      #expect(diagnostics.isEmpty, "\(name) \(line): \(diagnostics)")
      let place: Place = Model.mapping.knows(property) ? .field : .component
      #expect(place == (exceptions.contains(property) ? .component : .field), "\(name) \(row.name)")
      // In whichever way it is reached, it is there, and writing back what was read changes nothing.
      #expect(read[property] != nil)
      let bare = try component([
        "BEGIN:\(name.rawName)", "X-ODD:1", "COLOR;X-A=B:Red", "END:\(name.rawName)",
      ])
      if place == .field, row.name != "COLOR" {
        #expect(model != Model(bare), "\(name) \(line) is not read")
      }
      var written = read
      model.write(to: &written)
      #expect(text(written) == text(read), "\(name) \(line)")
      // Made anew from its fields alone, it says the same.
      if place == .field { #expect(Model(model.component) == model, "\(name) \(line)") }
    }
  }

  @Test("Every property of the RFCs has a field, or is reached through the component")
  func everyProperty() throws {
    try Self.check(Event.self)
    try Self.check(Reminder.self)
    try Self.check(Journal.self)
    try Self.check(FreeBusyContent.self)
    try Self.check(Alarm.self)
    try Self.check(Participant.self)
    try Self.check(StructuredLocation.self)
    try Self.check(StructuredResource.self)
  }

  /// All components of a calendar, nested ones too.
  private static func all(in components: ComponentList) -> [Component] {
    components.flatMap { [$0] + all(in: $0.components) }
  }

  /// Writes back what was read of a component, and what is read when one field has changed.
  private static func checkIdentity<Model: ComponentModel>(
    _ type: Model.Type, _ component: Component, _ place: String,
    change: (inout Model) -> PropertyName
  ) {
    var written = component
    var model = Model(component)
    model.write(to: &written)
    #expect(Serializer().bytes(of: written) == Serializer().bytes(of: component), "\(place)")
    let changed = change(&model)
    model.write(to: &written)
    #expect(Model(written) == model, "\(place)")
    let others = { (component: Component) in component.properties.filter { !$0.isNamed(changed) } }
    #expect(others(written) == others(component), "\(place): more than \(changed) changed")
    #expect(written.components == component.components, "\(place)")
  }

  @Test("Writing back what was read changes no fixture, and editing a field touches nothing else")
  func fixtures() throws {
    for folder in ["rfc5545", "valid", "real-world"] {
      for fixture in try Fixture.calendars(in: folder) {
        let stream = try CalendarStream(parsing: fixture.bytes)
        for component in Self.all(in: ComponentList(stream.calendars)) {
          let place = "\(fixture.path) \(component.name)"
          switch component.name {
          case .event:
            Self.checkIdentity(Event.self, component, place) {
              $0.location = "Elsewhere"
              return .location
            }
            Self.checkIdentity(Event.self, component, place) {
              $0.links.append(Link(.uri("https://example.org/new")))
              return .link
            }
          case .reminder:
            Self.checkIdentity(Reminder.self, component, place) {
              $0.percentComplete = 37
              return .percentComplete
            }
          case .journal:
            Self.checkIdentity(Journal.self, component, place) {
              $0.categories.insert("New")
              return .categories
            }
          case .freeBusy:
            Self.checkIdentity(FreeBusyContent.self, component, place) {
              $0.comments.append("New")
              return .comment
            }
          case .alarm:
            Self.checkIdentity(Alarm.self, component, place) {
              $0.uid = UID("new")
              return .uid
            }
          case .participant:
            Self.checkIdentity(Participant.self, component, place) {
              $0.summary = "Somebody else"
              return .summary
            }
          default: continue
          }
        }
      }
    }
  }

  @Test("An alarm that is put off is repeated by another one that knows it")
  func snoozing() throws {
    var alarm = Alarm()
    #expect(alarm.snoozed(until: .init(secondsSinceEpoch: 60), as: UID("b")) == nil)
    alarm.uid = UID("a")
    alarm.action = .display
    alarm.repeatCount = 3
    let again = try #require(alarm.snoozed(until: .init(secondsSinceEpoch: 60), as: UID("b")))
    #expect(again.snoozedAlarm == UID("a"))
    #expect(again.trigger == .absolute(.init(secondsSinceEpoch: 60)))
    #expect(again.repeatCount == 0)
    let later = try #require(again.snoozed(until: .init(secondsSinceEpoch: 120), as: UID("c")))
    #expect(later.snoozedAlarm == UID("a"))
    #expect(later.relations.count == 1)
  }
}

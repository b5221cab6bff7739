// SPDX-License-Identifier: Apache-2.0

/// Writes components as newline-delimited JSON, one object each with the same members.
///
/// The article <doc:OtherForms> lists the members. Common fields are plain values; `properties` and
/// `components` contain everything, in the types of jCal (RFC 7265 §3.6).
public struct NDJSONWriter: Hashable, Sendable {
  /// Creates a writer.
  public init() {}

  /// Appends a component as one line.
  public func write(_ component: Component, to bytes: inout [UInt8]) {
    // The bytes move to the builder and back, so that they are not copied.
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    var json = JSONBuilder(appendingTo: consume taken)
    write(component, to: &json)
    bytes = json.takeBytes()
  }

  private func write(_ component: Component, to json: inout JSONBuilder) {
    let summary = ComponentSummary(of: component)
    json.beginObject()
    writeTimes(of: summary, to: &json)
    writeTexts(of: component, to: &json)
    writePeople(of: component, to: &json)
    json.member("rrule")
    json.array(component.properties(named: .rRule)) { $0.rawValue($1) }
    json.member("rdate")
    json.times(component.properties(named: .rDate))
    json.member("exdate")
    json.times(component.properties(named: .exDate))
    json.member("alarms")
    json.array(summary.alarms) { write(alarm: $1, to: &$0) }
    json.member("sequence")
    json.literal(summary.sequence.map(String.init) ?? "null")
    json.member("created")
    json.time(component[.created])
    json.member("lastModified")
    json.time(component[.lastModified])
    writeContents(of: component, to: &json) { $0.name != .alarm }
    json.endObject()
    json.separator("\n")
  }

  private func writeTimes(of summary: ComponentSummary, to json: inout JSONBuilder) {
    let component = summary.component
    json.member("kind")
    json.string(summary.kind)
    json.member("uid")
    json.text(component[.uid])
    json.member("recurrenceId")
    json.time(component[.recurrenceID])
    json.member("start")
    json.time(component[.dtStart])
    json.member("end")
    json.time(component[summary.endName])
    json.member("allDay")
    json.boolean(summary.isAllDay)
    json.member("zone")
    json.string(summary.zone)
    json.member("endZone")
    json.string(summary.endZone)
  }

  private func writeTexts(of component: Component, to json: inout JSONBuilder) {
    json.member("duration")
    json.rawValue(component[.duration])
    json.member("summary")
    json.text(component[.summary])
    json.member("description")
    json.text(component[.descriptionText])
    json.member("location")
    json.text(component[.location])
    json.member("url")
    json.rawValue(component[.url])
    json.member("status")
    json.text(component[.status])
    json.member("categories")
    json.beginArray()
    for property in component.properties(named: .categories) {
      property.typedValues.values.forEach { value in
        if case .text(let text) = value { text.write(to: &json) }
      }
    }
    json.endArray()
  }

  private func writePeople(of component: Component, to json: inout JSONBuilder) {
    json.member("organizer")
    if let organizer = component[.organizer] {
      json.beginObject()
      json.member("address")
      json.rawValue(organizer)
      organizer.withParameters { json.participant($0, isOrganizer: true) }
      json.endObject()
    } else {
      json.null()
    }
    json.member("attendees")
    json.array(component.properties(named: .attendee)) { json, attendee in
      json.beginObject()
      json.member("address")
      json.rawValue(attendee)
      attendee.withParameters { json.participant($0, isOrganizer: false) }
      json.endObject()
    }
  }

  private func write(alarm: Component, to json: inout JSONBuilder) {
    json.beginObject()
    json.member("action")
    json.text(alarm[.action])
    json.member("trigger")
    json.time(alarm[.trigger])
    json.member("related")
    json.string(alarm[.trigger]?[.related])
    json.member("description")
    json.text(alarm[.descriptionText])
    writeContents(of: alarm, to: &json) { _ in true }
    json.endObject()
  }

  /// Writes the full contents of a component: its properties and nested components.
  private func writeContents(
    of component: Component, to json: inout JSONBuilder, including isIncluded: (Component) -> Bool
  ) {
    json.member("properties")
    json.beginArray()
    component.properties.forEach { property in
      if property.isWellFormed { write(property, to: &json) }
    }
    json.endArray()
    json.member("components")
    json.beginArray()
    component.components.forEach { nested in
      guard isIncluded(nested) else { return }
      json.beginObject()
      json.member("name")
      json.string(nested.name.rawName.asciiLowercased)
      writeContents(of: nested, to: &json) { _ in true }
      json.endObject()
    }
    json.endArray()
  }

  private func write(_ property: Property, to json: inout JSONBuilder) {
    guard !UsualJSONProperty.write(property, as: .object, to: &json) else { return }
    let values = JCalValues(of: property)
    json.beginObject()
    json.member("name")
    json.string(property.name.rawName.asciiLowercased)
    json.member("parameters")
    json.beginObject()
    for (name, texts) in values.parameters {
      json.name(name)
      json.array(texts) { $0.string($1) }
    }
    json.endObject()
    json.member("type")
    json.string(values.type)
    json.member("values")
    json.beginArray()
    values.write(to: &json)
    json.endArray()
    json.endObject()
  }
}

/// The values of properties; `null` for a property that is missing.
extension JSONBuilder {
  /// Writes an array with a value for each element.
  fileprivate mutating func array<Element>(
    _ elements: [Element], _ write: (inout JSONBuilder, Element) -> Void
  ) {
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// Writes the source text of a value.
  fileprivate mutating func rawValue(_ property: Property?) {
    guard let property else { return null() }
    property.withValue { string(utf8: $0) }
  }

  /// Writes a value as a text, without escapes.
  package mutating func text(_ property: Property?) {
    guard let property else { return null() }
    property.withValue { text($0) }
  }

  /// Writes the first valid value if it is a time or a duration.
  fileprivate mutating func time(_ property: Property?) {
    guard let value = property?.typedValues.first, time(value) else { return null() }
  }

  /// Writes all times of the properties as one array.
  fileprivate mutating func times(_ properties: [Property]) {
    beginArray()
    for property in properties { property.typedValues.values.forEach { _ = time($0) } }
    endArray()
  }

  /// Writes a time or a duration, or returns false for another value.
  private mutating func time(_ value: Value) -> Bool {
    switch value {
    case .date(let date): self.date(date)
    case .dateTime(let value, let isUTC): dateTime(value, isUTC: isUTC)
    default:
      guard let text = ComponentSummary.text(value) else { return false }
      string(text)
    }
    return true
  }

  /// Writes members for the parameters of a participant, in the order of ndjson.
  fileprivate mutating func participant(_ parameters: Span<UInt8>, isOrganizer: Bool) {
    let wanted = ParticipantParameters(in: parameters)
    member("name")
    parameter(wanted.name, in: parameters)
    guard !isOrganizer else { return }
    member("role")
    parameter(wanted.role, in: parameters)
    member("status")
    parameter(wanted.status, in: parameters)
    member("rsvp")
    let answer = wanted.rsvp.map { ParameterParser.firstValue(in: parameters.extracting($0)) }
    boolean(answer?.isEqualIgnoringASCIICase(to: "TRUE") ?? false)
  }

  /// Writes the first value of a parameter, or null if there is no such parameter.
  private mutating func parameter(_ values: Range<Int>?, in parameters: Span<UInt8>) {
    guard let values else { return null() }
    if let plain = ParameterParser.plainValue(in: parameters, values) {
      string(utf8: parameters.extracting(plain))
    } else {
      string(ParameterParser.firstValue(in: parameters.extracting(values)))
    }
  }
}

/// The raw values of a participant's parameters, found in one pass.
private struct ParticipantParameters {
  private static let nameIndex = ParameterName.commonName.index
  private static let roleIndex = ParameterName.role.index
  private static let statusIndex = ParameterName.participationStatus.index
  private static let rsvpIndex = ParameterName.rsvp.index

  private(set) var name: Range<Int>?
  private(set) var role: Range<Int>?
  private(set) var status: Range<Int>?
  private(set) var rsvp: Range<Int>?

  init(in parameters: Span<UInt8>) {
    var start = 0
    while let place = ParameterParser.place(in: parameters, at: start) {
      start = place.end
      switch place.index {
      case nil: break
      case Self.nameIndex: name = name ?? place.values
      case Self.roleIndex: role = role ?? place.values
      case Self.statusIndex: status = status ?? place.values
      case Self.rsvpIndex: rsvp = rsvp ?? place.values
      default: break
      }
    }
  }
}

extension ValueText {
  /// Writes the text as a JSON string.
  fileprivate func write(to json: inout JSONBuilder) {
    withBytes { bytes, range, hasEscapes in
      let bytes = bytes.extracting(range)
      if hasEscapes { json.text(bytes) } else { json.string(utf8: bytes) }
    }
  }
}

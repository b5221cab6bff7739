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
    let summary = ComponentSummary(of: component)
    var json = JSONBuilder()
    json.beginObject()
    writeFields(of: summary, to: &json)
    writePeople(of: summary, to: &json)
    json.texts("rrule", summary.rules)
    json.texts("rdate", summary.additionalDates)
    json.texts("exdate", summary.exceptionDates)
    json.name("alarms")
    json.beginArray()
    for alarm in summary.alarms { write(alarm: alarm, to: &json) }
    json.endArray()
    json.name("sequence")
    json.literal(summary.sequence.map(String.init) ?? "null")
    json.text("created", summary.created)
    json.text("lastModified", summary.lastModified)
    writeContents(of: component, to: &json) { $0.name != .alarm }
    json.endObject()
    bytes += json.bytes
    bytes.append(ASCII.lineFeed)
  }

  private func writeFields(of summary: ComponentSummary, to json: inout JSONBuilder) {
    json.text("kind", summary.kind)
    json.text("uid", summary.uid)
    json.text("recurrenceId", summary.recurrenceID)
    json.text("start", summary.start)
    json.text("end", summary.end)
    json.name("allDay")
    json.boolean(summary.isAllDay)
    json.text("zone", summary.zone)
    json.text("endZone", summary.endZone)
    json.text("duration", summary.duration)
    json.text("summary", summary.summary)
    json.text("description", summary.descriptionText)
    json.text("location", summary.location)
    json.text("url", summary.url)
    json.text("status", summary.status)
    json.texts("categories", summary.categories)
  }

  private func writePeople(of summary: ComponentSummary, to json: inout JSONBuilder) {
    json.name("organizer")
    if let organizer = summary.organizer {
      json.beginObject()
      json.text("address", organizer.address)
      json.text("name", organizer.name)
      json.endObject()
    } else {
      json.literal("null")
    }
    json.name("attendees")
    json.beginArray()
    for attendee in summary.attendees {
      json.beginObject()
      json.text("address", attendee.address)
      json.text("name", attendee.name)
      json.text("role", attendee.role)
      json.text("status", attendee.status)
      json.name("rsvp")
      json.boolean(attendee.isAnswerWanted)
      json.endObject()
    }
    json.endArray()
  }

  private func write(alarm: Component, to json: inout JSONBuilder) {
    json.beginObject()
    json.text("action", alarm[.action]?.text)
    json.text("trigger", alarm[.trigger]?.typedValues.first.flatMap(ComponentSummary.text))
    json.text("related", alarm[.trigger]?[.related])
    json.text("description", alarm[.descriptionText]?.text)
    writeContents(of: alarm, to: &json) { _ in true }
    json.endObject()
  }

  /// Writes the full contents of a component: its properties and nested components.
  private func writeContents(
    of component: Component, to json: inout JSONBuilder, including isIncluded: (Component) -> Bool
  ) {
    json.name("properties")
    json.beginArray()
    for property in component.properties where property.isWellFormed {
      write(property, to: &json)
    }
    json.endArray()
    json.name("components")
    json.beginArray()
    for nested in component.components where isIncluded(nested) {
      json.beginObject()
      json.text("name", nested.name.rawName.asciiLowercased)
      writeContents(of: nested, to: &json) { _ in true }
      json.endObject()
    }
    json.endArray()
  }

  private func write(_ property: Property, to json: inout JSONBuilder) {
    let values = JCalValues(of: property)
    json.beginObject()
    json.text("name", property.name.rawName.asciiLowercased)
    json.name("parameters")
    json.beginObject()
    for (name, texts) in values.parameters { json.texts(name, texts) }
    json.endObject()
    json.text("type", values.type)
    json.name("values")
    json.beginArray()
    values.write(to: &json)
    json.endArray()
    json.endObject()
  }
}

extension JSONBuilder {
  /// Writes a member that is a string or null.
  fileprivate mutating func text(_ name: String, _ text: String?) {
    self.name(name)
    string(text)
  }

  /// Writes a member that is an array of strings.
  fileprivate mutating func texts(_ name: String, _ texts: [String]) {
    self.name(name)
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}

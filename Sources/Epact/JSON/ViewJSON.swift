// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
import ICalSyntax

extension JSONBuilder {
  /// Writes the members of an occurrence to an open object.
  fileprivate mutating func members(of occurrence: Occurrence) {
    member("uid", occurrence.uid.rawValue.isEmpty ? nil : occurrence.uid.rawValue)
    member("recurrenceId", occurrence.recurrenceID?.rfc3339)
    member("start", occurrence.start.rfc3339)
    member("end", occurrence.end.rfc3339)
    member("zone", occurrence.zoneName)
    name("allDay")
    boolean(occurrence.isAllDay)
    member("summary", occurrence.component[.summary]?.text)
    member("component", occurrence.kind.rawValue)
  }

  /// Writes the members of a component without a time to an open object.
  fileprivate mutating func members(ofUndated component: Component, _ uid: UID) {
    member("uid", uid.rawValue.isEmpty ? nil : uid.rawValue)
    for name in ["recurrenceId", "start", "end", "zone"] { member(name, nil) }
    name("allDay")
    boolean(false)
    member("summary", component[.summary]?.text)
    member("component", component.name.canonicalName)
  }

  /// Writes the members of a component in a calendar to an open object.
  fileprivate mutating func members(of component: Component, calendar: String) {
    member("location", component[.location]?.text)
    member("status", component[.status]?.text)
    member("calendar", calendar)
  }

  /// Writes a member that is a string or null.
  fileprivate mutating func member(_ key: String, _ text: String?) {
    name(key)
    string(text)
  }
}

extension Occurrence {
  /// The TZID of the start, `UTC`, or nil for dates and floating times.
  fileprivate var zoneName: String? {
    if case .utc = start.time { "UTC" } else { start.time.tzID }
  }

  /// The occurrence as one line of JSON, with its line break.
  package var jsonLine: [UInt8] {
    var json = JSONBuilder()
    json.beginObject()
    json.members(of: self)
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }
}

extension SearchMatch {
  /// The match as one line of JSON, with its line break; an item without a time has no start.
  package var jsonLine: [UInt8] {
    var json = JSONBuilder()
    json.beginObject()
    if let occurrence {
      json.members(of: occurrence)
    } else {
      json.members(ofUndated: component, uid)
    }
    json.members(of: component, calendar: calendar)
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }
}

extension FreeBusy {
  /// The busy time as a JSON value, with times in RFC 3339 format.
  ///
  /// - Parameter zone: The time zone of the times.
  /// - Returns: An object with the range and its periods.
  package func json(in zone: ZoneRules) -> JSONValue {
    [
      "from": .string(zone.rfc3339(range.lowerBound)),
      "to": .string(zone.rfc3339(range.upperBound)),
      "zone": .string(zone.name),
      "periods": .array(
        periods.map { period in
          [
            "start": .string(zone.rfc3339(period.interval.lowerBound)),
            "end": .string(zone.rfc3339(period.interval.upperBound)),
            "type": .string(period.kind.rawValue),
          ]
        }),
    ]
  }
}

extension CalendarView where Query == OccurrenceQuery {
  /// Writes the range and all occurrences as one JSON object.
  ///
  /// - Parameter sink: The receiver of the bytes.
  /// - Returns: The findings of the search.
  /// - Throws: Errors of the receiver.
  package func writeJSON(to sink: ([UInt8]) throws -> Void) throws -> [OccurrenceFinding] {
    var head = JSONBuilder()
    head.beginObject()
    head.member("from", request.viewer.rfc3339(request.range.lowerBound))
    head.member("to", request.viewer.rfc3339(request.range.upperBound))
    head.member("zone", request.viewer.name)
    if request.collectsOverdue {
      head.name("overdue")
      head.beginArray()
      for occurrence in overdue() { write(occurrence, to: &head) }
      head.endArray()
    }
    head.name("occurrences")
    head.beginArray()
    try sink(head.bytes)
    var iterator = occurrences()
    var isFirst = true
    while let occurrence = iterator.next() {
      var json = JSONBuilder()
      write(occurrence, to: &json)
      try sink(Array((isFirst ? "\n" : ",\n").utf8) + json.bytes)
      isFirst = false
    }
    try sink(Array("]}\n".utf8))
    return iterator.findings
  }

  private func write(_ occurrence: Occurrence, to json: inout JSONBuilder) {
    json.beginObject()
    json.members(of: occurrence)
    json.members(of: occurrence.component, calendar: calendar(ofSource: occurrence.source))
    json.endObject()
  }
}

extension CalendarView where Query == AlarmQuery {
  /// An alarm as one line of JSON, with its line break.
  package func jsonLine(_ alarm: AlarmOccurrence) -> [UInt8] {
    var json = JSONBuilder()
    json.beginObject()
    json.member("at", request.viewer.rfc3339(alarm.instant))
    json.member("action", alarm.alarm.action?.rawValue)
    json.member("description", alarm.alarm.descriptionText)
    json.name("repetition")
    json.literal(String(alarm.repetition))
    json.member("snoozeOf", alarm.snoozedAlarm?.rawValue)
    json.member("calendar", calendar(ofSource: alarm.occurrence.source))
    if alarm.hasDate {
      json.members(of: alarm.occurrence)
    } else {
      json.members(ofUndated: alarm.occurrence.component, alarm.occurrence.uid)
    }
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import ICalSyntax

extension JSONBuilder {
  /// Writes the members of an occurrence to an open object.
  mutating func members(of occurrence: Occurrence) {
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

  /// Writes a member that is a string or null.
  mutating func member(_ key: String, _ text: String?) {
    name(key)
    string(text)
  }
}

extension Occurrence {
  /// The TZID of the start, `UTC`, or nil for dates and floating times.
  var zoneName: String? {
    if case .utc = start.time { "UTC" } else { start.time.tzID }
  }
}

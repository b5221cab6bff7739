// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICalSyntax

extension Occurrence {
  /// The title of the occurrence on one line: the summary, or the UID.
  ///
  /// A sign precedes the title of reminders and journal entries.
  var title: String {
    let summary = component[.summary]?.text ?? ""
    let words = summary.split(whereSeparator: \.isNewline).joined(separator: " ")
    return sign + (words.isEmpty ? uid.rawValue : words)
  }

  private var sign: String {
    switch kind {
    case .reminder: isDone ? "☑ " : "☐ "
    case .journal: "✎ "
    case .event, .freeBusy, .availability: ""
    }
  }

  /// Whether the occurrence is a completed reminder.
  var isDone: Bool {
    guard kind == .reminder else { return false }
    return component[.completed] != nil
      || component[.status]?.text.asciiUppercased == ReminderStatus.completed.rawValue
  }

  /// The TZID of the start, `UTC`, or nil for dates and floating times.
  fileprivate var zoneName: String? {
    if case .utc = start.time { "UTC" } else { start.time.tzID }
  }
}

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

extension ZoneRules {
  /// The instant in RFC 3339 format, with the offset of the zone.
  func rfc3339(_ instant: Instant) -> String {
    guard let wall = civil(at: instant) else { return "\(instant)" }
    return OccurrenceTime(.zoned(wall, tzID: name), instant).rfc3339
  }
}

/// Converts ICU text for output on a terminal.
enum PlainText {
  /// The text without unsafe characters, and with ordinary spaces.
  static func of(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\u{202F}" || scalar == "\u{A0}" {
        result.unicodeScalars.append(" ")
      } else if !SafeText.isUnsafe(scalar) {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// The normal form of a recurrence rule (RFC 5545 §3.3.10).
struct CanonicalRecurrence {
  private let rule: RecurrenceRule
  /// The start of the series, whose form determines the form of UNTIL; nil if it is unknown.
  private let start: CanonicalTime?

  init(_ rule: RecurrenceRule, start: CanonicalTime?) {
    self.rule = rule
    self.start = start
  }

  /// The parts in order, with sorted lists and without defaults.
  var text: String {
    var parts: [String] = []
    for part in rule.description.split(separator: ";") {
      if part == "RSCALE=GREGORIAN", rule.skip == .omit { continue }
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = part[..<equals]
      if name == "UNTIL" {
        parts.append("UNTIL=\(until ?? "")")
      } else {
        let values = Set(part[part.index(after: equals)...].split(separator: ",")).sorted()
        parts.append("\(name)=\(values.joined(separator: ","))")
      }
    }
    return parts.joined(separator: ";")
  }

  /// The end of the series, in UTC if the start is an instant.
  ///
  /// Lenient: the RFC requires UTC, but some files use a date or a local time. An UNTIL date
  /// includes the whole day.
  private var until: String? {
    guard let until = rule.until else { return nil }
    let wall: CivilDateTime
    switch until {
    case .date(let date): wall = CivilDateTime(date, .lastSecond)
    case .local(let time), .utc(let time): wall = time
    }
    switch start {
    case .date?: return wall.date.description
    case .utc?: return "\(wall)Z"
    case .floating?: return wall.description
    case .zoned(_, let zone)?:
      if case .utc = until { return "\(wall)Z" }
      return (zone.rules?.instant(of: wall))?.description ?? wall.description
    case nil: return until.description
    }
  }
}

extension TimeOfDay {
  /// The last second of a day without a leap second.
  fileprivate static let lastSecond = TimeOfDay(secondOfDay: 86_399) ?? .midnight
}

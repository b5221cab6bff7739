// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// What stands for a recurrence rule in the normal form (RFC 5545 §3.3.10).
struct CanonicalRecurrence {
  private let rule: RecurrenceRule
  /// When the series starts, which tells by what clock it ends; nil if that is not known.
  private let start: CanonicalTime?

  init(_ rule: RecurrenceRule, start: CanonicalTime?) {
    self.rule = rule
    self.start = start
  }

  /// The parts in their order, without those that go without saying, their lists sorted.
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

  /// The end of the series, in UTC where the start is a point in time.
  ///
  /// Lenient: files end a series at a day or at a time on the wall, where the RFC wants UTC; a day is
  /// meant with its end.
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
  /// The last second of a day that has no leap second.
  fileprivate static let lastSecond = TimeOfDay(secondOfDay: 86_399) ?? .midnight
}

// SPDX-License-Identifier: Apache-2.0

/// June 2026, the month of the measured agenda.
///
/// No zone of the generator has a transition in June or in the days around it, so each has a single
/// offset.
public enum June {
  /// The first day, since 1970-01-01.
  public static let firstDay = 20_605
  /// The first day of July.
  public static let endDay = 20_635

  static let minutes = firstDay * 1440..<endDay * 1440
}

extension Vocabulary.Zone {
  /// The offset of the zone in June, in minutes.
  fileprivate var juneOffset: Int {
    guard let daylight, let month = daylight.rule.first?.wholeNumberValue, month < 6,
      !daylight.rule.hasPrefix("10")
    else { return Self.minutes(standard.offset) }
    return Self.minutes(daylight.offset)
  }

  /// The minutes of an offset such as `-0430`.
  private static func minutes(_ offset: String) -> Int {
    let digits = Int(offset.dropFirst()) ?? 0
    return (offset.hasPrefix("-") ? -1 : 1) * (digits / 100 * 60 + digits % 100)
  }

  /// Whether the zone is west of UTC.
  var isBehindUTC: Bool { standard.offset.hasPrefix("-") }
}

extension TimeForm {
  /// The zone of the times, or nil if the form has none.
  var zone: Vocabulary.Zone? {
    guard case .zoned(let name) = self else { return nil }
    return Vocabulary.zones.first { $0.name == name }
  }
}

extension CalendarWriter {
  /// Counts an event occurrence that starts in June; dates and floating times count as UTC.
  mutating func countOccurrence(at start: Moment, as form: TimeForm) {
    var minutes = start.minutes
    switch form {
    case .date: minutes = start.day * 1440
    case .utc, .floating: break
    case .zoned: minutes -= form.zone?.juneOffset ?? 0
    }
    guard June.minutes.contains(minutes) else { return }
    count(.juneOccurrences)
    count(.juneStartMinutes, minutes)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Generates calendars like those that common programs write.
///
/// They contain folded descriptions with escapes, attendees with parameters, alarms, zones, rules
/// with exclusions and overrides, vendor properties, texts in many scripts, reminders and journal
/// entries.
///
/// The same seed yields the same bytes on every machine, and the answers that every parser must
/// find in them. All data is valid, so that no parser is faster because it drops invalid parts.
public struct CalendarGenerator {
  var random: SplitMix64
  var writer = CalendarWriter()
  /// The number of items written, for their UIDs.
  var itemCount = 0

  /// Creates a generator.
  public init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Writes one calendar of at least `size` bytes, in parts.
  ///
  /// - Returns: The answers for the calendar.
  public mutating func writeCalendar(
    size: Int, to sink: ([UInt8]) throws -> Void
  ) rethrows -> Answers {
    writer = CalendarWriter()
    beginCalendar(zones: Vocabulary.zones)
    while writer.answers[.bytes, default: 0] < size {
      writeItem()
      if writer.bytes.count >= 1 << 20 { try sink(writer.take()) }
    }
    writer.end()
    try sink(writer.take())
    return writer.answers
  }

  /// Generates a calendar with a single event and its zone, as in folders of single items.
  public mutating func singleEvent() -> (bytes: [UInt8], answers: Answers) {
    writer = CalendarWriter()
    beginCalendar(zones: [random.pick(Vocabulary.zones)])
    writeEvent(start: start(), form: .utc)
    writer.end()
    return (writer.take(), writer.answers)
  }

  private mutating func beginCalendar(zones: [Vocabulary.Zone]) {
    writer.begin("VCALENDAR")
    writer.text("VERSION", "2.0")
    writer.text("PRODID", "-//Epact//Benchmark 1//EN")
    writer.text("CALSCALE", "GREGORIAN")
    writer.property("X-WR-CALNAME", raw: "Benchmark")
    for zone in zones { write(zone) }
  }

  private mutating func write(_ zone: Vocabulary.Zone) {
    writer.begin("VTIMEZONE")
    writer.text("TZID", zone.name)
    writer.property("X-LIC-LOCATION", raw: zone.name)
    let standard = zone.standard
    let daylight = zone.daylight
    write("STANDARD", standard, from: daylight?.offset ?? standard.offset)
    if let daylight { write("DAYLIGHT", daylight, from: standard.offset) }
    writer.end()
  }

  private mutating func write(
    _ name: String, _ observance: Vocabulary.Zone.Observance, from offset: String
  ) {
    writer.begin(name)
    writer.times("DTSTART", [Moment(day: 365, minute: observance.hour * 60)], as: .floating)
    writer.property("TZOFFSETFROM", raw: offset)
    writer.property("TZOFFSETTO", raw: observance.offset)
    writer.text("TZNAME", observance.name)
    if !observance.rule.isEmpty {
      writer.property("RRULE", raw: "FREQ=YEARLY;BYMONTH=\(observance.rule)")
    }
    writer.end()
  }

  private mutating func writeItem() {
    switch random.below(100) {
    case ..<72: writeEvent(start: start(), form: form())
    case ..<87: writeSeries()
    case ..<96: writeReminder()
    default: writeJournal()
    }
  }

  /// A time in the years 2015 through 2030, at a multiple of 15 minutes.
  mutating func start() -> Moment {
    Moment(day: 16_436 + random.below(5_844), minute: 6 * 60 + 15 * random.below(64))
  }

  mutating func form() -> TimeForm {
    switch random.below(100) {
    case ..<15: .date
    case ..<35: .utc
    case ..<40: .floating
    default: .zoned(random.pick(Vocabulary.zones).name)
    }
  }

  mutating func newUID() -> String {
    itemCount += 1
    let digits = String(random.next(), radix: 16, uppercase: true)
    return "040000008200E00074C5B7101A82E008\(digits)-\(itemCount)@calendar.example.com"
  }
}

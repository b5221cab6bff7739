// SPDX-License-Identifier: Apache-2.0

/// Writes calendars as programs write them: folded descriptions with escapes, attendees with
/// parameters, alarms, zones, rules with exclusions and overrides, vendors' properties, texts in many
/// scripts, reminders and journal entries.
///
/// The same seed gives the same bytes on every machine, and with them the answers that every parser of
/// these bytes must find. All of it is valid, so that no parser is faster for what it drops.
public struct CalendarGenerator {
  var random: SplitMix64
  var writer = CalendarWriter()
  /// How many items were written, for their UIDs.
  var itemCount = 0

  /// Creates a generator.
  public init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Writes one calendar of at least some bytes, a part at a time.
  ///
  /// - Returns: What is known about the calendar.
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

  /// Writes a calendar with a single event and its zone, as folders of single items hold them.
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

  /// A time in the years from 2015 to 2030, on a quarter of an hour.
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

// SPDX-License-Identifier: Apache-2.0

extension CalendarGenerator {
  mutating func writeEvent(start: Moment, form: TimeForm) {
    let uid = newUID()
    writer.begin("VEVENT")
    writeHead(uid: uid, start: start, form: form)
    writeEventBody(start: start, form: form)
    writer.end()
    writer.countOccurrence(at: start, as: form)
  }

  /// Writes an event with a rule, excluded dates and up to two overrides.
  mutating func writeSeries() {
    let uid = newUID()
    let start = start()
    let form = form()
    writer.begin("VEVENT")
    writeHead(uid: uid, start: start, form: form)
    let rule = rule(from: start, form: form)
    writer.property("RRULE", raw: rule.text)
    let exclusions = (1...random.number(in: 1...4)).map { start.adding(days: rule.step * $0) }
    writer.times("EXDATE", exclusions, as: form)
    writeEventBody(start: start, form: form)
    writer.end()
    let overrides = random.below(3)
    countOccurrences(
      from: start, form: form, rule, exclusions: exclusions.count, overrides: overrides)
    for number in 0..<overrides {
      let occurrence = start.adding(days: rule.step * (5 + number))
      let moved = occurrence.adding(days: random.below(3))
      writer.begin("VEVENT")
      writeHead(uid: uid, start: moved, form: form)
      writer.times("RECURRENCE-ID", [occurrence], as: form)
      writeEventBody(start: moved, form: form)
      writer.end()
      writer.countOccurrence(at: moved, as: form)
    }
  }

  /// Counts the occurrences of a series that are neither excluded nor overridden.
  private mutating func countOccurrences(
    from start: Moment, form: TimeForm, _ rule: Rule, exclusions: Int, overrides: Int
  ) {
    var isOnLastDay = true
    // UNTIL has the digits of the local time, although it is in UTC.
    if let zone = form.zone, zone.isBehindUTC { isOnLastDay = false }
    var number = 0
    while rule.count.map({ number < $0 }) ?? (number * rule.step <= rule.days) {
      let isOver = rule.count == nil && number * rule.step == rule.days && !isOnLastDay
      let isTaken = 1...exclusions ~= number || 5..<(5 + overrides) ~= number
      if !isOver, !isTaken {
        writer.countOccurrence(at: start.adding(days: rule.step * number), as: form)
      }
      number += 1
    }
  }

  mutating func writeReminder() {
    let start = start()
    let form = form()
    let uid = newUID()
    writer.begin("VTODO")
    writeHead(uid: uid, start: start, form: form)
    writer.times("DUE", [start.adding(days: 1 + random.below(20))], as: form)
    writer.property("PERCENT-COMPLETE", raw: "\(random.below(101))")
    writer.property("PRIORITY", raw: "\(random.below(10))")
    writer.text("STATUS", random.pick(["NEEDS-ACTION", "IN-PROCESS"]))
    if random.chance(percent: 60) { writeDescription() }
    if random.chance(percent: 40) { writeAlarm() }
    writer.end()
  }

  mutating func writeJournal() {
    let start = start()
    let uid = newUID()
    writer.begin("VJOURNAL")
    writeHead(uid: uid, start: start, form: .date)
    writer.text("STATUS", "FINAL")
    writeDescription()
    writeDescription()
    writer.end()
  }

  /// Writes the properties that all items have.
  private mutating func writeHead(uid: String, start: Moment, form: TimeForm) {
    let written = start.adding(minutes: -random.number(in: 1000...100_000))
    writer.text("UID", uid)
    writer.times("DTSTAMP", [written], as: .utc)
    writer.times("CREATED", [written], as: .utc)
    writer.times("LAST-MODIFIED", [written.adding(minutes: random.below(900))], as: .utc)
    writer.property("SEQUENCE", raw: "\(random.below(6))")
    writer.times("DTSTART", [start], as: form)
    writer.text("SUMMARY", "\(random.pick(Vocabulary.titles)) \(random.below(100))")
    if random.chance(percent: 40) {
      let all = Vocabulary.categories
      let first = random.below(all.count)
      let second = first + random.number(in: 1...all.count - 1)
      writer.text("CATEGORIES", all[first], all[second % all.count])
    }
  }

  private mutating func writeEventBody(start: Moment, form: TimeForm) {
    switch form {
    case .date: writer.times("DTEND", [start.adding(days: 1 + random.below(3))], as: form)
    default:
      let length = random.pick([30, 45, 60, 90, 120, 480])
      if random.chance(percent: 85) {
        writer.times("DTEND", [start.adding(minutes: length)], as: form)
      } else {
        writer.property("DURATION", raw: "PT\(length)M")
      }
    }
    writer.text("STATUS", random.pick(["CONFIRMED", "TENTATIVE"]))
    writer.text("TRANSP", random.pick(["OPAQUE", "TRANSPARENT"]))
    if random.chance(percent: 20) { writer.text("CLASS", "PRIVATE") }
    if random.chance(percent: 60) { writer.text("LOCATION", random.pick(Vocabulary.places)) }
    if random.chance(percent: 10) {
      // Two values: latitude and longitude (RFC 5545 §3.8.1.6).
      let latitude = "\(random.below(90)).\(random.number(in: 1...9))"
      writer.property("GEO", raw: "\(latitude);13.25", values: 2)
    }
    if random.chance(percent: 80) { writeDescription() }
    if random.chance(percent: 45) { writeAttendees() }
    if random.chance(percent: 15) {
      writer.property("URL", raw: "https://calendar.example.com/e/\(random.next())")
    }
    if random.chance(percent: 8) {
      writer.property(
        "ATTACH", [("FMTTYPE", "application/pdf")],
        raw: "https://files.example.com/d/\(random.next())/agenda.pdf")
    }
    if random.chance(percent: 50) { writeVendorProperties() }
    for _ in 0..<random.below(2) { writeAlarm() }
  }

  private mutating func writeDescription() {
    var text = random.pick(Vocabulary.sentences)
    for _ in 0..<random.below(20) {
      text += random.pick([" ", "\n", "\n\n"])
      text += random.pick(Vocabulary.sentences)
    }
    writer.text("DESCRIPTION", text)
  }

  private mutating func writeAttendees() {
    writer.property(
      "ORGANIZER", [("CN", random.pick(Vocabulary.persons))],
      raw: "mailto:organizer\(random.below(50))@example.com")
    for _ in 0...random.below(10) {
      writer.property(
        "ATTENDEE",
        [
          ("CUTYPE", "INDIVIDUAL"), ("ROLE", random.pick(["REQ-PARTICIPANT", "OPT-PARTICIPANT"])),
          ("PARTSTAT", random.pick(["ACCEPTED", "NEEDS-ACTION", "DECLINED", "TENTATIVE"])),
          ("RSVP", "TRUE"), ("CN", random.pick(Vocabulary.persons)),
        ], raw: "mailto:person\(random.below(5000))@example.com")
    }
  }

  /// Writes common properties that no RFC defines.
  private mutating func writeVendorProperties() {
    writer.property("X-MICROSOFT-CDO-BUSYSTATUS", raw: random.pick(["BUSY", "FREE", "OOF"]))
    writer.property("X-MICROSOFT-CDO-IMPORTANCE", raw: "1")
    if random.chance(percent: 30) {
      writer.property(
        "X-APPLE-STRUCTURED-LOCATION",
        [
          ("VALUE", "URI"), ("X-APPLE-RADIUS", "70.5"), ("X-TITLE", random.pick(Vocabulary.places)),
        ], raw: "geo:52.\(random.below(99_999)),13.\(random.below(99_999))")
    }
  }

  private mutating func writeAlarm() {
    writer.begin("VALARM")
    writer.text("ACTION", "DISPLAY")
    writer.property("TRIGGER", raw: "-PT\(random.pick([5, 10, 15, 30, 60]))M")
    writer.text("DESCRIPTION", "Reminder")
    writer.end()
  }

  /// A generated rule and its properties.
  private struct Rule {
    let text: String
    /// The number of days between two occurrences.
    let step: Int
    /// The number of occurrences, or nil if `days` limits them.
    let count: Int?
    /// The maximum number of days between the first and the last occurrence.
    let days: Int
  }

  /// Generates a rule for a start.
  private mutating func rule(from start: Moment, form: TimeForm) -> Rule {
    let count = random.number(in: 12...60)
    let until = start.adding(days: 7 * count)
    let isCounted = random.chance(percent: 50)
    let limit =
      switch form {
      case _ where isCounted: "COUNT=\(count)"
      case .date: "UNTIL=\(until.dateText)"
      case .floating: "UNTIL=\(until.text)"
      case .utc, .zoned: "UNTIL=\(until.text)Z"
      }
    let (text, step) =
      switch random.below(4) {
      case 0: ("FREQ=DAILY;\(limit)", 1)
      case 1: ("FREQ=WEEKLY;\(limit);INTERVAL=2;WKST=SU", 14)
      default: ("FREQ=WEEKLY;\(limit);BYDAY=\(start.weekday)", 7)
      }
    return Rule(text: text, step: step, count: isCounted ? count : nil, days: 7 * count)
  }
}

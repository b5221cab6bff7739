// SPDX-License-Identifier: Apache-2.0

/// Random calendars of visible times, whose hidden texts are a mark.
///
/// All that a projection hides has the mark: names and values of properties and parameters, UIDs, names of time
/// zones, alarms and unreadable values.
public struct MarkedCalendars {
  /// The source of the choices, which are the same whatever the mark is.
  public var random: SeededGenerator
  /// The hidden text.
  public let secret: String

  /// Creates the calendars of a seed.
  public init(seed: UInt64, secret: String) {
    random = SeededGenerator(seed: seed)
    self.secret = secret
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func pick(_ texts: [String]) -> String {
    texts.randomElement(using: &random) ?? ""
  }

  private mutating func digits(_ range: ClosedRange<Int>) -> String {
    let number = Int.random(in: range, using: &random)
    return number < 10 ? "0\(number)" : "\(number)"
  }

  /// A time with a zone; the second is that of the zone's definition, whose name is hidden.
  private mutating func time(_ name: String, _ zone: String, hour: String) -> String {
    let wall = "202612\(digits(1...28))T\(hour)0000"
    switch zone {
    case "utc": return "\(name);X-P=\(secret):\(wall)Z"
    case "float": return "\(name);X-P=\(secret):\(wall)"
    case "date": return "\(name);VALUE=DATE;X-P=\(secret):\(wall.prefix(8))"
    case "own": return "\(name);TZID=\"Zone \(secret)\":\(wall)"
    case "unknown": return "\(name);TZID=\"\(secret) Nowhere\":\(wall)"
    default: return "\(name);TZID=Europe/Berlin:\(wall)"
    }
  }

  private mutating func hiddenLines() -> [String] {
    let all = [
      "SUMMARY;ALTREP=\"cid:\(secret)\";LANGUAGE=\(secret):\(secret)", "DESCRIPTION:\(secret)",
      "LOCATION:\(secret)", "X-\(secret):\(secret)", "COMMENT:\(secret)", "CATEGORIES:\(secret)",
      "ORGANIZER;CN=\(secret):mailto:\(secret)@example.com",
      "ATTENDEE;CN=\(secret):mailto:\(secret)@example.com", "URL:https://\(secret).example.com",
      "ATTACH:https://\(secret).example.com", "CONTACT:\(secret)", "RELATED-TO:\(secret)",
      "REQUEST-STATUS:2.0;\(secret)", "RESOURCES:\(secret)", "GEO:\(secret)",
      "LAST-MODIFIED:\(secret)", "CREATED:\(secret)", "SEQUENCE:\(secret)", "PRIORITY:\(secret)",
      "EXDATE:\(secret)", "RDATE;VALUE=PERIOD:\(secret)", "\(secret)", "COLOR:\(secret)",
      "CONFERENCE:\(secret)", "IMAGE:\(secret)", "CLASS:PUBLIC",
      "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nDESCRIPTION:\(secret)\r\nEND:VALARM",
      "BEGIN:PARTICIPANT\r\nUID:\(secret)\r\nPARTICIPANT-TYPE:ACTIVE\r\nEND:PARTICIPANT",
    ]
    return all.filter { _ in chance(30) }.shuffled(using: &random)
  }

  private mutating func rule() -> String {
    let rules = [
      "FREQ=DAILY;COUNT=5", "FREQ=WEEKLY;UNTIL=20270301T000000Z;BYDAY=MO,TU",
      "FREQ=MONTHLY;INTERVAL=2", "RSCALE=HEBREW;FREQ=YEARLY;COUNT=3",
    ]
    return "RRULE;X-P=\(secret):" + pick(rules)
  }

  /// The lines of a component; an override gets the identifier.
  private mutating func component(_ zone: String, uid: String, override: String?) -> [String] {
    var lines = ["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP;X-P=\(secret):20261101T120000Z"]
    if let override { lines.append(override) }
    lines.append(time("DTSTART", zone, hour: digits(8...12)))
    if chance(50) { lines.append("DURATION;X-P=\(secret):\(zone == "date" ? "P2D" : "PT45M")") }
    if override == nil, chance(60) {
      lines.append(rule())
      if chance(50) { lines.append(time("EXDATE", zone, hour: "09")) }
      if chance(30) { lines.append(time("RDATE", zone, hour: "15")) }
    }
    if chance(20) { lines.append("TRANSP;X-P=\(secret):" + pick(["TRANSPARENT", "OPAQUE"])) }
    if chance(20) { lines.append("STATUS;X-P=\(secret):" + pick(["CANCELLED", "TENTATIVE"])) }
    lines += hiddenLines()
    if chance(15) { lines.append("CLASS:PRIVATE") }
    return lines + ["END:VEVENT"]
  }

  /// The bytes of the next calendar, with one item whose UID has a number.
  public mutating func calendar(_ number: Int) -> [UInt8] {
    let zone = pick(["utc", "float", "date", "own", "berlin", "unknown"])
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//\(secret)//EN", "X-\(secret):1"]
    if zone == "own" {
      lines += [
        "BEGIN:VTIMEZONE", "TZID:Zone \(secret)", "COMMENT:\(secret)", "BEGIN:STANDARD",
        "DTSTART:16010101T000000", "TZOFFSETFROM:+0330", "TZOFFSETTO:+0330",
        "TZNAME:\(secret)", "COMMENT:\(secret)", "END:STANDARD", "END:VTIMEZONE",
      ]
    }
    let uid = "\(Self.uidMark)\(number)"
    lines += component(zone, uid: uid, override: nil)
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let id = time("RECURRENCE-ID", zone, hour: digits(8...12))
      lines += component(zone, uid: uid, override: id)
    }
    lines.append("END:VCALENDAR")
    return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  private static let uidMark = "SECRET-UID-"
}

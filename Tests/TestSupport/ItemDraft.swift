// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// What an item says, as fields that are edited at random and always written as a valid item.
///
/// Occurrences are told by their number in the series, so that a draft whose start moves is what a
/// program writes that moves its dates along.
public struct ItemDraft: Hashable, Sendable {
  /// How the start is written.
  enum Style: Hashable, CaseIterable, Sendable {
    case utc, zoned, foreign, floating, day
  }

  /// An occurrence that differs from its series.
  public struct Override: Hashable, Sendable {
    var minutesLater: Int
    var summary: String
    var location: String?
    /// The minutes before it at which an alarm goes off, if one does.
    var alarm: Int?
    var category: String?
  }

  /// What kind of item it is.
  enum Kind: String, Hashable, Sendable {
    case event = "VEVENT"
    case reminder = "VTODO"
  }

  /// How far a reminder is.
  struct Progress: Hashable, Sendable {
    var status: String
    var percent: Int?
  }

  /// Who invites to it.
  struct Organizer: Hashable, Sendable {
    var address: String
    var name: String
  }

  /// What an attendee answered, and is there for.
  struct Attendee: Hashable, Sendable {
    var answer: String
    var role: String
  }

  /// An alarm, known by its UID.
  struct Alarm: Hashable, Sendable {
    var minutesBefore: Int
    var text: String
  }

  var kind = Kind.event
  var style = Style.utc
  /// Days since 2026-03-02, a Monday.
  var day = 0
  var hour = 9
  var hours = 1
  var hasDuration = false
  /// The properties that stand once, by name.
  public internal(set) var texts: [String: String] = [:]
  /// The values of properties that stand several times or are lists, by name.
  public internal(set) var lists: [String: Set<String>] = [:]
  var attendees: [String: Attendee] = [:]
  var organizer: Organizer?
  /// The number of the revision, if it has one.
  var sequence: Int?
  /// How far it is, if it is a reminder that tells so.
  var progress: Progress?
  var alarms: [String: Alarm] = [:]
  var count: Int?
  /// How often a second rule gives an occurrence, if there is one.
  var secondCount: Int?
  /// The weeks whose occurrences are excluded.
  public internal(set) var excluded: Set<Int> = []
  /// The weeks in which there is an occurrence of its own, two days after that of the rule.
  public internal(set) var extra: Set<Int> = []
  /// The occurrences that differ from the series, by their weeks.
  public internal(set) var overrides: [Int: Override] = [:]
  var stamp = 1
  /// How it is written.
  var spelling = Spelling.plain
  /// Whether it is as a server has it that drops what it does not know.
  var isStripped = false

  /// The item.
  public var item: CalendarItem {
    TestItem.parse(lines.map { $0 + "\r\n" }.joined())
  }

  /// The content lines of one property, or of one value of a list.
  public static func line(_ name: String, _ value: String) -> String { "\(name):\(value)" }

  /// The content line of an attendee, or nil if there is none of the address.
  public func attendeeLine(_ address: String) -> String? {
    attendees[address].map {
      spelling.shoutsAddresses
        ? "ATTENDEE;RSVP=FALSE;ROLE=\($0.role);PARTSTAT=\($0.answer):MAILTO:\(address)@EXAMPLE.ORG"
        : "ATTENDEE;PARTSTAT=\($0.answer);ROLE=\($0.role):mailto:\(address)@example.org"
    }
  }

  /// The addresses of the attendees.
  public var addresses: Set<String> { Set(attendees.keys) }

  private var lines: [String] {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN"]
    if let zone { lines += Self.definition(of: zone) }
    lines += component(number: nil, Override(minutesLater: 0, summary: ""))
    for (number, override) in overrides.sorted(by: { $0.key < $1.key }) {
      lines += component(number: number, override)
    }
    return lines + ["END:VCALENDAR"]
  }

  private func component(number: Int?, _ override: Override) -> [String] {
    var (lines, alarms) = (properties(number: number, override), [String]())
    if spelling.isReversed { lines.reverse() }
    if number == nil {
      for (uid, alarm) in self.alarms.sorted(by: { $0.key < $1.key }) {
        alarms += [
          "BEGIN:VALARM", "UID:\(uid)", "ACTION:DISPLAY", "DESCRIPTION:\(alarm.text)",
          "TRIGGER:-PT\(alarm.minutesBefore)M", "END:VALARM",
        ]
      }
    } else if let minutes = override.alarm {
      alarms = [
        "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Soon", "TRIGGER:-PT\(minutes)M",
        "END:VALARM",
      ]
    }
    return ["BEGIN:\(kind.rawValue)"] + lines + alarms + ["END:\(kind.rawValue)"]
  }

  private func properties(number: Int?, _ override: Override) -> [String] {
    var lines = ["UID:draft@example.org", "DTSTAMP:20260101T0000\(Self.two(stamp % 60))Z"]
    if let number { lines.append("RECURRENCE-ID" + time(week: number, minutes: 0, isNaming: true)) }
    let later = style == .day ? 0 : override.minutesLater
    lines.append("DTSTART" + time(week: number ?? 0, minutes: later))
    if hasDuration != spelling.flipsEnds {
      lines.append("DURATION:" + (style == .day ? "P\(hours)D" : "PT\(hours)H"))
    } else {
      let name = kind == .event ? "DTEND" : "DUE"
      lines.append(name + time(week: number ?? 0, minutes: later, length: hours))
    }
    return lines + (number == nil ? seriesProperties : Self.properties(of: override))
  }

  private static func properties(of override: Override) -> [String] {
    ["SUMMARY:\(override.summary)"] + (override.location.map { ["LOCATION:\($0)"] } ?? [])
      + (override.category.map { ["CATEGORIES:\($0)"] } ?? [])
  }

  /// What only the main component says.
  private var seriesProperties: [String] {
    var lines: [String] = []
    if let count { lines.append("RRULE:FREQ=WEEKLY;COUNT=\(count)") }
    if let secondCount { lines.append("RRULE:FREQ=MONTHLY;BYMONTHDAY=20;COUNT=\(secondCount)") }
    for week in extra.sorted() { lines.append("RDATE" + extraTime(week)) }
    for week in excluded.sorted() {
      lines.append("EXDATE" + time(week: week, minutes: 0, isNaming: true))
    }
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
      lines.append(Self.line(name, text))
    }
    if let sequence { lines.append("SEQUENCE:\(sequence)") }
    if spelling.saysDefaults { lines += unsaidDefaults }
    if let progress {
      lines.append("STATUS:\(progress.status)")
      if let percent = progress.percent { lines.append("PERCENT-COMPLETE:\(percent)") }
      if progress.status == "COMPLETED" { lines.append("COMPLETED:20260301T100000Z") }
    }
    if let organizer {
      lines.append("ORGANIZER;CN=\(organizer.name):mailto:\(organizer.address)@example.org")
    }
    // So that it stands more than once wherever there is another.
    if !isStripped { lines.append(Self.line(Self.tag, "always")) }
    for (name, values) in lists.sorted(by: { $0.key < $1.key }) {
      if name == "CATEGORIES", !spelling.splitsLists {
        if !values.isEmpty { lines.append(Self.line(name, values.sorted().joined(separator: ","))) }
      } else {
        lines += values.sorted().map { Self.line(name, $0) }
      }
    }
    return lines + attendees.keys.sorted().compactMap(attendeeLine)
  }

  /// What goes without saying, and is not said otherwise.
  private var unsaidDefaults: [String] {
    Spelling.defaults.sorted(by: { $0.key < $1.key }).compactMap { name, text in
      let isSaid = texts[name] != nil || (name == "SEQUENCE" && sequence != nil)
      return isSaid || (name == "TRANSP" && kind == .reminder) ? nil : Self.line(name, text)
    }
  }

  /// A property that no RFC knows, and that stands several times.
  public static let tag = "X-TAG"

  /// Whether the series starts when another one does.
  public func startsLike(_ other: ItemDraft) -> Bool {
    style == other.style && day == other.day && hour == other.hour
  }

  /// The parameters and the value of the extra date of a week.
  public func extraTime(_ week: Int) -> String { time(week: week, minutes: 0, daysLater: 2) }

  /// The parameters and the value by which the occurrence of a week is known.
  public func recurrenceID(_ week: Int) -> String { time(week: week, minutes: 0) }

  /// The parameters and the value of a time in the series.
  private func time(
    week: Int, minutes: Int, length: Int = 0, daysLater: Int = 0, isNaming: Bool = false
  ) -> String {
    let isUTC = isNaming && spelling.usesUTC && style == .foreign
    let days = day + week * 7 + daysLater + (style == .day ? length : 0)
    let total =
      hour * 60 + minutes + (style == .day ? 0 : length * 60)
      - (isUTC ? Style.minutesOfForeign : 0)
    let date = "2026\(Self.two(3 + days / 28))\(Self.two(1 + days % 28))"
    let clock = "T\(Self.two(total / 60))\(Self.two(total % 60))00"
    if isUTC { return ":\(date)\(clock)Z" }
    return switch style {
    case .utc: ":\(date)\(clock)Z"
    case .zoned, .foreign: ";TZID=\(zone ?? ""):\(date)\(clock)"
    case .floating: ":\(date)\(clock)"
    case .day: ";VALUE=DATE:\(date)"
    }
  }

  private var zone: String? { spelling.usesAliases ? style.alias : style.zone }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func definition(of zone: String) -> [String] {
    [
      "BEGIN:VTIMEZONE", "TZID:\(zone)", "BEGIN:STANDARD", "DTSTART:19701025T030000",
      "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
    ]
  }
}

extension ItemDraft.Style {
  /// How many minutes the foreign clock is ahead of UTC, all the year.
  static let minutesOfForeign = 330

  /// Another name of the zone.
  var alias: String? {
    switch self {
    case .zoned: "/mozilla.org/20050126_1/Europe/Berlin"
    case .foreign: "Asia/Calcutta"
    case .utc, .floating, .day: nil
    }
  }

  /// The TZID, if the start has one.
  var zone: String? {
    switch self {
    case .zoned: "Europe/Berlin"
    case .foreign: "Asia/Kolkata"
    case .utc, .floating, .day: nil
    }
  }
}

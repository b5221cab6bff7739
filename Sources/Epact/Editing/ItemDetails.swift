// SPDX-License-Identifier: Apache-2.0

public import CalendarLanguage
public import CalendarModel
public import CivilTime

/// The values of a new item, or the new values of an existing one.
///
/// ```swift
/// var details = ItemDetails()
/// details.title = "Lunch with Ana"
/// details.start = .local(noon)
/// details.alarms = [try AlarmTime(parsing: "15m")]
/// ```
///
/// A nil value changes nothing. An empty text or list removes the property.
public struct ItemDetails: Hashable, Sendable {
  /// The title.
  public var title: String?
  /// The start; a date for whole days.
  public var start: NewTime?
  /// The end of an event, or the due time of a reminder.
  public var end: NewTime?
  /// The duration after the start, instead of the end.
  public var duration: CivilDuration?
  /// The name of the time zone of local times, or `floating` for none.
  public var zone: String?
  /// The location, as a text.
  public var location: String?
  /// The description.
  public var note: String?
  /// A URI with more information.
  public var url: String?
  /// The categories.
  public var categories: [String]?
  /// The access classification; public removes the property.
  public var classification: Classification?
  /// The recurrence.
  public var repetition: Repetition?
  /// The alarms.
  public var alarms: [AlarmTime]?
  /// The priority of a reminder or event from 1 (highest) through 9, or 0 for none.
  public var priority: Int?
  /// The status of a reminder.
  public var status: ReminderStatus?
  /// The status of an event.
  public var eventStatus: EventStatus?
  /// The status of a journal entry.
  public var journalStatus: JournalStatus?
  /// The organizer, the attendees to invite, and those who are no longer invited.
  public var invitation: MeetingDetails?
  /// The UID of the reminder of which this one is a part; an empty UID removes it.
  public var parent: UID?

  /// Creates details without values.
  public init() {}

  /// Whether no value is set.
  public var isEmpty: Bool { self == ItemDetails() }

  /// Whether the start, the end or the zone is set.
  var changesTimes: Bool { start != nil || end != nil || duration != nil || zone != nil }
}

/// The people of a meeting whom its organizer adds or removes.
public struct MeetingDetails: Hashable, Sendable {
  /// The organizer of an item that has none.
  public var organizer: Organizer
  /// The attendees to add to those of the item.
  public var attendees: [Attendee]
  /// The addresses of the attendees to remove.
  public var withdrawn: [CalendarAddress]

  /// Creates the people of a meeting.
  ///
  /// - Parameters:
  ///   - organizer: The organizer of an item that has none.
  ///   - attendees: The attendees to add.
  ///   - withdrawn: The addresses of the attendees to remove.
  public init(
    by organizer: Organizer, _ attendees: [Attendee], withdrawing withdrawn: [CalendarAddress] = []
  ) {
    self.organizer = organizer
    self.attendees = attendees
    self.withdrawn = withdrawn
  }
}

/// The time of an alarm, relative to the item or fixed, as users write it.
///
/// ```
/// 15m   15 minutes before the start of an event, or before the due time of a reminder
/// +5m   5 minutes after it
/// 1h@end   one hour before the end of an event
/// 1h@start   one hour before the start of a reminder that is also due
/// 20261127T090000Z   at that instant
/// ```
public struct AlarmTime: Hashable, Sendable {
  /// The trigger.
  public let trigger: AlarmTrigger
  /// Whether the time names its anchor, so that it is also kept for a reminder with a due time.
  public let isAnchored: Bool

  /// Creates the time of a trigger.
  public init(_ trigger: AlarmTrigger) {
    (self.trigger, isAnchored) = (trigger, true)
  }

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - anchor: The anchor of a text without one.
  /// - Throws: `EpactError` if the text is not a time.
  public init(
    parsing text: String, anchor: AlarmTrigger.Anchor = .start
  ) throws(EpactError) {
    if case .instant(let instant)? = try? Moment(parsing: text) {
      (trigger, isAnchored) = (.absolute(instant), true)
      return
    }
    var (word, place) = (text[...], anchor)
    for (suffix, other) in [("@end", AlarmTrigger.Anchor.end), ("@start", .start)]
    where word.hasSuffix(suffix) {
      (word, place) = (word.dropLast(suffix.count), other)
    }
    let isAfter = word.hasPrefix("+")
    guard let duration = DurationText.duration(isAfter ? String(word.dropFirst()) : String(word))
    else {
      throw EpactError(
        .argument, "expected an alarm such as 15m, 1h30m, 1d or +5m, found \"\(text)\"")
    }
    trigger = .relative(isAfter ? duration : duration.negated, to: place)
    isAnchored = word.count < text.count || anchor == .end
  }

  /// The text, which parses to the same time with the same anchor.
  ///
  /// - Parameter anchor: The anchor that is not written.
  /// - Returns: The text.
  public func text(anchor: AlarmTrigger.Anchor = .start) -> String {
    switch trigger {
    case .absolute(let instant): return "\(instant)"
    case .relative(let duration, let place):
      let sign = duration.isNegative || duration == .zero ? "" : "+"
      let suffix = place == anchor ? "" : place == .end ? "@end" : "@start"
      return sign + DurationText.text(duration.isNegative ? duration.negated : duration) + suffix
    }
  }
}

/// Durations as users write them: `1h`, `45m`, `1h30m`, `2d`, `1w`, or in the form of RFC 5545.
public enum DurationText {
  /// The maximum number of digits of a number.
  private static let digitLimit = 6

  /// Parses a duration without a sign; nil if the text is none.
  public static func duration(_ text: String) -> CivilDuration? {
    let word = text.lowercased().filter { !$0.isWhitespace }
    if word.hasPrefix("p") { return try? CivilDuration(parsing: word.uppercased()) }
    var values: [Character: Int] = [:]
    var rest = word[...]
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard 1...digitLimit ~= digits.count, let number = Int(digits) else { return nil }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { $0.isLetter }
      guard let letter = unit(String(name)), values[letter] == nil else { return nil }
      values[letter] = number
      rest = rest.dropFirst(name.count)
    }
    guard !values.isEmpty else { return nil }
    return CivilDuration(
      weeks: values["w"] ?? 0, days: values["d"] ?? 0, hours: values["h"] ?? 0,
      minutes: values["m"] ?? 0, seconds: values["s"] ?? 0)
  }

  /// The letter of a unit such as `min` or `hours`.
  private static func unit(_ name: String) -> Character? {
    let names: [Character: [String]] = [
      "w": ["w", "week", "weeks"], "d": ["d", "day", "days"],
      "h": ["h", "hr", "hour", "hours"], "m": ["m", "min", "minute", "minutes"],
      "s": ["s", "sec", "second", "seconds"],
    ]
    return names.first { $0.value.contains(name) }?.key
  }

  /// The text of a duration without its sign, such as `1h30m`; `0m` for zero.
  public static func text(_ duration: CivilDuration) -> String {
    let parts = [
      (duration.weeks, "w"), (duration.days, "d"), (duration.hours, "h"), (duration.minutes, "m"),
      (duration.seconds, "s"),
    ]
    let text = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    return text.isEmpty ? "0m" : text
  }
}

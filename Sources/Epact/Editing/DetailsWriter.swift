// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
package import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

/// The content of events and reminders, which everyday edits change.
package protocol EditableContent: ItemContent {
  /// The description (RFC 5545 §3.8.1.5).
  var descriptionText: String? { get set }
  /// The location (RFC 5545 §3.8.1.7).
  var location: String? { get set }
  /// The priority from 1 (highest) through 9, or 0 for undefined (RFC 5545 §3.8.1.9).
  var priority: Int { get set }
  /// The alarms (RFC 5545 §3.6.6).
  var alarms: [Alarm] { get set }
}

extension Event: EditableContent {}

extension Reminder: EditableContent {}

/// Writes details to the content of an item; everything else stays.
struct DetailsWriter {
  let details: ItemDetails
  let times: TimeWriting

  /// Writes all values that are set.
  ///
  /// - Throws: `EpactError` if a value is invalid for the item.
  func write<Content: EditableContent>(to content: inout Content) throws(EpactError) {
    followClocks(of: &content)
    try sharingYear().writeTimes(to: &content)
    try writeTexts(to: &content)
    if let priority = details.priority { content.priority = priority }
    if let parent = details.parent {
      content.relations.removeAll { $0.type == .parent }
      if !parent.rawValue.isEmpty {
        content.relations.append(Relation(to: parent.rawValue, type: .parent))
      }
    }
    try writeRepetition(to: &content)
    try writePeople(to: &content)
    writeAlarms(to: &content)
  }

  /// The writer whose start has the year that only the end states: `1 jun` beside `5 jun 2028`.
  private func sharingYear() throws(EpactError) -> DetailsWriter {
    guard case .phrase(let start)? = details.start, case .phrase(let end)? = details.end else {
      return self
    }
    var details = details
    details.start = .phrase(
      try DateReading.describing { () throws(DatePhraseError) in try start.sharingYear(of: end) })
    return DetailsWriter(details: details, times: times)
  }

  private func writeTexts<Content: EditableContent>(
    to content: inout Content
  ) throws(EpactError) {
    func text(_ value: String) -> String? { value.isEmpty ? nil : value }
    if let title = details.title {
      guard !title.allSatisfy(\.isWhitespace) else {
        throw EpactError(.argument, "expected a title, found none")
      }
      // The text of an alarm that was the title is that of a notification.
      let before = content.summary
      for place in content.alarms.indices where content.alarms[place].descriptionText == before {
        if before != nil { content.alarms[place].descriptionText = title }
      }
      content.summary = title
    }
    if let location = details.location { content.location = text(location) }
    if let note = details.note { content.descriptionText = text(note) }
    if let url = details.url {
      guard url.isEmpty || url.isURI else {
        throw EpactError(
          .argument,
          "expected an address that begins with its scheme, such as https://example.org/page, found "
            + "\"\(url.prefix(80))\"")
      }
      content.url = text(url)
    }
    if let categories = details.categories {
      content.categories = Categories(categories.filter { !$0.isEmpty })
    }
    if let classification = details.classification { content.classification = classification }
  }

  private func writePeople<Content: EditableContent>(
    to content: inout Content
  ) throws(EpactError) {
    guard let invitation = details.invitation else { return }
    try PeopleWriter(invitation: invitation).write(to: &content)
  }

  // MARK: Recurrence and alarms

  /// Puts the times of a single item in UTC into the viewer's zone, if it is to repeat.
  ///
  /// A series in UTC moves by an hour on the viewer's clocks twice a year. Whoever names a zone gets
  /// that one.
  private func followClocks<Content: EditableContent>(of content: inout Content) {
    guard let repetition = details.repetition, !repetition.isNone, details.zone == nil,
      content.recurrenceID == nil, !content.recurrence.isRecurring, times.viewer.name != "UTC"
    else { return }
    func local(_ time: EventTime) -> EventTime {
      guard case .utc(let wall) = time, let civil = times.viewer.civil(at: Instant(utc: wall))
      else { return time }
      return .zoned(civil, tzID: times.viewer.name)
    }
    let (start, ending) = (content.start, content.ending)
    content.start = start.map(local)
    if case .time(let end)? = ending { content.ending = .time(local(end)) }
  }

  private func writeRepetition<Content: EditableContent>(
    to content: inout Content
  ) throws(EpactError) {
    // The override of the first occurrence of a part has no recurrence of its own.
    guard let repetition = details.repetition, content.recurrenceID == nil else { return }
    guard !repetition.isNone else {
      content.recurrence = RecurrenceProperties()
      return
    }
    guard let start = content.start ?? content.ending?.time else {
      throw EpactError(.argument, "what repeats needs a date, such as \"tomorrow\"")
    }
    if let until = repetition.until { try expect(until, after: start) }
    let rules = content.recurrence.rules
    let rule = try repetition.rule(for: start, rules) { times.instant(of: $0, like: start) }
    content.recurrence.rules = [rule].compactMap(\.self)
    if let until = repetition.until {
      content.recurrence.dates.removeAll { isEnded($0.start, by: until) }
    }
    // DTSTART is required in a series (RFC 5545 §3.8.5.3).
    if content.start == nil { content.start = start }
  }

  /// Moves the start forward to the first occurrence of a new rule that does not contain it.
  ///
  /// The occurrences of a series whose start its rule does not contain are undefined (RFC 5545
  /// §3.8.5.3). The time of day and the length stay, as far as the rule allows it. The interval of
  /// the rule counts from the new start.
  ///
  /// - Parameters:
  ///   - content: The content with the rule.
  ///   - options: The options for rules.
  /// - Returns: The start that the rule does not contain; nil if it stays.
  /// - Throws: `EpactError` if the rule has no occurrence from the start on.
  func alignStart<Content: EditableContent>(
    of content: inout Content, _ options: RecurrenceOptions
  ) throws(EpactError) -> EventTime? {
    guard details.repetition?.text != nil, content.recurrenceID == nil,
      let start = content.start, let rule = content.recurrence.rules.first,
      content.recurrence.rules.count == 1, let each = rule.withoutInterval,
      let expansion = try? expansion(of: each, from: start, options)
    else { return nil }
    guard let first = expansion.first(from: start.wallTime) else {
      let text = WhenText(viewer: times.viewer)
      throw EpactError(
        .argument,
        "expected a repetition with an occurrence from \(text.text(text.moment(start))) on, found "
          + "none")
    }
    guard first != start.wallTime else { return nil }
    let new = start.at(first)
    content.ending = times.moved(content.ending, from: start, to: new)
    content.start = new
    return start
  }

  /// Rejects a move of a whole series to a day or a time that its rule does not contain, such as a
  /// Tuesday of `every first monday of the month`, or 10:00 of one with BYHOUR=9.
  ///
  /// Weekdays of a week and days of a month move along; a position in the month and the times of a
  /// day do not.
  ///
  /// - Parameters:
  ///   - content: The series after the edit.
  ///   - before: The series before it.
  ///   - options: The options for rules.
  /// - Throws: `EpactError` if only the start before the edit is an occurrence of the rule.
  func expectStartInRule<Content: EditableContent>(
    of content: Content, since before: Content, _ options: RecurrenceOptions
  ) throws(EpactError) {
    guard details.repetition?.text == nil, content.recurrenceID == nil,
      let start = content.start, let old = before.start,
      let rule = content.recurrence.rules.first, content.recurrence.rules.count == 1,
      start.date != old.date || rule.hasTimes && start.wallTime != old.wallTime,
      let earlier = before.recurrence.rules.first,
      isFirst(old, of: earlier, options), !isFirst(start, of: rule, options)
    else { return }
    let text = WhenText(viewer: times.viewer)
    throw EpactError(
      .argument,
      "expected a \(start.date == old.date ? "time" : "day") of the repetition, "
        + "\(EnglishRuleLanguage().sentence(of: rule.phrases)), found "
        + text.text(text.moment(start)),
      details: [
        "state the new repetition with the new \(start.date == old.date ? "time" : "day"), or change one "
          + "occurrence"
      ])
  }

  private func isFirst(
    _ start: EventTime, of rule: RecurrenceRule, _ options: RecurrenceOptions
  ) -> Bool {
    guard let expansion = try? expansion(of: rule, from: start, options) else { return true }
    return expansion.first(from: start.wallTime) == start.wallTime
  }

  private func expansion(
    of rule: RecurrenceRule, from start: EventTime, _ options: RecurrenceOptions
  ) throws -> Expansion {
    guard !start.isAllDay else {
      return try Expansion(of: rule, from: start.date, options: options)
    }
    let zone = start.tzID.flatMap(times.rules)
    return try Expansion(of: rule, from: start.wallTime, zone: zone, options: options)
  }

  /// Whether a repetition has ended before a start.
  private func isEnded(_ start: EventTime, by until: Moment) -> Bool {
    if case .date(let date) = until { return date < start.date }
    return times.instant(of: until, like: start) < times.instant(of: start)
  }

  /// Rejects the end of a repetition before its start.
  private func expect(_ until: Moment, after start: EventTime) throws(EpactError) {
    guard isEnded(start, by: until) else { return }
    let text = WhenText(viewer: times.viewer)
    throw EpactError(
      .argument,
      "expected a repetition that ends after the start, \(text.text(text.moment(start))), found "
        + text.text(until))
  }

  /// Writes the alarms; one that exists already keeps all properties, and one that gets another time
  /// keeps what it does, and is not repeated.
  private func writeAlarms<Content: EditableContent>(to content: inout Content) {
    guard let wanted = details.alarms else { return }
    // An alarm of a reminder is before its due time, also if it has a start.
    let isDue = content is Reminder && content.ending != nil
    let triggers = wanted.map { time -> AlarmTrigger in
      var trigger = time.trigger
      // Without a start, an alarm is relative to the due time (RFC 5545 §3.8.6.3).
      if case .relative(let duration, to: .start) = trigger, isDue,
        content.start == nil || !time.isAnchored
      {
        trigger = .relative(duration, to: .end)
      }
      return trigger
    }
    var known = content.alarms
    let same = triggers.map { trigger in
      known.firstIndex { $0.trigger == trigger }.map { known.remove(at: $0) }
    }
    known.removeAll { $0.snoozedAlarm != nil || $0.action == AlarmAction.none }
    content.alarms = zip(triggers, same).map { trigger, same in
      if let same { return same }
      var alarm = known.isEmpty ? Alarm() : known.removeFirst()
      if alarm.action == nil {
        alarm.action = .display
        alarm.descriptionText = content.summary ?? ""
      }
      (alarm.trigger, alarm.acknowledged) = (trigger, nil)
      (alarm.interval, alarm.repeatCount) = (nil, 0)
      return alarm
    }
  }
}

extension RecurrenceRule {
  /// Whether the rule states hours, minutes or seconds.
  fileprivate var hasTimes: Bool {
    "\(self)".split(separator: ";").contains { part in
      ["BYHOUR=", "BYMINUTE=", "BYSECOND="].contains { part.hasPrefix($0) }
    }
  }

  /// The rule for each of its periods.
  fileprivate var withoutInterval: RecurrenceRule? {
    let parts = "\(self)".split(separator: ";").filter { !$0.hasPrefix("INTERVAL=") }
    return try? RecurrenceRule(parsing: parts.joined(separator: ";"))
  }
}

extension String {
  /// Whether the text is a URI: a scheme, a colon and a rest without spaces (RFC 3986 §3).
  fileprivate var isURI: Bool {
    guard let colon = firstIndex(of: ":"), let first, first.isASCII, first.isLetter else {
      return false
    }
    let rest = self[index(after: colon)...]
    return self[..<colon].allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
    }
      && !rest.isEmpty
      && rest.unicodeScalars.allSatisfy {
        $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace
      }
  }
}

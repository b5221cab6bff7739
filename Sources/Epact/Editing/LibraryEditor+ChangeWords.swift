// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
package import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import Recurrence

extension LibraryEditor {
  /// The maximum number of overlapping events that are named.
  private static var overlapLimit: Int { 3 }

  /// The result of an edit of an item; empty for a removed item.
  ///
  /// - Parameters:
  ///   - change: A change of the edit.
  ///   - edit: The edit, with the other half of a move.
  /// - Returns: The words.
  package func words(for change: ItemRevision, of edit: PreparedEdit) -> ChangeWords {
    guard [.added, .changed, .moved, .copied].contains(change.kind) else {
      return stateWords(for: change)
    }
    var words = self.words(
      from: change.base?.item, to: change.item, at: change.occurrence,
      besides: Set(edit.changes.map(\.uid)))
    if change.kind == .changed, let before = change.base?.item, let after = change.item,
      let earlier = component(of: before, at: change.occurrence),
      let component = component(of: after, at: change.occurrence)
    {
      words.add(.status, statusWords(from: earlier, to: component))
    }
    if change.kind == .moved {
      let other = edit.changes.first { $0.kind == .removed && $0.uid == change.uid }
      words.add(.was, other.map { "in \($0.calendar.name)" })
    }
    if change.kind == .added, let item = change.item, isOver(item) {
      words.add(.past, "this time is in the past")
    } else if change.kind == .added, let item = change.item, isUndated(item) {
      // Words that are not known as words of time are in the title.
      words.add(.undated, "no due date")
    } else if [.added, .changed].contains(change.kind) {
      words.add(.past, passedAlarms(in: change.item, since: change.base?.item))
    }
    return words
  }

  /// The longest time from an alarm to now, in seconds.
  private static var alarmReach: Int64 { 366 * 86_400 }

  /// The new alarms of a single item that is still to come, whose times are over; nil for none.
  private func passedAlarms(in item: CalendarItem?, since before: CalendarItem?) -> String? {
    guard let item, let component = component(of: item, at: nil),
      !Event(component).recurrence.isRecurring
    else { return nil }
    let (times, now) = (times(of: item, zone: nil), machine.now())
    let isReminder = item.kind == .reminder
    guard let due = isReminder ? times.dueTime(of: Reminder(component)) : Event(component).start
    else { return nil }
    let earlier = before.flatMap { self.component(of: $0, at: nil) }
    guard times.instant(of: due) > now || due.isAllDay,
      earlier?.components != component.components || earlier?[.dtStart] != component[.dtStart]
        || earlier?[.due] != component[.due]
    else { return nil }
    guard let first = now.adding(seconds: -Self.alarmReach) else { return nil }
    var query = AlarmQuery(in: first..<now, viewer: viewer, zones: machine.zoneResolver)
    query.add(item)
    let passed = query.alarms.filter { $0.snoozedAlarm == nil && $0.repetition == 0 }
      .compactMap(\.alarm.trigger).map { text(of: $0, anchor: isReminder ? .end : .start) }
    guard !passed.isEmpty else { return nil }
    return passed.count == 1
      ? "the time of the alarm \(passed[0]) is over"
      : "the times of the alarms \(passed.joined(separator: ", ")) are over"
  }

  /// The repetition of a reminder with another status, and its next occurrence if only one has it.
  private func stateWords(for change: ItemRevision) -> ChangeWords {
    var words = ChangeWords()
    if change.kind == .deleted, let time = change.occurrence, let before = change.base?.item,
      let component = component(of: before, at: time), let start = Event(component).start,
      start != time
    {
      // The occurrence was moved, and is known by its own time.
      words.add(.was, when(component, of: before))
    }
    guard [.completed, .cancelled, .started, .reopened, .advanced].contains(change.kind),
      let item = change.item, item.kind == .reminder, let component = component(of: item, at: nil)
    else { return words }
    words.add(.repeat, repetition(of: Event(component), times(of: item, zone: nil)))
    let before = change.base.flatMap { self.component(of: $0.item, at: change.occurrence) }
    if let percent = before.flatMap({ Reminder($0).percentComplete }), (1..<100).contains(percent),
      Reminder(component).percentComplete != percent
    {
      words.add(.was, "\(percent) % done")
    }
    if change.kind == .advanced {
      words.add(.utc, WhenText(viewer: viewer).storage(of: component))
    }
    guard change.occurrence != nil, let series = try? OpenSeries(item, tasks) else { return words }
    let (texts, due) = (WhenText(viewer: viewer), series.occurrence.end.time)
    words.add(.next, texts.text(texts.moment(due)) + texts.zone(of: due))
    return words
  }

  /// The values of an item in words: its length, its repetition and others, and what it overlaps.
  package func words(of item: CalendarItem) -> ChangeWords { words(from: nil, to: item) }

  /// The result of an undo of a change of an item.
  package func words(for item: UndoOutcome.Item) -> ChangeWords {
    var words = words(from: item.before, to: item.after, at: item.occurrence)
    words.add(.was, item.origin.map { "in \($0)" })
    guard let occurrence = item.occurrence else { return words }
    if item.after.map({ component(of: $0, at: occurrence) == nil }) == true {
      words.add(.now, "deleted")
    } else if item.before.map({ component(of: $0, at: occurrence) == nil }) == true {
      words.add(.was, "deleted")
    }
    return words
  }

  /// The values of an override that differ from those of its series, besides the times and the title.
  func ownValues(of override: Component, in item: CalendarItem) -> [String] {
    guard let main = item.main else { return [] }
    let values = { (component: Component) in
      self.values(of: component, item, isPart: true).filter { $0.part != .length }
        + self.texts(of: component)
    }
    let (own, shared) = (values(override), values(main))
    let lost = shared.filter { !own.contains($0) && !own.map(\.part).contains($0.part) }
    return own.filter { !shared.contains($0) }.map(\.phrase) + lost.map { "without \($0.phrase)" }
  }

  /// The values of an item, or of an occurrence, that differ from those of an earlier version, with the
  /// new time.
  func changes(
    from before: CalendarItem, to after: CalendarItem, at occurrence: EventTime? = nil
  ) -> ChangeWords {
    var words = words(from: before, to: after, at: occurrence)
    let earlier = self.words(from: nil, to: before, at: occurrence).values
    let isDeclined = words.values.contains { $0 == .init(part: .answer, text: "declined") }
    words.values.removeAll { value in
      value.part == .overlaps ? isDeclined : earlier.contains(value) && value != .cancelled
    }
    let time = when(after)
    if occurrence == nil, !time.isEmpty, time != when(before) {
      words.values.insert(ChangeWords.Value(part: .now, text: time), at: 0)
    }
    return words
  }

  private func words(
    from before: CalendarItem?, to after: CalendarItem?, at occurrence: EventTime? = nil,
    besides others: Set<UID> = []
  ) -> ChangeWords {
    guard let after, let component = component(of: after, at: occurrence) else {
      return ChangeWords()
    }
    let (times, event) = (times(of: after, zone: nil), Event(component))
    var words = ChangeWords(values: values(of: component, after, isPart: occurrence != nil))
    let texts = texts(of: component)
    if let before, let earlier = self.component(of: before, at: occurrence) {
      let earlierTexts = self.texts(of: earlier)
      // Of a note, only the first line is shown.
      let isNoteNew = Event(earlier).descriptionText != event.descriptionText
      words.values += texts.filter { text in
        !earlierTexts.contains(text) || text == .cancelled || isNoteNew && text.part == .note
      }
      let (now, was) = (when(component, of: after), when(earlier, of: before))
      // An earlier time has the earlier length.
      let lost =
        values(of: earlier, before, isPart: occurrence != nil).filter { value in
          !words.values.contains(value) && (was == now || value.part != .length)
        } + earlierTexts.filter { !texts.contains($0) }
      if was != now, occurrence != nil { words.add(.now, now) }
      let title = Event(earlier).summary.flatMap { $0 == event.summary ? nil : "\"\($0)\"" }
      let time = was == now ? nil : was.isEmpty ? "without a date" : was
      words.add(
        .was,
        ([title, time].compactMap(\.self) + lost.map(\.phrase)).joined(separator: ", "))
      for text in DependentProperties.losses(from: earlier, to: component) {
        words.add(.lost, text)
      }
    } else {
      words.values += texts
    }
    if occurrence == nil {
      for text in event.recurrence.skipWords(from: event.start) { words.add(.skips, text) }
    }
    guard after.kind == .event else { return words }
    words.add(
      .ends, WhenText(viewer: viewer).foreignEnd(event.end, from: event.start, times))
    words.add(.here, local(event, times))
    for text in overlaps(of: event, others.union([after.uid]), times) { words.add(.overlaps, text) }
    return words
  }

  /// The length, the repetition, the alarms and the location of a component.
  private func values(
    of component: Component, _ item: CalendarItem, isPart: Bool
  ) -> [ChangeWords.Value] {
    let (times, event) = (times(of: item, zone: nil), Event(component))
    var words = ChangeWords()
    if item.kind == .event {
      words.add(.length, length(of: event, times))
    } else if let start = event.start, start != times.dueTime(of: Reminder(component)) {
      let texts = WhenText(viewer: viewer)
      words.add(.start, texts.text(texts.moment(start)) + texts.zone(of: start))
    }
    if case .floating? = event.start { words.add(.floating, "in no time zone") }
    words.add(.utc, WhenText(viewer: viewer).storage(of: component))
    if !isPart { words.add(.repeat, repetition(of: event, times)) }
    let isDue = item.kind == .reminder && Reminder(component).ending != nil
    let anchor: AlarmTrigger.Anchor = isDue ? .end : .start
    for alarm in event.alarms where alarm.action != AlarmAction.none {
      guard let trigger = alarm.trigger else { continue }
      words.add(.alarm, self.text(of: trigger, anchor: anchor))
    }
    words.add(.place, event.location?.split(whereSeparator: \.isNewline).joined(separator: " "))
    return words.values
  }

  /// The categories, the priority, the address, the first line of the description and the answer.
  private func texts(of component: Component) -> [ChangeWords.Value] {
    let event = Event(component)
    var words = ChangeWords()
    words.add(.categories, event.categories.joined(separator: ", "))
    words.add(.classification, event.classification.text)
    words.add(.priority, Priority(event.priority)?.text)
    words.add(.url, event.url)
    let note = event.descriptionText?.split(whereSeparator: \.isNewline).first.map(String.init)
    let isCut = note.map { $0.count > Self.noteLimit } ?? false
    words.add(.note, note.map { isCut ? "\($0.prefix(Self.noteLimit))…" : $0 })
    words.add(.people, people(in: event))
    if component.name == Reminder.componentName {
      let parent = Reminder(component).relations.first { $0.type == .parent }
      words.add(.parent, parent.map { title(of: UID($0.target)) ?? $0.target })
    }
    for answer in answers(in: event) { words.add(.answer, answer) }
    if component.name != Reminder.componentName {
      words.add(.status, component[.status]?.text.lowercased())
    }
    return words.values
  }

  /// The new status of a reminder; nil for the same one, and for other items.
  private func statusWords(from before: Component, to after: Component) -> String? {
    guard after.name == Reminder.componentName else { return nil }
    let (old, new) = (before[.status]?.text.lowercased(), after[.status]?.text.lowercased())
    guard old != new else { return nil }
    return new == nil || new == "needs-action" ? "open" : new
  }

  /// The first attendees other than the organizer and the user, with the number of the others.
  private func people(in event: Event) -> String? {
    guard let organizer = event.organizer else { return nil }
    let user = userAddresses
    let known = user.union([organizer.address])
    let names = event.attendees.filter { !$0.isAny(of: known) }.map(\.displayName)
    let rest = names.count - Self.peopleLimit
    return (names.prefix(Self.peopleLimit) + (rest > 0 ? ["\(rest) more"] : []))
      .joined(separator: ", ")
  }

  /// The maximum number of attendees that are named.
  private static var peopleLimit: Int { 5 }

  /// The user's answer to an invitation of somebody else, or the answers of others to one's own.
  private func answers(in event: Event) -> [String] {
    guard let organizer = event.organizer else { return [] }
    let user = userAddresses
    let isOwn = organizer.address.isAny(of: user)
    let known = event.attendees.filter { attendee in
      attendee.participationStatus != .needsAction && attendee.isAny(of: user) != isOwn
    }
    guard !isOwn else { return known.map { "\($0.displayName) \($0.participationStatus.text)" } }
    return known.first.map { [$0.participationStatus.text] } ?? []
  }

  /// The maximum number of characters of a description that are shown.
  private static var noteLimit: Int { 60 }

  /// Whether a reminder has neither a start nor a due date.
  private func isUndated(_ item: CalendarItem) -> Bool {
    item.kind == .reminder
      && item.components.allSatisfy { Event($0).start == nil && Reminder($0).due == nil }
  }

  /// Whether a single event has begun, or a single reminder is overdue; days are over as a whole.
  private func isOver(_ item: CalendarItem) -> Bool {
    guard let component = component(of: item, at: nil), !Event(component).recurrence.isRecurring
    else { return false }
    let times = times(of: item, zone: nil)
    let event = Event(component)
    let time = item.kind == .reminder ? Reminder(component).dueTime : event.start
    guard let time else { return false }
    guard time.isAllDay else { return times.instant(of: time) < machine.now() }
    let last = item.kind == .reminder ? nil : times.time(of: event.end, from: time)?.date
    let end = last ?? time.date.adding(days: 1) ?? time.date
    return viewer.instant(of: CivilDateTime(end, .midnight)) <= machine.now()
  }

  // MARK: Values

  /// The text of an alarm; a fixed one is in the viewer's zone.
  private func text(of trigger: AlarmTrigger, anchor: AlarmTrigger.Anchor) -> String {
    guard case .absolute(let instant) = trigger, let wall = viewer.civil(at: instant) else {
      return AlarmTime(trigger).text(anchor: anchor)
    }
    return MomentReading(zone: viewer).text(.local(wall))
  }

  private func length(of event: Event, _ times: TimeWriting) -> String? {
    guard let start = event.start, let end = times.time(of: event.end, from: start) else {
      return nil
    }
    if case .date(let first) = start, case .date(let last) = end {
      return Count(last.dayNumber - first.dayNumber, "day").description
    }
    // The local time of the end may occur twice, and the length of a duration is exact.
    var rest =
      times.instant(of: event.end, from: start).secondsSinceEpoch
      - times.instant(of: start).secondsSinceEpoch
    guard rest > 0 else { return nil }
    let isShifted =
      start.tzID != nil && start.tzID == end.tzID
      && end.wallTime.wallSeconds - start.wallTime.wallSeconds != rest
    var parts: [String] = []
    for (size, unit) in [(Int64(86_400), "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
    where rest >= size {
      parts.append(Count(Int(rest / size), unit).description)
      rest %= size
    }
    return parts.joined(separator: " ") + (isShifted ? ", the clocks change in between" : "")
  }

  /// The rules as sentences, whose last day is that of the item's zone, and the additional dates.
  private func repetition(of event: Event, _ times: TimeWriting) -> String {
    let zone = (try? times.rules(for: event.start)) ?? viewer
    let rules = event.recurrence.rules.map { rule in
      let all = event.start.map { rule.phrases(from: $0.wallTime.date) } ?? rule.phrases
      // An end before the time of the occurrences excludes its day.
      let time = event.start.flatMap { $0.isAllDay ? nil : $0.wallTime.time } ?? .midnight
      func until(_ wall: CivilDateTime) -> RulePhrase {
        .until(wall.time < time ? .local(wall) : .date(wall.date))
      }
      let phrases = all.map { phrase -> RulePhrase in
        switch phrase {
        case .until(.utc(let wall)):
          zone.civil(at: Instant(utc: wall)).map(until) ?? .until(.utc(wall))
        case .until(.local(let wall)): until(wall)
        default: phrase
        }
      }
      return EnglishRuleLanguage().sentence(of: phrases)
    }.joined(separator: " and ")
    guard let dates = dates(of: event.recurrence.dates.map(\.start)) else { return rules }
    return rules.isEmpty ? "also on \(dates)" : "\(rules), and on \(dates)"
  }

  private func local(_ event: Event, _ times: TimeWriting) -> String? {
    guard let start = event.start else { return nil }
    let end = times.time(of: event.end, from: start)
    guard isForeign(start) || end.map(isForeign) ?? false else { return nil }
    return local(times.instant(of: start), end.map { times.instant(of: $0) })
  }

  private func isForeign(_ time: EventTime) -> Bool {
    if case .zoned(_, let tzID) = time { tzID != viewer.name } else { false }
  }

  /// A start and an end in the viewer's zone.
  private func local(_ start: Instant, _ end: Instant?) -> String? {
    guard let first = viewer.civil(at: start) else { return nil }
    let texts = MomentReading(zone: viewer)
    guard let end, end != start, let last = viewer.civil(at: end) else {
      return texts.text(.local(first))
    }
    return texts.text(from: .local(first), to: .local(last))
  }

  // MARK: Other events

  /// The other events that make the user busy during the first occurrence of an event.
  ///
  /// Events of whole days are left out on both sides, and so are the items of the edit and copies of mirrors. A calendar
  /// that cannot be read is left out, because the edit is made nevertheless.
  private func overlaps(
    of event: Event, _ changed: Set<UID>, _ times: TimeWriting
  ) -> [String] {
    guard let start = event.start, !start.isAllDay, event.transparency != .transparent,
      event.status != .cancelled
    else { return [] }
    let lower = times.instant(of: start)
    let end = times.time(of: event.end, from: start).map { times.instant(of: $0) }
    guard let upper = end ?? lower.adding(seconds: 1), lower < upper,
      let calendars = try? library.calendars()
    else { return [] }
    var options = OccurrenceOptions()
    options.recurrence = machine.recurrenceOptions
    var query = OccurrenceQuery(
      in: lower..<upper, viewer: viewer, zones: machine.zoneResolver, options: options)
    for (source, calendar) in calendars.enumerated() {
      guard let entries = try? library.entries(of: calendar, in: lower..<upper) else { continue }
      for entry in entries
      where !changed.contains(entry.item.uid) && !library.isCopy(entry.item.uid, in: calendar) {
        query.add(entry.item, source: source)
      }
    }
    var (texts, count): ([String], Int) = ([], 0)
    let user = itemEditor.userAddresses
    for occurrence in query.occurrences().prefix(FreeBusy.limit) {
      guard FreeBusy.kind(of: occurrence, allDayBlocks: false, user: user) != nil,
        !occurrence.isAllDay,
        let time = local(occurrence.interval.lowerBound, occurrence.interval.upperBound)
      else { continue }
      count += 1
      guard count <= Self.overlapLimit else { continue }
      texts.append("\(occurrence.title), \(time) in \(calendars[occurrence.source].name)")
    }
    if count > texts.count { texts.append("\(Count(count - texts.count, "other event"))") }
    return texts
  }
}

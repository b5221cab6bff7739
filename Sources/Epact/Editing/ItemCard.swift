// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
public import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

/// The values of an item as short texts, for people.
///
/// It has the values that an everyday edit can change, and those that explain the item.
package struct ItemCard: Sendable {
  /// A value of the item.
  package struct Row: Hashable, Sendable {
    /// A value that can be changed in the form of an item.
    package enum Field: String, Hashable, Sendable, CaseIterable {
      case title, when, due, start, zone, calendar, place = "where", `repeat`, alarms, priority
      case status, categories, classification = "class", url, note
    }

    /// The label.
    package let label: String
    /// The text; empty if the item has no such value.
    package let text: String
    /// The text in the form of an item, which can be read again.
    package var formText: String
    /// The field; nil for a value that cannot be changed.
    package let field: Field?
  }

  /// The title.
  package let title: String
  /// The values, with empty ones for fields without a value.
  package private(set) var rows: [Row] = []

  /// Creates the card of an item, or of an occurrence.
  ///
  /// - Parameters:
  ///   - found: The item.
  ///   - occurrence: The original start of the occurrence; nil for the item as a whole.
  ///   - editor: The time zones and the clock.
  package init(_ found: FoundItem, at occurrence: EventTime? = nil, _ editor: LibraryEditor) {
    title = found.item.title
    guard let component = editor.component(of: found.item, at: occurrence) else { return }
    let times = editor.times(of: found.item, zone: nil)
    let when = WhenText(viewer: editor.viewer)
    switch found.item.kind {
    case .reminder: add(Reminder(component), found, when, times)
    case .journal: add(Journal(component), found, when)
    default: add(Event(component), found, when, times)
    }
    addUnreadable(component)
    let next = found.isSeries ? editor.nextOccurrence(of: found) : nil
    if let next { add("next", when.text(when.moment(next.start.time))) }
    let zone = Event(component).start?.tzID
    for override in found.item.overrides.prefix(Self.overrideLimit) {
      let content = Event(override)
      let id = content.recurrenceID.map { when.text(when.moment($0.time)) } ?? ""
      let due = found.item.kind == .reminder ? times.dueTime(of: Reminder(override)) : nil
      let start =
        due.map { when.text(when.moment($0)) }
        ?? content.start.map { start in
          guard when.foreignEnd(content.end, from: start, times) == nil else {
            return when.sentence(from: start, to: content.end, times)
          }
          // The row of the zone is that of the series.
          let own = start.tzID.flatMap { $0 == zone ? nil : " \($0)" } ?? ""
          return when.text(from: start, to: content.end, times) + own
        } ?? ""
      let title = content.summary.flatMap { $0 == found.item.title ? nil : "\"\($0)\"" }
      let others = editor.ownValues(of: override, in: found.item)
      let values = ([title, id == start ? nil : start].compactMap(\.self) + others)
        .joined(separator: ", ")
      add("changed", values.isEmpty ? id : "\(id): \(values)")
    }
    if occurrence == nil { addDates(component, when) }
    add("uid", found.item.uid.rawValue)
  }

  /// Creates the card of a part of a series, whose values an edit changes.
  init(_ found: FoundItem, _ span: EditSpan, _ editor: LibraryEditor) {
    switch span {
    case .all: self.init(found, editor)
    case .occurrence(let time): self.init(found, at: time, editor)
    case .future(let time):
      // The later part keeps the recurrence.
      let whole = ItemCard(found, editor)
      self = ItemCard(found, at: time, editor).keeping([.repeat], of: whole)
    }
  }

  /// The card with some values of another one.
  func keeping(_ fields: Set<Row.Field>, of other: ItemCard) -> ItemCard {
    var card = self
    card.rows = rows.map { row in
      guard let field = row.field, fields.contains(field) else { return row }
      return other.rows.first { $0.field == field } ?? row
    }
    return card
  }

  /// The maximum number of changed occurrences that are listed.
  private static let overrideLimit = 20

  /// Adds the single dates of a series, and those on which it does not take place.
  private mutating func addDates(_ main: Component, _ when: WhenText) {
    for date in Event(main).recurrence.dates.prefix(Self.overrideLimit) {
      add("also", when.text(when.moment(date.start)))
    }
    let dates = Event(main).recurrence.excludedDates
    for date in dates.prefix(Self.overrideLimit) { add("deleted", when.text(when.moment(date))) }
    let rest = dates.count - Self.overrideLimit
    if rest > 0 { add("deleted", Count(rest, "other date").description) }
  }

  private mutating func add(_ label: String, _ text: String) {
    rows.append(Row(label: label, text: text, formText: text, field: nil))
  }

  private mutating func add(_ field: Row.Field, _ text: String?, form: String? = nil) {
    let text = text ?? ""
    rows.append(
      Row(label: field.rawValue, text: text, formText: form ?? text, field: field))
  }

  // MARK: Kinds

  private mutating func add(
    _ event: Event, _ found: FoundItem, _ when: WhenText, _ times: TimeWriting
  ) {
    add(.title, event.summary.map(Self.line))
    if when.foreignEnd(event.end, from: event.start, times) == nil {
      add(.when, event.start.map { when.text(from: $0, to: event.end, times) })
    } else {
      // A zone after a range is that of both ends, so that the form has the start alone.
      add(
        .when, event.start.map { when.sentence(from: $0, to: event.end, times) },
        form: event.start.map { when.text(when.moment($0)) })
    }
    addZone(of: event.start, when)
    addCommon(event, found, anchor: .start)
    if let status = event.status { add("status", status.rawValue.lowercased()) }
    addPeople(event)
    add(.note, event.descriptionText)
  }

  private mutating func add(
    _ reminder: Reminder, _ found: FoundItem, _ when: WhenText, _ times: TimeWriting
  ) {
    add(.title, reminder.summary.map(Self.line))
    let due = times.dueTime(of: reminder)
    add(.due, due.map { when.text(when.moment($0)) })
    add(.start, reminder.start.map { when.text(when.moment($0)) })
    addZone(of: due ?? reminder.start, when)
    addCommon(reminder, found, anchor: reminder.ending == nil ? .start : .end)
    add(.priority, Priority(reminder.priority)?.text)
    add(.status, (reminder.statedStatus ?? .needsAction).text)
    if let completed = reminder.completed?.civil() {
      add("completed", when.text(when.moment(.utc(completed))))
    }
    for parent in reminder.relations where parent.type == .parent { add("parent", parent.target) }
    addPeople(reminder)
    add(.note, reminder.descriptionText)
  }

  private mutating func add(_ journal: Journal, _ found: FoundItem, _ when: WhenText) {
    add(.title, journal.summary.map(Self.line))
    add(.when, journal.start.map { when.text(when.moment($0)) })
    addZone(of: journal.start, when)
    add(.calendar, found.calendar.name)
    addRepetition(of: journal)
    addLabels(of: journal)
    if let status = journal.status { add("status", status.text) }
    addPeople(journal)
    add(.note, journal.descriptionTexts.joined(separator: "\n\n"))
  }

  /// Adds the times that cannot be read, as they are in the file.
  private mutating func addUnreadable(_ component: Component) {
    for text in component.unreadableTimes { add("unreadable", text) }
  }

  private mutating func addCommon(
    _ content: some EditableContent, _ found: FoundItem, anchor: AlarmTrigger.Anchor
  ) {
    add(.calendar, found.calendar.name)
    add(.place, content.location.map(Self.line))
    addRepetition(of: content)
    let alarms = content.alarms.filter { $0.action != AlarmAction.none }
      .compactMap(\.trigger).map { AlarmTime($0).text(anchor: anchor) }
    add(.alarms, alarms.joined(separator: ", "))
    addLabels(of: content)
  }

  private mutating func addRepetition(of content: some ItemContent) {
    add(
      .repeat, content.recurrence.rules.map { Repetition.text(of: $0) }.joined(separator: " and "))
  }

  private mutating func addLabels(of content: some ItemContent) {
    add(.categories, content.categories.joined(separator: ", "))
    add(.classification, content.classification.text)
    add(.url, content.url)
  }

  private mutating func addPeople(_ content: some ItemContent) {
    if let organizer = content.organizer {
      add("organizer", Self.person(organizer.commonName, organizer.address))
    }
    for attendee in content.attendees {
      let person = Self.person(attendee.commonName, attendee.address)
      add("attendee", "\(person), \(attendee.participationStatus.text)")
    }
  }

  // MARK: Texts

  private static func person(_ name: String?, _ address: CalendarAddress) -> String {
    let email = address.email ?? address.rawValue
    return name.map { "\($0) <\(email)>" } ?? email
  }

  /// Adds the zone of the times; those of an item in UTC are shown in the viewer's zone.
  private mutating func addZone(of time: EventTime?, _ when: WhenText) {
    switch time {
    case .zoned(_, let tzID): add(.zone, tzID)
    case .utc:
      let viewer = when.viewer.name
      add(.zone, viewer == "UTC" ? viewer : "\(viewer), stored in UTC", form: "")
    case .floating: add(.zone, TimeWriting.floating)
    case .date, nil: add(.zone, nil)
    }
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension Component {
  /// The properties of times and of the recurrence whose values cannot be read, as `NAME:value`.
  package var unreadableTimes: [String] {
    let times = [PropertyName.dtStart, .dtEnd, .due, .duration].compactMap { self[$0] }
      .filter { $0.typedValues.first == nil }
    let rules = properties(named: .rRule)
    let areRead = Event(self).recurrence.rules.count == rules.count
    return (times + (areRead ? [] : rules)).map { "\($0.name.canonicalName):\($0.rawValue)" }
  }
}

extension ParticipationStatus {
  /// The word for people, such as `accepted` or `no answer`.
  package var text: String {
    switch self {
    case .needsAction: "no answer"
    case .inProcess: "in process"
    default: rawValue.lowercased()
    }
  }
}

/// A priority as users write it (RFC 5545 §3.8.1.9).
public enum Priority: Int, Hashable, Sendable, CaseIterable {
  /// From 1 through 4.
  case high = 1
  /// 5.
  case medium = 5
  /// From 6 through 9.
  case low = 9

  /// The range of a number; nil for 0, which is none.
  public init?(_ number: Int) {
    switch number {
    case 1...4: self = .high
    case 5: self = .medium
    case 6...9: self = .low
    default: return nil
    }
  }

  /// The word.
  public var text: String { "\(self)" }

  /// The number for a word or a number from 0 through 9; nil if the text is neither.
  public static func number(_ text: String) -> Int? {
    let word = text.lowercased()
    if word == "none" || word.isEmpty { return 0 }
    if let number = Int(word), 0...9 ~= number { return number }
    return allCases.first { $0.text == word }?.rawValue
  }
}

extension ReminderStatus {
  /// The word for people.
  public var text: String {
    switch self {
    case .needsAction: "open"
    case .inProcess: "started"
    case .completed: "done"
    case .cancelled: "cancelled"
    }
  }

  /// The status with a word.
  public init?(word: String) {
    guard let status = Self.allCases.first(where: { $0.text == word.lowercased() }) else {
      return nil
    }
    self = status
  }
}

extension Reminder {
  /// Sets the status with the properties that depend on it.
  mutating func set(_ status: ReminderStatus, at now: Instant) {
    self.status = status
    completed = status == .completed ? now : nil
    if status == .completed {
      percentComplete = 100
    } else if percentComplete == 100 || status == .needsAction {
      percentComplete = nil
    }
  }
}

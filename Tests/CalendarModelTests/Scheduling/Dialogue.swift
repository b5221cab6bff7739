// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence
import TestSupport

/// A random dialogue between an organizer and three attendees (RFC 5546), beside what the RFC expects.
///
/// Each person has a calendar with the meeting. Messages get lost, come twice and in another order.
/// Between them, everyone changes what is their own: alarms, categories and answers.
struct Dialogue {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// A message on its way.
  private struct Letter {
    let message: SchedulingMessage
    /// The attendee who receives it, or who sent it to the organizer.
    let attendee: Int
    let isToOrganizer: Bool
  }

  /// What an attendee knows by RFC 5546: the latest revision of the series that came, and the last
  /// own answer to it.
  private struct Knowledge {
    var revision = SchedulingRevision(sequence: -1, stamp: "")
    var title = ""
    var start = ""
    var isInvited = false
    var isCancelled = false
    var answer = "NEEDS-ACTION"
    /// Whether the answer was given since the last new times.
    var isOwnAnswer = false
  }

  /// What the organizer knows of an attendee: the last answer that counts.
  private struct Answer {
    var status = "NEEDS-ACTION"
    var revision: SchedulingRevision?
    var isInvited = true
  }

  private static let addresses = ["a", "b", "c", "d"].map {
    CalendarAddress("mailto:\($0)@example.com")
  }
  private static let words = ["ACCEPTED", "DECLINED", "TENTATIVE"]

  private var random: SeededGenerator
  private let loses: Bool
  private let isSeries: Bool
  private var now = Instant(secondsSinceEpoch: 1_769_990_400)  // 20260202T000000Z
  private var meeting: CalendarItem
  private var calendars: [CalendarItem?] = [nil, nil, nil]
  private var letters: [Letter] = []
  private var knowledge = [Knowledge(), Knowledge(), Knowledge()]
  private var answers = [Answer(), Answer(), Answer()]
  /// The lowest SEQUENCE of the series whose answers count.
  private var answered = 0
  private var isCancelled = false
  private(set) var log: [String] = []
  /// The number of applied and of outdated messages.
  private(set) var counts = (applied: 0, stale: 0)

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    loses = Bool.random(using: &random)
    isSeries = Bool.random(using: &random)
    meeting = try SchedulingScene.item(
      [
        "BEGIN:VEVENT", "UID:meeting", "DTSTAMP:20260101T000000Z",
        "DTSTART;TZID=Europe/Vienna:20260302T090000", "DTEND;TZID=Europe/Vienna:20260302T100000",
      ] + (isSeries ? ["RRULE:FREQ=DAILY;COUNT=6"] : []) + [
        "ORGANIZER:mailto:a@example.com", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@example.com",
        "ATTENDEE;RSVP=TRUE:mailto:b@example.com", "ATTENDEE;RSVP=TRUE:mailto:c@example.com",
        "ATTENDEE;RSVP=TRUE:mailto:d@example.com", "SUMMARY:0", "END:VEVENT",
      ])
  }

  /// Plays the dialogue.
  mutating func play() throws {
    try send(from: nil, to: meeting)
    for step in 1...Int.random(in: 6...30, using: &random) {
      now = now.adding(seconds: 60) ?? now
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: if !isCancelled { try organize(step) }
      case 3...5: try attend(Int.random(in: 0..<3, using: &random), step)
      default: try deliverAny()
      }
      try check()
    }
    while !letters.isEmpty { try deliverAny() }
    try check()
    try finish()
  }

  private func fail(_ reason: String) -> Failure {
    let items = ([meeting] + calendars.compactMap(\.self)).map {
      String(decoding: $0.serialized(), as: UTF8.self)
    }
    return Failure(description: ([reason] + log + items).joined(separator: "\n"))
  }
}

// MARK: What people do

extension Dialogue {
  private func editor(of person: CalendarAddress?) -> ItemEditor {
    var editor = ItemEditor(zones: SchedulingScene.resolver, now: now) { UID("other") }
    editor.userAddresses = person.map { [$0] } ?? []
    return editor
  }

  private mutating func organize(_ step: Int) throws {
    let before = meeting
    let kind = Int.random(in: 0..<9, using: &random)
    if kind == 8, Int.random(in: 0..<4, using: &random) == 0 {
      isCancelled = true
      log.append("\(step): the organizer cancels the meeting")
      return try send(from: before, to: nil)
    }
    let changed = kind < 6 ? try changedTimes(kind, step) : try changedPeople(kind, step)
    guard let after = changed, after.calendar != before.calendar else { return }
    log.append("\(step): the organizer changes the meeting")
    meeting = after
    if let main = after.main, main[.dtStart] != before.main?[.dtStart] {
      // New times ask all attendees again (§3.2.2.1).
      answered = Event(main).sequence
      for place in answers.indices { answers[place] = Answer(isInvited: answers[place].isInvited) }
    }
    try send(from: before, to: after)
  }

  /// The meeting with another title or other times; nil for no change.
  private mutating func changedTimes(_ kind: Int, _ step: Int) throws -> CalendarItem? {
    let editor = editor(of: Self.addresses[0])
    switch kind {
    case 0, 1: return try edited(editor, .all) { $0.summary = "\(step)" }
    case 2:
      let hour = Int.random(in: 8...18, using: &random)
      return try edited(editor, .all) { $0.move(toHour: hour) }
    case 3, 4:
      guard let time = try occurrence() else { return nil }
      let hour = Int.random(in: 8...18, using: &random)
      let moves = Bool.random(using: &random)
      return try edited(editor, .occurrence(time)) { event in
        event.summary = "\(step) alone"
        if moves { event.move(toHour: hour) }
      }
    default:
      guard let time = try occurrence(), isSeries else { return nil }
      return try editor.delete(meeting, .occurrence(time)).item
    }
  }

  /// The meeting with other attendees, or with an alarm of the organizer; nil for no change.
  private mutating func changedPeople(_ kind: Int, _ step: Int) throws -> CalendarItem? {
    let editor = editor(of: Self.addresses[0])
    switch kind {
    case 6:
      let guests = answers.indices.filter { answers[$0].isInvited }
      guard guests.count > 2, let place = guests.randomElement(using: &random) else { return nil }
      let after = try edited(editor, .all) { event in
        event.attendees.removeAll { $0.address == Self.addresses[place + 1] }
      }
      answers[place].isInvited = false
      return after
    case 7:
      guard let place = answers.firstIndex(where: { !$0.isInvited }) else { return nil }
      let after = try edited(editor, .all) {
        $0.attendees.append(Attendee(Self.addresses[place + 1]))
      }
      answers[place] = Answer()
      return after
    default:
      return try edited(editor, .all) { event in
        var alarm = Alarm()
        alarm.action = .display
        alarm.descriptionText = "\(step)"
        alarm.trigger = .relative(-.minutes(step), to: .start)
        event.alarms = [alarm]
      }
    }
  }

  private func edited(
    _ editor: ItemEditor, _ span: EditSpan, _ change: (inout Event) -> Void
  ) throws -> CalendarItem? {
    try editor.edit(meeting, span, change).item
  }

  /// The original start of an occurrence of the organizer.
  private mutating func occurrence() throws -> EventTime? {
    guard let main = meeting.main, let start = Event(main).start else { return nil }
    guard isSeries else { return start }
    let day = Int.random(in: 0..<6, using: &random)
    guard let date = start.date.adding(days: day) else { return nil }
    let time = EventTime.zoned(
      CivilDateTime(date, start.wallTime.time), tzID: "Europe/Vienna")
    return Event(main).recurrence.excludedDates.contains(time) ? nil : time
  }

  private mutating func attend(_ place: Int, _ step: Int) throws {
    guard let item = calendars[place], item.main != nil else { return }
    let address = Self.addresses[place + 1]
    if Int.random(in: 0..<3, using: &random) == 0 {
      // The address is known to the program, or it is not.
      let editor = editor(of: Bool.random(using: &random) ? address : nil)
      calendars[place] = try editor.edit(item, .all) { (event: inout Event) in
        var alarm = Alarm()
        alarm.action = .display
        alarm.descriptionText = "\(address) \(step)"
        alarm.trigger = .relative(-.minutes(step), to: .start)
        event.alarms = [alarm]
      }.item
      log.append("\(step): \(address) sets an alarm")
      return
    }
    guard knowledge[place].isInvited, !knowledge[place].isCancelled else { return }
    let word = Self.words.randomElement(using: &random) ?? "ACCEPTED"
    let answer = SchedulingAnswer(ParticipationStatus(rawValue: word), by: address)
    let reply = try answer.reply(to: item, at: now)
    _ = try apply(reply, at: place)
    (knowledge[place].answer, knowledge[place].isOwnAnswer) = (word, true)
    log.append("\(step): \(address) answers \(word)")
    post(Letter(message: reply, attendee: place, isToOrganizer: true))
  }

  private mutating func send(from before: CalendarItem?, to after: CalendarItem?) throws {
    let change = MeetingChange(from: before, to: after, zones: SchedulingScene.resolver)
    for message in try change.messages(at: now) {
      now = now.adding(seconds: 1) ?? now
      for guest in message.guests {
        guard let place = Self.addresses.dropFirst().firstIndex(of: guest.address) else { continue }
        post(Letter(message: message, attendee: place - 1, isToOrganizer: false))
      }
    }
  }

  /// Sends a letter, which may get lost, or come twice.
  private mutating func post(_ letter: Letter) {
    if loses, Int.random(in: 0..<4, using: &random) == 0 { return }
    letters.append(letter)
    if Int.random(in: 0..<8, using: &random) == 0 { letters.append(letter) }
  }
}

// MARK: Delivery

extension Dialogue {
  private mutating func deliverAny() throws {
    guard let place = letters.indices.randomElement(using: &random) else { return }
    let letter = letters.remove(at: place)
    let message = letter.message
    let main = message.item.main
    let text =
      "\(message.method.rawValue) \(main == nil ? "occurrence" : "series") "
      + "\(message.item.components.map { revision(of: $0).description })"
    if letter.isToOrganizer {
      log.append("the organizer gets \(text) of \(Self.addresses[letter.attendee + 1])")
      if let main { note(answer: main, of: letter.attendee) }
      var scheduled = ScheduledItem(meeting, zones: SchedulingScene.resolver)
      count(scheduled.apply(message))
      meeting = scheduled.item ?? meeting
      return
    }
    log.append("\(Self.addresses[letter.attendee + 1]) gets \(text)")
    if let main { note(main, message.method, at: letter.attendee) }
    count(try apply(message, at: letter.attendee))
  }

  private mutating func apply(
    _ message: SchedulingMessage, at place: Int
  ) throws -> [SchedulingResult] {
    var scheduled = ScheduledItem(calendars[place], zones: SchedulingScene.resolver)
    let results = scheduled.apply(message)
    calendars[place] = scheduled.item
    return results
  }

  private mutating func count(_ results: [SchedulingResult]) {
    for result in results {
      switch result.outcome {
      case .stale: counts.stale += 1
      case .updated, .added: counts.applied += 1
      default: break
      }
    }
  }

  private func revision(of component: Component) -> SchedulingRevision {
    SchedulingRevision(
      sequence: component[.sequence].flatMap { Int($0.rawValue) } ?? 0,
      stamp: component[.dtStamp]?.rawValue ?? "")
  }
}

// MARK: What the RFC expects

extension Dialogue {
  /// The latest revision obsoletes all others (§2.1.5).
  ///
  /// It has the highest SEQUENCE, and of those with the same one the latest DTSTAMP. An unchanged
  /// SEQUENCE asks for no new answer (§2.1.4).
  private mutating func note(_ series: Component, _ method: SchedulingMethod, at place: Int) {
    let incoming = revision(of: series)
    let known = knowledge[place].revision
    guard known.stamp.isEmpty || !incoming.isEarlier(than: known), incoming != known else { return }
    let address = Self.addresses[place + 1]
    let own = series.properties(named: .attendee).first { CalendarAddress($0.rawValue) == address }
    if method == .cancel {
      // A cancellation of what never came is of nothing.
      guard !knowledge[place].revision.stamp.isEmpty else { return }
      knowledge[place].revision = incoming
      if series[.status] == nil {
        knowledge[place].isInvited = false
      } else {
        knowledge[place].isCancelled = true
      }
      return
    }
    let isMajor = incoming.sequence > knowledge[place].revision.sequence
    let wasInvited = knowledge[place].isInvited
    knowledge[place].revision = incoming
    knowledge[place].title = series[.summary]?.text ?? ""
    knowledge[place].start = series[.dtStart]?.rawValue ?? ""
    knowledge[place].isInvited = own != nil
    knowledge[place].isCancelled = false
    let given = own?[.participationStatus] ?? "NEEDS-ACTION"
    if isMajor || !wasInvited || !knowledge[place].isOwnAnswer && given != "NEEDS-ACTION" {
      (knowledge[place].answer, knowledge[place].isOwnAnswer) = (given, false)
    }
  }

  /// The latest reply of an attendee obsoletes all others (§2.1.5).
  ///
  /// A reply to times that have changed since answers another question.
  private mutating func note(answer reply: Component, of place: Int) {
    let incoming = revision(of: reply)
    guard answers[place].isInvited, incoming.sequence >= answered,
      answers[place].revision.map({ !incoming.isEarlier(than: $0) }) ?? true
    else { return }
    answers[place].revision = incoming
    answers[place].status = reply[.attendee]?[.participationStatus] ?? ""
  }

  private func answer(of place: Int, in item: CalendarItem?) -> String? {
    item?.main?.properties(named: .attendee)
      .first { CalendarAddress($0.rawValue) == Self.addresses[place + 1] }
      .map { $0[.participationStatus] ?? "NEEDS-ACTION" }
  }

  /// Compares the series in all calendars.
  private func check() throws {
    for place in answers.indices {
      let stored = answer(of: place, in: meeting)
      let expected = answers[place].isInvited ? answers[place].status : nil
      guard stored == expected else {
        throw fail(
          "the organizer has \(stored ?? "none") of \(place + 1), "
            + "expected \(expected ?? "none")")
      }
      let known = knowledge[place]
      guard let main = calendars[place]?.main else {
        guard known.revision.stamp.isEmpty else { throw fail("\(place + 1) has no series") }
        continue
      }
      let isCancelled = main[.status]?.text == "CANCELLED"
      let own = answer(of: place, in: calendars[place])
      guard main[.summary]?.text == known.title, main[.dtStart]?.rawValue == known.start,
        isCancelled == known.isCancelled,
        own == (known.isInvited ? known.answer : nil),
        revision(of: main) == known.revision
      else {
        throw fail("\(place + 1) has \(revision(of: main)) \(own ?? "none"), expected \(known)")
      }
    }
  }

  /// Sends all that counts once more, so that all calendars agree at the end (§3.2.6).
  private mutating func finish() throws {
    guard !isCancelled else { return }
    now = now.adding(seconds: 60) ?? now
    let request = try meeting.request(at: now)
    for place in answers.indices where answers[place].isInvited {
      log.append("\(Self.addresses[place + 1]) gets the last REQUEST")
      _ = try apply(request, at: place)
      let own = views(of: calendars[place])
      let expected = views(of: meeting)
      // A lost cancellation of an occurrence is not in a REQUEST.
      guard own == expected || loses else {
        throw fail("\(place + 1) sees \(own.sorted()), expected \(expected.sorted())")
      }
      guard try apply(request, at: place).allSatisfy({ $0.outcome == .unchanged }) else {
        throw fail("\(place + 1) takes the last REQUEST twice")
      }
    }
  }

  /// The start and the title of each occurrence that takes place.
  private func views(of item: CalendarItem?) -> Set<String> {
    guard let item, let span = item.span,
      let zone = try? SchedulingScene.resolver.rules(of: SchedulingScene.resolver.resolve("UTC"))
    else { return [] }
    var query = OccurrenceQuery(in: span, viewer: zone, zones: SchedulingScene.resolver)
    query.add(item)
    return Set(
      query.occurrences().filter { $0.component[.status]?.text != "CANCELLED" }.prefix(50).map {
        "\($0.start.rfc3339) \($0.component[.summary]?.text ?? "")"
      })
  }
}

extension Event {
  /// Moves the start to another hour of its day, and lasts an hour.
  fileprivate mutating func move(toHour hour: Int) {
    guard let date = start?.date,
      let wall = CivilDateTime(
        year: date.year, month: date.month, day: date.day, hour: hour, minute: 0)
    else { return }
    let moved = EventTime.zoned(wall, tzID: "Europe/Vienna")
    self.start = moved
    ending = .time(
      .zoned(moved.wallTime.adding(seconds: 3600) ?? moved.wallTime, tzID: "Europe/Vienna"))
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import EventKit
import TestSupport
import Testing

/// What Apple's documents state about stores, commits and errors.
@Suite("Statements about stores", .timeLimit(.minutes(60)))
struct StoreStatements {
  private let scene: StoreScene
  private let store: EKEventStore

  init() async throws {
    scene = try StoreScene()
    try await scene.grant(.full, for: .event)
    store = scene.newStore()
  }

  @Test("36: two stores of a program work")
  func twoStores() throws {
    try store.save(store.newLunch(), span: .thisEvent)
    #expect(scene.newStore().lunches.count == 1)
  }

  @Test("37: objects of another store are refused, and nothing is written")
  func otherStore() throws {
    let other = scene.newStore()
    let event = other.newLunch()
    let calendar = try #require(other.calendars(for: .event).first)
    expectThrows(.objectBelongsToDifferentStore) {
      try store.save(event, span: .thisEvent)
    }
    expectThrows(.objectBelongsToDifferentStore) {
      try store.remove(event, span: .thisEvent)
    }
    calendar.title = "Renamed"
    expectThrows(.objectBelongsToDifferentStore) {
      try store.saveCalendar(calendar, commit: true)
    }
    expectThrows(.objectBelongsToDifferentStore) {
      try store.removeCalendar(calendar, commit: true)
    }
    #expect(try scene.texts(in: "home").isEmpty)
    #expect(scene.newStore().calendars(for: .event).count == 2)
  }

  @Test("38: each living store posts the notification with itself as the object")
  func notificationObject() async throws {
    let other = scene.newStore()
    let (first, second) = (ChangeCounter(store), ChangeCounter(other))
    _ = (store.lunches, other.lunches)
    try store.save(store.newLunch(), span: .thisEvent)
    try await first.wait()
    try await second.wait()
    withExtendedLifetime(other) {}
  }

  @Test("39: each missing or inverted field has its error")
  func fields() throws {
    let event = EKEvent(eventStore: store)
    event.title = "Lunch"
    expectThrows(.noCalendar) {
      let lunch = store.newLunch()
      lunch.calendar = nil
      try store.save(lunch, span: .thisEvent)
    }
    event.calendar = store.defaultCalendarForNewEvents
    expectThrows(.noStartDate) { try store.save(event, span: .thisEvent) }
    event.startDate = StoreScene.noon
    expectThrows(.noEndDate) { try store.save(event, span: .thisEvent) }
    event.endDate = StoreScene.noon.addingTimeInterval(-60)
    expectThrows(.datesInverted) { try store.save(event, span: .thisEvent) }
    #expect(try scene.texts(in: "home").isEmpty)
  }

  @Test("40: the calendar of a feed is read-only")
  func readOnly() async throws {
    let scene = try StoreScene(
      extra: """
        [calendar.holidays]
        path = "~/holidays"
        [remote.feed]
        kind = "webcal"
        url = "https://example.org/holidays.ics"
        [[sync]]
        name = "holidays"
        calendar = "holidays"
        remote = "feed"
        """)
    try scene.write("Easter", to: "holidays")
    try await scene.grant(.full, for: .event)
    let store = scene.newStore()
    let calendar = try #require(store.calendars(for: .event).first { $0.title == "holidays" })
    #expect(!calendar.allowsContentModifications)
    #expect(calendar.source.sourceType == .subscribed)
    let event = store.newLunch()
    event.calendar = calendar
    expectThrows(.calendarReadOnly) { try store.save(event, span: .thisEvent) }
    calendar.title = "Renamed"
    expectThrows(.calendarIsImmutable) { try store.saveCalendar(calendar, commit: true) }
    expectThrows(.calendarIsImmutable) { try store.removeCalendar(calendar, commit: true) }
    let easter = try #require(
      store.calendarItems(withExternalIdentifier: "Easter").first as? EKEvent)
    expectThrows(.calendarReadOnly) { try store.remove(easter, span: .thisEvent) }
    #expect(try scene.names(in: "holidays") == ["Easter"])
  }

  @Test("42: before a grant nothing can be saved")
  func notAuthorized() throws {
    let scene = try StoreScene()
    let store = scene.newStore()
    let event = store.newLunch()
    expectThrows(.eventStoreNotAuthorized) { try store.save(event, span: .thisEvent) }
    #expect(try scene.texts(in: "home").isEmpty)
  }

  @Test("43: under write-only access an event needs the default calendar")
  func calendarRequired() async throws {
    let scene = try StoreScene()
    try await scene.grant(.writeOnly, for: .event)
    let store = scene.newStore()
    let event = store.newLunch()
    event.calendar = nil
    expectThrows(.noCalendar) { try store.save(event, span: .thisEvent) }
    event.calendar = store.defaultCalendarForNewEvents
    try store.save(event, span: .thisEvent)
  }

  @Test("44: the default calendar stands in for one that is not chosen")
  func defaultCalendar() throws {
    let chosen: EKCalendar? = nil
    let event = store.newLunch()
    event.calendar = chosen ?? store.defaultCalendarForNewEvents
    try store.save(event, span: .thisEvent)
    #expect(try scene.texts(in: "home").count == 1)
  }

  @Test("45: a save that commits has written the file when it returns")
  func commitsAtOnce() throws {
    try store.save(store.newLunch(), span: .thisEvent, commit: true)
    #expect(try scene.texts(in: "home").first?.contains("SUMMARY:Lunch") == true)
  }

  @Test("46: a commit that fails leaves nothing of the batch")
  func failingCommit() throws {
    try store.save(store.newLunch(in: "home"), span: .thisEvent, commit: false)
    let last = store.newLunch(in: "work")
    try scene.remove("work")
    #expect(throws: (any Error).self) { try store.save(last, span: .thisEvent, commit: true) }
    #expect(try scene.texts(in: "home").isEmpty)
    store.reset()
    #expect(scene.newStore().lunches.isEmpty)
  }

  @Test(
    "46: a commit for which there is no space leaves nothing of the batch",
    arguments: [0, 150, 400, 1_000])
  func fullDisk(_ limit: Int) throws {
    // Files in that process have at most so many bytes. `CommitCrashTests` lets each call fail.
    #expect(try StatementChild.run(.commitLarge, in: scene, limit: limit) == 0)
    #expect(try scene.texts(in: "home").isEmpty && scene.texts(in: "work").isEmpty)
    #expect(store.lunches.isEmpty)
    #expect(try StatementChild.run(.commitLarge, in: scene, limit: 1 << 20) == 3)
    #expect(store.lunches.count == 3)
  }

  @Test("47: a batch is written by commit, whole")
  func batch() throws {
    for name in ["home", "work", "home"] {
      try store.save(store.newLunch(in: name), span: .thisEvent, commit: false)
    }
    #expect(try scene.texts(in: "home").isEmpty)
    #expect(try scene.texts(in: "work").isEmpty)
    try store.commit()
    #expect(try scene.texts(in: "home").count == 2)
    #expect(try scene.texts(in: "work").count == 1)
    try store.commit()
  }

  @Test("48: after a failed commit every commit fails until reset")
  func failsUntilReset() throws {
    try store.save(store.newLunch(in: "work"), span: .thisEvent, commit: false)
    try scene.remove("work")
    #expect(throws: (any Error).self) { try store.commit() }
    try scene.folder.makeFolder("work")
    #expect(throws: (any Error).self) { try store.commit() }
    store.reset()
    try store.commit()
    #expect(try scene.texts(in: "work").isEmpty)
    try store.save(store.newLunch(in: "work"), span: .thisEvent)
    #expect(try scene.texts(in: "work").count == 1)
  }

  @Test("49: reset discards what is not committed")
  func reset() throws {
    let event = store.newLunch()
    try store.save(event, span: .thisEvent)
    let saved = try #require(store.lunches.first)
    saved.title = "Changed"
    try store.save(saved, span: .thisEvent, commit: false)
    store.reset()
    #expect(store.lunches.map(\.title) == ["Lunch"])
    try store.commit()
    #expect(try scene.texts(in: "home").first?.contains("SUMMARY:Lunch") == true)
  }

  @Test("50: events are removed in a loop, and the removals committed together")
  func removals() throws {
    for title in ["a", "b", "c"] { try scene.write(title, to: "home") }
    do {
      for event in store.lunches {
        try store.remove(event, span: .thisEvent, commit: false)
      }
      #expect(try scene.texts(in: "home").count == 3)
      try store.commit()
    } catch {
      store.reset()
      throw error
    }
    #expect(try scene.texts(in: "home").isEmpty)
    #expect(store.lunches.isEmpty)
  }

  @Test("51: a span is one occurrence, or it and all later ones")
  func spans() throws {
    try scene.write("daily", to: "home", rule: "FREQ=DAILY;COUNT=6")
    let days = store.lunches.sorted { $0.compareStartDate(with: $1) == .orderedAscending }
    try #require(days.count == 6)
    days[1].title = "second"
    try store.save(days[1], span: .thisEvent)
    #expect(Set(store.lunches.map { $0.title }) == ["daily", "second"])
    try store.remove(days[2], span: .thisEvent)
    #expect(store.lunches.count == 5)
    days[4].title = "later"
    try store.save(days[4], span: .futureEvents)
    let titles = store.lunches.sorted { $0.compareStartDate(with: $1) == .orderedAscending }
      .map { $0.title ?? "" }
    #expect(titles == ["daily", "second", "daily", "later", "later"])
    let last = try #require(store.lunches.first { $0.title == "later" })
    try store.remove(last, span: .futureEvents)
    #expect(store.lunches.count == 3)
  }

  @Test("52: a new series is one item with its rule")
  func newSeries() throws {
    let event = store.newLunch()
    event.addRecurrenceRule(
      EKRecurrenceRule(
        recurrenceWith: .daily, interval: 1, end: EKRecurrenceEnd(occurrenceCount: 3)))
    try store.save(event, span: .futureEvents)
    let items = try scene.texts(in: "home")
    #expect(items.count == 1)
    #expect(items.first?.contains("RRULE:FREQ=DAILY;") == true)
    #expect(store.lunches.count == 3)
  }

  @Test("53: compareStartDate is a total order")
  func order() throws {
    for (offset, title) in ["c", "a", "b"].enumerated() {
      try scene.write(title, to: "home", hour: 14 - offset)
    }
    let sorted = store.lunches.sorted { $0.compareStartDate(with: $1) == .orderedAscending }
    #expect(sorted.map(\.title) == ["b", "a", "c"])
    let first = try #require(sorted.first)
    #expect(first.compareStartDate(with: first) == .orderedSame)
  }

  @Test("54: a predicate matches what overlaps, in all calendars or some, for at most four years")
  func predicates() throws {
    try scene.write("here", to: "home")
    try scene.write("there", to: "work")
    let noon = StoreScene.noon
    let half = noon.addingTimeInterval(1800)
    func titles(_ start: Date, _ end: Date, _ calendars: [EKCalendar]?) -> Set<String> {
      let predicate = store.predicateForEvents(withStart: start, end: end, calendars: calendars)
      return Set(store.events(matching: predicate).map { $0.title })
    }
    // The events last from 12:00 through 13:00.
    #expect(titles(half, half.addingTimeInterval(60), nil) == ["here", "there"])
    #expect(titles(half, half.addingTimeInterval(60), []) == ["here", "there"])
    let work = store.calendars(for: .event).filter { $0.title == "work" }
    #expect(titles(half, half.addingTimeInterval(60), work) == ["there"])
    #expect(titles(noon.addingTimeInterval(3600), noon.addingTimeInterval(7200), nil).isEmpty)
    let year = 365.25 * 86_400
    #expect(titles(noon.addingTimeInterval(-5 * year), noon.addingTimeInterval(year), nil).isEmpty)
    #expect(
      titles(noon.addingTimeInterval(-3 * year), noon.addingTimeInterval(year), nil).count == 2)
  }

  @Test("55: a file that another process edits is posted as a change")
  func otherProcess() async throws {
    _ = store.lunches
    let changes = ChangeCounter(store)
    try scene.write("foreign", to: "tasks")
    let other = try OtherProcess(in: scene.folder.path)
    for (command, titles) in [
      ("cp tasks/foreign.ics home", ["foreign"]),
      ("sed s/SUMMARY:foreign/SUMMARY:edited/ tasks/foreign.ics > home/foreign.ics", ["edited"]),
      ("mv home/foreign.ics work", ["edited"]), ("rm work/foreign.ics", []),
    ] {
      let before = changes.count
      try other.run(command)
      #expect(store.lunches.map(\.title) == titles)
      try await changes.wait(after: before)
    }
    #expect(changes.isAlwaysOnMain)
  }

  @Test("56: the notifications are an asynchronous sequence")
  func sequence() async throws {
    let counter = ChangeCounter(store)
    let store = store
    let listener = Task {
      for await _ in NotificationCenter.default.notifications(
        named: .EKEventStoreChanged, object: store)
      { return }
    }
    // The task begins to listen at some time, and ends at the next notification.
    let writer = Task {
      while !Task.isCancelled {
        try store.save(store.newLunch(), span: .thisEvent)
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    await listener.value
    writer.cancel()
    try await counter.wait()
  }

  @Test("58: refresh is false for a deleted event, and keeps own changes of others")
  func refresh() throws {
    try scene.write("lunch", to: "home")
    let event = try #require(store.lunches.first)
    event.location = "Café"
    try scene.write("Renamed", to: "home", as: "lunch")
    #expect(event.refresh())
    #expect(event.title == "Renamed")
    #expect(event.location == "Café")
    try scene.remove("home/lunch.ics")
    #expect(!event.refresh())
  }

  @Test("59: the identifier of a write-only save prevents a second addition")
  func identifier() async throws {
    let scene = try StoreScene()
    try await scene.grant(.writeOnly, for: .event)
    let store = scene.newStore()
    let events = (0..<3).map { _ in store.newLunch() }
    #expect(events.allSatisfy { $0.eventIdentifier == nil })
    for event in events { try store.save(event, span: .thisEvent) }
    let identifiers = events.compactMap(\.eventIdentifier)
    #expect(Set(identifiers).count == 3)
    #expect(events.compactMap(\.eventIdentifier) == identifiers)
    for event in events {
      expectThrows(.eventStoreNotAuthorized) { try store.save(event, span: .thisEvent) }
    }
    #expect(try scene.texts(in: "home").count == 3)
  }

  @Test("60: alarms are written as VALARM")
  func alarms() throws {
    let event = store.newLunch()
    event.addAlarm(EKAlarm(relativeOffset: -900))
    event.addAlarm(EKAlarm(absoluteDate: StoreScene.noon))
    try store.save(event, span: .thisEvent)
    let text = try #require(try scene.texts(in: "home").first)
    #expect(text.contains("TRIGGER:-PT15M"))
    #expect(text.contains("TRIGGER;VALUE=DATE-TIME:20261125T120000Z"))
    let read = try #require(store.lunches.first)
    #expect(read.hasAlarms)
    #expect(Set((read.alarms ?? []).map(\.relativeOffset)).contains(-900))
  }

  @Test("61: date arithmetic by components keeps the clock over a change of the clocks")
  func arithmetic() throws {
    var calendar = Calendar(identifier: .gregorian)
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    calendar.timeZone = berlin
    let start = try #require(
      calendar.date(from: DateComponents(year: 2026, month: 10, day: 24, hour: 12)))
    let next = try #require(calendar.date(byAdding: .day, value: 1, to: start))
    let event = store.newLunch()
    event.timeZone = berlin
    event.startDate = start
    event.endDate = next
    try store.save(event, span: .thisEvent)
    let text = try #require(try scene.texts(in: "home").first)
    #expect(text.contains("DTSTART;TZID=Europe/Berlin:20261024T120000"))
    #expect(text.contains("DTEND;TZID=Europe/Berlin:20261025T120000"))
    let identifier = try #require(event.eventIdentifier)
    let read = try #require(scene.newStore().event(withIdentifier: identifier))
    #expect(read.endDate.timeIntervalSince(read.startDate) == 25 * 3600)
  }

  @Test("62: a change of the time zone keeps the instant")
  func timeZone() throws {
    let event = store.newLunch()
    event.timeZone = TimeZone(identifier: "Europe/Berlin")
    try store.save(event, span: .thisEvent)
    event.timeZone = TimeZone(identifier: "America/New_York")
    #expect(event.startDate == StoreScene.noon)
    try store.save(event, span: .thisEvent)
    let text = try #require(try scene.texts(in: "home").first)
    #expect(text.contains("DTSTART;TZID=America/New_York:20261125T070000"))
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import EventKit
import Testing

/// What Apple's documents state about tiers and grants, by the numbers of the list of statements.
@Suite("Statements about tiers")
struct TierStatements {
  @Test("1: three tiers: none, write-only, full")
  func tiers() async throws {
    let scene = try StoreScene()
    try scene.write("lunch", to: "home")
    #expect(scene.status(for: .event) == .notDetermined)
    #expect(scene.newStore().lunches.isEmpty)
    try await scene.grant(.writeOnly, for: .event)
    #expect(scene.status(for: .event) == .writeOnly)
    #expect(scene.newStore().lunches.isEmpty)
    try await scene.grant(.full, for: .event)
    #expect(scene.status(for: .event) == .fullAccess)
    #expect(scene.newStore().lunches.map(\.title) == ["lunch"])
  }

  @Test("3: write-only access saves events directly")
  func writeOnlySaves() async throws {
    let scene = try StoreScene()
    try await scene.grant(.writeOnly, for: .event)
    let store = scene.newStore()
    try store.save(store.newLunch(), span: .thisEvent)
    #expect(try scene.texts(in: "home").count == 1)
    #expect(scene.status(for: .event) == .writeOnly)
  }

  @Test("4: write-only access reads nothing, not even its own events")
  func writeOnlyReadsNothing() async throws {
    let scene = try StoreScene()
    try scene.write("foreign", to: "home")
    try await scene.grant(.writeOnly, for: .event)
    let store = scene.newStore()
    let event = store.newLunch()
    try store.save(event, span: .thisEvent)
    #expect(store.lunches.isEmpty)
    let identifier = try #require(event.eventIdentifier)
    #expect(store.event(withIdentifier: identifier) == nil)
    #expect(store.calendarItem(withIdentifier: event.calendarItemIdentifier) == nil)
    let external = try #require(event.calendarItemExternalIdentifier)
    #expect(store.calendarItems(withExternalIdentifier: external).isEmpty)
    var seen = 0
    unsafe store.enumerateEvents(matching: store.week) { _, _ in seen += 1 }
    #expect(seen == 0)
  }

  @Test("5: under write-only access there is a single virtual calendar")
  func virtualCalendar() async throws {
    let scene = try StoreScene()
    try await scene.grant(.writeOnly, for: .event)
    let store = scene.newStore()
    let calendars = store.calendars(for: .event)
    #expect(calendars.count == 1)
    #expect(calendars.first == store.defaultCalendarForNewEvents)
    #expect(store.sources.count == 1)
    #expect(store.delegateSources.isEmpty)
    #expect(!["home", "work"].contains(calendars.first?.title ?? "home"))
  }

  @Test(
    "6: the person chooses the calendar of write-only access, and the program cannot tell which")
  func chosenCalendar() async throws {
    let scene = try StoreScene()
    try await scene.grant(.writeOnly, for: .event, calendar: "work")
    let store = scene.newStore()
    let event = store.newLunch()
    try store.save(event, span: .thisEvent)
    #expect(try scene.texts(in: "work").count == 1)
    #expect(try scene.texts(in: "home").isEmpty)
    #expect(event.calendar?.title != "work")
  }

  @Test("7: write-only access changes and deletes nothing")
  func writeOnlyChangesNothing() async throws {
    let scene = try StoreScene()
    try await scene.grant(.writeOnly, for: .event)
    let store = scene.newStore()
    let event = store.newLunch()
    try store.save(event, span: .thisEvent)
    let before = try scene.texts(in: "home")
    event.title = "Changed"
    expectThrows(.eventStoreNotAuthorized) { try store.save(event, span: .thisEvent) }
    expectThrows(.eventStoreNotAuthorized) { try store.remove(event, span: .thisEvent) }
    #expect(try scene.texts(in: "home") == before)
  }

  @Test("8: full access creates, edits, deletes and fetches in all calendars")
  func full() async throws {
    let scene = try StoreScene()
    try scene.write("foreign", to: "work")
    try await scene.grant(.full, for: .event)
    let store = scene.newStore()
    let own = store.newLunch(in: "home")
    try store.save(own, span: .thisEvent)
    #expect(Set(store.lunches.map { $0.title }) == ["foreign", "Lunch"])
    let foreign = try #require(store.lunches.first { $0.title == "foreign" })
    foreign.title = "Edited"
    try store.save(foreign, span: .thisEvent)
    #expect(try scene.texts(in: "work").first?.contains("SUMMARY:Edited") == true)
    try store.remove(foreign, span: .thisEvent)
    #expect(try scene.texts(in: "work").isEmpty)
  }

  @Test("9: reminders need full access of their own")
  func reminders() async throws {
    let scene = try StoreScene()
    try await scene.grant(.writeOnly, for: .event)
    #expect(scene.status(for: .reminder) == .notDetermined)
    let store = scene.newStore()
    let reminder = EKReminder(eventStore: store)
    reminder.title = "Milk"
    #expect(store.defaultCalendarForNewReminders() == nil)
    #expect(store.calendars(for: .reminder).isEmpty)
    reminder.calendar = store.defaultCalendarForNewEvents
    expectThrows(.eventStoreNotAuthorized) { try store.save(reminder, commit: true) }
    try await scene.grant(.full, for: .event)
    #expect(scene.status(for: .reminder) == .notDetermined)
    #expect(await store.reminders() == nil)
    reminder.calendar = store.defaultCalendarForNewEvents
    expectThrows(.eventStoreNotAuthorized) { try store.save(reminder, commit: true) }
    #expect(try scene.texts(in: "home").isEmpty)
    #expect(try await store.requestFullAccessToReminders())
    #expect(scene.status(for: .reminder) == .fullAccess)
  }

  @Test("10: the person is asked the first time only, over stores and processes")
  func askedOnce() async throws {
    let scene = try StoreScene()
    #expect(try await scene.newStore().requestFullAccessToEvents())
    #expect(try await scene.newStore().requestFullAccessToEvents())
    #expect(try StatementChild.run(.request, in: scene) == 0)
    #expect(scene.prompt.count == 1)
  }

  @Test(
    "11: a second request returns the stored answer without a question", arguments: [true, false])
  func secondRequest(_ isGranted: Bool) async throws {
    let scene = try StoreScene()
    scene.prompt.answer = isGranted ? .granted() : .denied
    let store = scene.newStore()
    #expect(try await store.requestFullAccessToEvents() == isGranted)
    scene.prompt.answer = isGranted ? .denied : .granted()
    #expect(try await store.requestFullAccessToEvents() == isGranted)
    #expect(scene.prompt.count == 1)
  }

  @Test("12, 13: a request returns at once, and completes on a queue that is not the main one")
  func asynchronous() async throws {
    let scene = try StoreScene()
    let gate = DispatchSemaphore(value: 0)
    scene.prompt.gate = gate
    let store = scene.newStore()
    let (isGranted, isMain) = await withCheckedContinuation { continuation in
      store.requestFullAccessToEvents { isGranted, _ in
        continuation.resume(returning: (isGranted, Thread.isMainThread))
      }
      // The call returned although the person has not answered.
      #expect(scene.status(for: .event) == .notDetermined)
      gate.signal()
    }
    #expect(isGranted)
    #expect(!isMain)
  }

  @Test("14: a denial is false without an error, in both forms")
  func denied() async throws {
    let scene = try StoreScene()
    scene.prompt.answer = .denied
    let store = scene.newStore()
    #expect(try await store.requestWriteOnlyAccessToEvents() == false)
    let error = await withCheckedContinuation { continuation in
      store.requestFullAccessToReminders { isGranted, error in
        #expect(!isGranted)
        continuation.resume(returning: error)
      }
    }
    #expect(error == nil)
  }

  @Test("15, 16: after a denial the error names the program whose access the user can change")
  func settings() async throws {
    let scene = try StoreScene()
    scene.prompt.answer = .denied
    let store = scene.newStore()
    _ = try await store.requestFullAccessToEvents()
    #expect(scene.status(for: .event) == .denied)
    let error = try #require(throws: EKError.self) {
      try store.save(store.newLunch(), span: .thisEvent)
    }
    #expect(error.code == .eventStoreNotAuthorized)
    #expect(
      error.localizedDescription
        == "Planner has no such access to the calendars; the user can change the access granted to "
        + StoreScene.identifier)
  }

  @Test("17: a policy restricts the program without a question")
  func restricted() async throws {
    let scene = try StoreScene(
      policy: """
        decided-by = "the IT department"
        [[program]]
        identifier = "org.example.*"
        max-tier = "none"
        """)
    #expect(scene.status(for: .event) == .restricted)
    #expect(try await scene.newStore().requestFullAccessToEvents() == false)
    #expect(scene.prompt.count == 0)
  }

  @Test("18: the status is not determined before the first question")
  func notDetermined() throws {
    let scene = try StoreScene()
    for entity in [EKEntityType.event, .reminder] {
      #expect(scene.status(for: entity) == .notDetermined)
    }
  }

  @Test("19: escalation asks once, and a refusal keeps write-only access")
  func refusedEscalation() async throws {
    let scene = try StoreScene()
    let store = scene.newStore()
    #expect(try await store.requestWriteOnlyAccessToEvents())
    scene.prompt.answer = .denied
    #expect(try await store.requestFullAccessToEvents() == false)
    #expect(scene.status(for: .event) == .writeOnly)
    #expect(scene.prompt.tiers == [.writeOnly, .full])
    try store.save(store.newLunch(), span: .thisEvent)
  }

  @Test("20: a store that fetched before the grant has data after reset, and a new one at once")
  func resetAfterGrant() async throws {
    let scene = try StoreScene()
    try scene.write("lunch", to: "home")
    let store = scene.newStore()
    #expect(store.lunches.isEmpty)
    #expect(try await store.requestFullAccessToEvents())
    store.reset()
    #expect(store.lunches.count == 1)
    #expect(scene.newStore().lunches.count == 1)
  }

  @Test("21: write-only access can be raised later")
  func escalation() async throws {
    let scene = try StoreScene()
    let store = scene.newStore()
    #expect(try await store.requestWriteOnlyAccessToEvents())
    #expect(try await store.requestFullAccessToEvents())
    #expect(scene.status(for: .event) == .fullAccess)
    #expect(scene.prompt.count == 2)
  }

  @Test("22: the question names the tier that is asked for")
  func question() async throws {
    let scene = try StoreScene()
    let store = scene.newStore()
    _ = try await store.requestWriteOnlyAccessToEvents()
    _ = try await store.requestFullAccessToEvents()
    _ = try await store.requestFullAccessToReminders()
    #expect(scene.prompt.tiers == [.writeOnly, .full, .full])
    #expect(Set(scene.prompt.purposes).count == 3)
    let texts = scene.prompt.questions.map { $0.lines.joined(separator: "\n") }
    #expect(texts[0].contains("add events, and read nothing"))
    #expect(texts[1].contains("read, change and delete all events in all calendars"))
    #expect(texts[2].contains("read, change and delete all reminders in all calendars"))
  }

  @Test("23: creating a store asks nothing, and neither does a query")
  func neverAtLaunch() throws {
    let scene = try StoreScene()
    let store = scene.newStore()
    _ = store.calendars(for: .event)
    _ = store.sources
    _ = store.lunches
    #expect(scene.prompt.count == 0)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

/// Objects and batches of a store while other programs change the same calendars.
@Suite struct StoreStaleTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  // MARK: Batches

  private func event(_ title: String, _ store: EKEventStore) throws -> EKEvent {
    try #require(store.lunches.first { $0.title == title })
  }

  @Test("An event that another program changed during a batch is saved in its current form")
  func batch() async throws {
    try scene.write("A", to: "home")
    try scene.write("B", to: "home")
    let store = try await scene.store()
    let first = try event("A", store)
    first.notes = "1"
    try store.save(first, span: .thisEvent, commit: false)
    try scene.write("C", to: "home", as: "B")
    let second = try event("C", store)
    second.notes = "2"
    try store.save(second, span: .thisEvent, commit: false)
    try scene.write("D", to: "home")
    let third = try event("D", store)
    third.notes = "3"
    try store.save(third, span: .thisEvent, commit: false)
    #expect(store.event(withIdentifier: third.eventIdentifier)?.notes == "3")
    try store.commit()
    let texts = try scene.texts(in: "home")
    for (title, notes) in [("A", "1"), ("C", "2"), ("D", "3")] {
      #expect(
        texts.contains {
          $0.contains("SUMMARY:\(title)\n") && $0.contains("DESCRIPTION:\(notes)\n")
        })
    }
  }

  @Test("The first save of a batch is made in the current form of the event")
  func first() async throws {
    try scene.write("A", to: "home")
    let store = try await scene.store()
    let old = try event("A", store)
    try scene.write("B", to: "home", as: "A")
    old.notes = "1"
    try store.save(old, span: .thisEvent, commit: false)
    #expect(old.title == "B")
    try store.commit()
    #expect(try scene.onlyText(in: "home").contains("SUMMARY:B\n"))
    // A conflict is an error of the save, and not of the commit.
    try scene.write("C", to: "home", as: "A")
    old.title = "D"
    #expect(code { try store.save(old, span: .thisEvent, commit: false) } == .internalFailure)
    try store.commit()
  }

  @Test("An event that is fetched during a batch can be changed after the commit")
  func fetchedMeanwhile() async throws {
    try scene.write("A", to: "home")
    let store = try await scene.store()
    let first = try event("A", store)
    first.title = "B"
    try store.save(first, span: .thisEvent, commit: false)
    let second = try event("B", store)
    let third = try #require(store.event(withIdentifier: first.eventIdentifier))
    try store.commit()
    second.title = "C"
    try store.save(second, span: .thisEvent)
    #expect(third.refresh())
    third.title = "D"
    try store.save(third, span: .thisEvent)
    #expect(try scene.onlyText(in: "home").contains("SUMMARY:D\n"))
  }

  @Test("During a batch, objects take the changes of other programs")
  func refresh() async throws {
    try scene.write("A", to: "home")
    try scene.write("B", to: "home")
    let store = try await scene.store()
    let (first, second) = (try event("A", store), try event("B", store))
    for notes in ["1", "2"] {
      first.notes = notes
      try store.save(first, span: .thisEvent, commit: false)
      try scene.write("B\(notes)", to: "home", as: "B")
      #expect(second.refresh() && second.title == "B\(notes)")
      #expect(store.event(withIdentifier: second.eventIdentifier)?.title == "B\(notes)")
    }
  }

  @Test("A calendar that another program creates or renames during a batch is visible")
  func calendars() async throws {
    let (store, other) = (try await scene.store(), try await scene.store())
    try store.save(store.newLunch(in: "home"), span: .thisEvent, commit: false)
    #expect(store.calendars(for: .event).count == 4)
    let new = EKCalendar(for: .event, eventStore: other)
    new.title = "Trip"
    new.source = other.sources.first { $0.sourceType == .local }
    try other.saveCalendar(new, commit: true)
    let work = try StoreScene.calendar("work", in: other)
    work.title = "Office"
    try other.saveCalendar(work, commit: true)
    #expect(store.calendars(for: .event).map(\.title).contains("Office"))
    try store.save(store.newLunch(in: "Trip"), span: .thisEvent, commit: false)
    try store.commit()
    #expect(Set(store.lunches.map(\.calendar.title)) == ["home", "Trip"])
  }

  @Test("After a failed save, an object has the values that the program set last")
  func values() async throws {
    let store = try await scene.store()
    let list = store.defaultCalendarForNewReminders()
    let bread = EKReminder(eventStore: store)
    bread.calendar = list
    bread.dueDateComponents = DateComponents(year: 2026, month: 12, day: 1)
    bread.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil))
    bread.isCompleted = true
    try store.save(bread, commit: false)
    bread.priority = 3
    try store.save(bread, commit: false)
    let milk = EKReminder(eventStore: store)
    milk.calendar = list
    milk.dueDateComponents = DateComponents(year: 2026, month: 12, day: 1)
    milk.isCompleted = true
    try store.save(milk, commit: false)
    milk.isCompleted = false
    milk.dueDateComponents = DateComponents(year: 2026, month: 12, day: 8)
    milk.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 2, end: nil))
    milk.addAlarm(EKAlarm(relativeOffset: -60))
    try store.save(milk, commit: false)
    try scene.remove("tasks")
    try scene.folder.write("a file".utf8, to: "tasks")
    #expect(code { try store.save(milk, commit: true) } != nil)
    #expect(milk.isNew && milk.dueDateComponents?.day == 8 && milk.alarms?.count == 1)
    #expect(milk.recurrenceRules?.count == 1 && !milk.isCompleted)
    // The completion is not made, and the occurrence is the completed one.
    #expect(bread.isCompleted && bread.dueDateComponents?.day == 1 && bread.priority == 3)
  }

  @Test("After a failed save, the values of another program are no changes of the object")
  func othersValues() async throws {
    try scene.write("A", to: "home")
    let (store, other) = (try await scene.store(), try await scene.store())
    let (here, there) = (try event("A", store), try event("A", other))
    there.title = "B"
    try other.save(there, span: .thisEvent)
    here.notes = "1"
    try store.save(here, span: .thisEvent, commit: false)
    #expect(here.title == "B")
    store.reset()
    #expect(here.title == "A" && !here.hasChanges)
    here.notes = "2"
    try store.save(here, span: .thisEvent, commit: false)
    #expect(here.title == "B")
    there.title = "C"
    try other.save(there, span: .thisEvent)
    #expect(code { try store.commit() } != nil)
    store.reset()
    here.notes = "3"
    try store.save(here, span: .thisEvent)
    #expect(here.title == "C" && here.notes == "3")
  }

  @Test("A deleted event is saved again, also without changes", arguments: [true, false])
  func deleted(commits: Bool) async throws {
    try scene.write("A", to: "home")
    let store = try await scene.store()
    let (event, same) = (try event("A", store), try event("A", store))
    try store.remove(event, span: .thisEvent)
    try store.save(event, span: .thisEvent, commit: commits)
    try store.commit()
    #expect(try scene.onlyText(in: "home").contains("SUMMARY:A\n"))
    try scene.remove("home/A.ics")
    try store.save(event, span: .thisEvent, commit: commits)
    try store.commit()
    #expect(try scene.onlyText(in: "home").contains("SUMMARY:A\n"))
    // A removed object whose event another one has saved again shows that.
    try store.remove(event, span: .thisEvent)
    same.title = "B"
    try store.save(same, span: .thisEvent)
    try store.save(event, span: .thisEvent, commit: commits)
    #expect(event.title == "B" && event.refresh())
  }

  // MARK: Calendars

  @Test("Saving a calendar keeps the properties that another program changed")
  func calendar() async throws {
    let (store, other) = (try await scene.store(), try await scene.store())
    let here = try StoreScene.calendar("work", in: store)
    let there = try StoreScene.calendar("work", in: other)
    let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
    there.title = "Office"
    try other.saveCalendar(there, commit: true)
    here.cgColor = blue
    try store.saveCalendar(here, commit: true)
    #expect(here.title == "Office" && !here.hasChanges)
    #expect(there.refresh() && there.title == "Office")
    // Also between the save and the commit.
    here.title = "Bureau"
    try store.saveCalendar(here, commit: false)
    there.cgColor = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
    try other.saveCalendar(there, commit: true)
    try store.commit()
    let new = try StoreScene.calendar("Bureau", in: try await scene.store())
    #expect(try #require(new.cgColor).components == [1, 0, 0, 1])
  }

  @Test("A calendar that another program removed cannot be saved, and is removed")
  func removedCalendar() async throws {
    let (store, other) = (try await scene.store(), try await scene.store())
    let here = try StoreScene.calendar("work", in: store)
    let there = try StoreScene.calendar("work", in: other)
    try other.removeCalendar(there, commit: true)
    here.title = "Office"
    #expect(code { try store.saveCalendar(here, commit: true) } == .noCalendar)
    #expect(here.title == "Office" && here.hasChanges && !here.refresh())
    try store.removeCalendar(here, commit: true)
    try store.commit()
  }

  // MARK: Series

  /// The occurrences of a series that another store split at the third one.
  private func split(
    _ change: (EKEvent) -> Void
  ) async throws -> (store: EKEventStore, occurrences: [EKEvent]) {
    try scene.putClass()
    let (store, other) = (try await scene.store(), try await scene.store())
    let occurrences = store.eventsOf2026()
    let third = other.eventsOf2026()[2]
    change(third)
    try other.save(third, span: .futureEvents)
    return (store, occurrences)
  }

  @Test("An occurrence is changed in the series that continues its own since")
  func splitSeries() async throws {
    let (store, occurrences) = try await split { $0.title = "Seminar" }
    let fourth = occurrences[3]
    fourth.notes = "Room 4"
    try store.save(fourth, span: .thisEvent)
    #expect(fourth.title == "Seminar" && fourth.isDetached && !fourth.hasChanges)
    let all = store.eventsOf2026()
    #expect(all.map(\.title) == ["Class", "Class", "Seminar", "Seminar", "Seminar"])
    #expect(all.map(\.notes) == [nil, nil, nil, "Room 4", nil])
    // From the next one on, and then the one before.
    occurrences[4].location = "Aula"
    try store.save(occurrences[4], span: .futureEvents)
    #expect(store.eventsOf2026().map(\.location) == [nil, nil, nil, nil, "Aula"])
    #expect(occurrences[2].refresh() && occurrences[2].title == "Seminar")
    try store.remove(occurrences[2], span: .thisEvent)
    #expect(store.eventsOf2026().count == 4)
    try store.save(occurrences[1], span: .thisEvent)
    #expect(try scene.names(in: "home").count == 3)
  }

  @Test("An occurrence is found through several splits, and removed with all later ones")
  func splitTwice() async throws {
    let (store, occurrences) = try await split { $0.title = "Seminar" }
    let other = try await scene.store()
    let second = other.eventsOf2026()[1]
    second.title = "Course"
    try other.save(second, span: .futureEvents)
    #expect(
      other.eventsOf2026().map(\.title) == ["Class", "Course", "Seminar", "Seminar", "Seminar"])
    #expect(occurrences[4].refresh() && occurrences[4].title == "Seminar")
    try store.remove(occurrences[3], span: .futureEvents)
    #expect(store.eventsOf2026().map(\.title) == ["Class", "Course", "Seminar"])
  }

  @Test("An occurrence with other values in the series that continues is a conflict")
  func splitConflict() async throws {
    let (store, occurrences) = try await split { $0.title = "Seminar" }
    let fourth = occurrences[3]
    fourth.title = "Lab"
    #expect(code { try store.save(fourth, span: .thisEvent) } == .internalFailure)
    #expect(fourth.title == "Lab" && fourth.hasChanges)
    #expect(store.eventsOf2026().count == 5)
    #expect(fourth.refresh() && fourth.title == "Lab")
    try store.save(fourth, span: .thisEvent)
    #expect(
      store.eventsOf2026().map(\.title) == ["Class", "Class", "Seminar", "Lab", "Seminar"])
  }
}

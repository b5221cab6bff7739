// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import ICalSyntax
import OpenEventKit
import Testing

/// The states of uncommitted work, without files.
@Suite struct BatchTests {
  private let uid = UID("lunch")
  private let item: CalendarItem
  private let event: EKEvent
  private let calendar: EKCalendar

  init() throws {
    let store = EKEventStore(
      machine: StoreScene.machine(at: "/nonexistent"),
      program: Program(identifier: StoreScene.identifier, name: "Planner", purposes: [:]),
      prompt: CountingPrompt(nil))
    event = EKEvent(eventStore: store)
    event.title = "Lunch"
    calendar = EKCalendar(for: .event, eventStore: store)
    let component = Component(.event, properties: [Property(.uid, text: "lunch")])
    item = try CalendarItem(components: [component], timeZones: [])
  }

  @Test("A saved change opens a clean batch, and a commit leaves it clean")
  func commit() throws {
    var batch = Batch()
    #expect(batch.isClean && !batch.hasEffect)
    batch.begin(event, with: event.values)
    batch.setItem(item, for: uid, in: "home", base: nil)
    #expect(batch.isOpen && batch.hasEffect && batch.isPending(event))
    #expect(batch.overlay.change(of: uid, in: "home")?.item?.uid == uid)
    try batch.checkUnbroken()
    batch.finishChanges()
    #expect(batch.isClean && !batch.hasEffect && !batch.isPending(event))
  }

  @Test("A new item that is removed again leaves nothing to commit")
  func cancelled() {
    var batch = Batch()
    batch.begin(event, with: event.values)
    batch.setItem(item, for: uid, in: "home", base: nil)
    batch.setItem(nil, for: uid, in: "home", base: nil)
    #expect(batch.isOpen && !batch.hasEffect && batch.isPending(event))
    batch.finish()
    #expect(batch.isClean && !batch.isPending(event))
  }

  @Test("After a failed commit changes are taken and shown, and no commit is possible")
  func failure() {
    var batch = Batch()
    batch.setItem(item, for: uid, in: "home", base: nil)
    batch.fail()
    #expect(batch.isBroken && batch.hasEffect)
    expectThrows(.internalFailure) { try batch.checkUnbroken() }
    batch.setItem(item, for: uid, in: "work", base: nil)
    #expect(batch.isBroken && batch.overlay.change(of: uid, in: "work") != nil)
    _ = batch.rollBack()
    #expect(batch.isBroken && !batch.hasEffect)
    expectThrows(.internalFailure) { try batch.checkUnbroken() }
  }

  @Test("A rollback of an open batch leaves it clean, and returns the objects to restore")
  func rollback() {
    var batch = Batch()
    batch.begin(event, with: event.values)
    batch.begin(calendar)
    batch.removeCalendar("work")
    #expect(batch.isPending(calendar))
    let dropped = batch.rollBack()
    #expect(dropped.items.count == 1 && dropped.calendars.count == 1)
    #expect(batch.isClean && !batch.hasEffect)
    #expect(!batch.isPending(event) && !batch.isPending(calendar))
  }

  @Test("A restored object has the values that the program set, also those that it did not show")
  func ownValues() {
    var batch = Batch()
    event.notes = "first"
    batch.begin(event, with: event.values)
    // The object shows other values than the saved ones, and the program changes one of them.
    event.rollback()
    batch.note(shown: event.values.fields, by: event)
    event.notes = "second"
    #expect(event.title == "")
    for pending in batch.rollBack().items.values { pending.restore() }
    #expect(event.title == "Lunch" && event.notes == "second")
  }

  @Test("Values that were kept before an object shows others survive")
  func keptValues() {
    var batch = Batch()
    batch.begin(event, with: event.values)
    event.title = "Dinner"
    batch.keep(event.values, of: event)
    event.rollback()
    batch.note(shown: event.values.fields, by: event)
    for pending in batch.rollBack().items.values { pending.restore() }
    #expect(event.title == "Dinner")
  }

  @Test("Values of an object without saved changes are not kept")
  func nothingToKeep() {
    var batch = Batch()
    batch.keep(event.values, of: event)
    batch.note(shown: event.values.fields, by: event)
    #expect(batch.isClean)
  }

  @Test("The committed calendars are remembered while a change waits")
  func calendars() {
    let home = StoreCalendar(token: "home")
    var batch = Batch()
    batch.remember([home])
    #expect(batch.isClean && batch.knownCalendars == nil)
    batch.updateCalendar(home, to: home)
    #expect(batch.knownCalendars == nil)
    batch.remember([home])
    #expect(batch.knownCalendars == [home])
    _ = batch.rollBack()
    #expect(batch.knownCalendars == nil)
  }

  @Test("A removed calendar takes the changes of its items with it")
  func removedCalendar() {
    var batch = Batch()
    batch.setItem(item, for: uid, in: "home", base: nil)
    batch.removeCalendar("home")
    #expect(batch.hasEffect && batch.overlay.change(of: uid, in: "home") == nil)
  }

  @Test("Added events wait until they are committed themselves")
  func additions() {
    var batch = Batch()
    batch.begin(event, with: event.values)
    batch.add(item, to: nil)
    #expect(batch.isOpen && batch.hasEffect && batch.overlay.isEmpty)
    batch.finishChanges()
    #expect(batch.isOpen && batch.hasEffect && !batch.isPending(event))
    batch.finish()
    #expect(batch.isClean && !batch.hasEffect)
  }

  @Test("Uses are counted until the end of the batch")
  func uses() {
    let use = Batch.Use(.addItem, of: .event)
    var batch = Batch()
    batch.count(use)
    batch.count(use)
    #expect(batch.uses == [use: 2])
    batch.finishChanges()
    #expect(batch.uses.isEmpty)
  }
}

extension Batch {
  fileprivate var isClean: Bool { if case .clean = state { true } else { false } }
  fileprivate var isOpen: Bool { if case .open = state { true } else { false } }
  fileprivate var isBroken: Bool { if case .broken = state { true } else { false } }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Foundation
import TestSupport
import Testing

@Suite struct EditableCalendarTests {
  let folder: TemporaryFolder
  let batch: FileBatch

  init() throws {
    folder = try TemporaryFolder()
    for name in ["home", "state"] { try folder.makeFolder(name) }
    batch = FileBatch(journal: folder.path(of: "state/batches"))
  }

  /// The calendars: a folder and a file.
  static let names = ["home", "all.ics"]

  private func open(
    _ name: String, for purpose: LocalCalendars.Purpose = .writing
  ) throws -> any EditableCalendar {
    try LocalCalendars.openEditable(path: folder.path(of: name), for: purpose)
  }

  private func item(_ uid: String, _ title: String = "Lunch") throws -> CalendarItem {
    try SampleItem.item(SampleItem.event(uid, title))
  }

  @Test(arguments: names) func aBatchMakesTheChanges(name: String) throws {
    let calendar = try open(name)
    let created = try calendar.replacements(for: [
      .create(try item("a")), .create(try item("b")), .create(try item("c")),
    ])
    #expect(created.count == (name == "home" ? 3 : 1))
    #expect(try calendar.scan().uids == [])
    try batch.commit(created)
    let listing = try calendar.scan()
    #expect(listing.uids == ["a", "b", "c"])
    let (a, b, c) = (try listing.entry("a"), try listing.entry("b"), try listing.entry("c"))
    let former = b.item.serialized(forStorage: true)
    try batch.commit(
      calendar.replacements(for: [
        .update(name: a.name, from: a.revision, to: try item("a", "Dinner")),
        .putBack(name: b.name, from: b.revision, to: former),
        .delete(name: c.name, from: c.revision), .create(try item("d")),
      ]))
    let after = try calendar.scan()
    #expect(after.uids == ["a", "b", "d"])
    #expect(try after.entry("a").item.title == "Dinner")
    #expect(try after.entry("b").revision == b.revision)
  }

  @Test(arguments: names) func aConditionFailsBeforeTheBatch(name: String) throws {
    let calendar = try open(name)
    try batch.commit(calendar.replacements(for: [.create(try item("a"))]))
    let error = #expect(throws: BatchError.self) {
      try calendar.replacements(for: [.create(try item("b")), .create(try item("a"))])
    }
    #expect(error?.code == .conditionFailed)
  }

  @Test(arguments: names) func theOtherChangesArePlanned(name: String) throws {
    let calendar = try open(name)
    try batch.commit(calendar.replacements(for: [.create(try item("a"))]))
    let plan = try calendar.plan([
      .create(try item("b")), .create(try item("a")), .create(try item("c")),
    ])
    let files = plan.compactMap { file in (try? file.replacement.get()).map { ($0, file.changes) } }
    #expect(files.flatMap(\.1).sorted() == [0, 2])
    let errors = plan.filter { $0.changes == [1] }.map(\.replacement)
    #expect(errors.count == 1)
    let error = #expect(throws: BatchError.self) { try errors.first?.get() }
    #expect(error?.code == .conditionFailed)
    try batch.commit(files.map(\.0))
    #expect(try calendar.scan().uids == ["a", "b", "c"])
  }

  @Test(arguments: names) func aConditionFailsInTheBatch(name: String) throws {
    let calendar = try open(name)
    try batch.commit(calendar.replacements(for: [.create(try item("a"))]))
    let entry = try calendar.scan().entry("a")
    let replacements = try calendar.replacements(for: [
      .update(name: entry.name, from: entry.revision, to: try item("a", "Dinner"))
    ])
    let another = LocalChange.update(
      name: entry.name, from: entry.revision, to: try item("a", "Breakfast"))
    #expect(try calendar.apply([another]).allSatisfy(\.isDone))
    let error = #expect(throws: BatchError.self) { try batch.commit(replacements) }
    #expect(error?.code == .conditionFailed)
    #expect(try calendar.scan().entry("a").item.title == "Breakfast")
  }

  @Test(arguments: names) func nothingIsReplacedUnderReading(name: String) throws {
    try batch.commit(open(name).replacements(for: [.create(try item("a"))]))
    let error = #expect(throws: StoreError.self) {
      try open(name, for: .reading).replacements(for: [.create(try item("b"))])
    }
    #expect(error?.code == .readOnly)
  }

  @Test(arguments: names) func noChangeIsNoReplacement(name: String) throws {
    #expect(try open(name).replacements(for: []) == [])
  }

  @Test func aBatchNamesNewItemsAsApplyingDoes() throws {
    let calendar = try open("home")
    let name = ItemName(of: UID("a")).rawValue
    try folder.write(
      SampleItem.bytes(SampleItem.calendar(SampleItem.event("x"))), to: "home/\(name)")
    let replacements = try calendar.replacements(for: [.create(try item("a"))])
    let outcomes = try calendar.apply([.create(try item("a"))])
    guard case .done(let applied, _) = outcomes.first else {
      Issue.record("the item was not created: \(outcomes)")
      return
    }
    #expect(applied != name)
    #expect(replacements.map(\.path) == [folder.path(of: "home/\(applied)")])
  }

  @Test func anUnreadableFileInTheWayIsNamed() throws {
    let name = ItemName(of: UID("a")).rawValue
    try folder.write("nonsense".utf8, to: "home/\(name)")
    let error = #expect(throws: BatchError.self) {
      try open("home").replacements(for: [.create(try item("a"))])
    }
    #expect(error?.code == .invalid)
    #expect(error?.message.hasPrefix("\(name) is in the way and cannot be read") == true)
  }

  @Test(arguments: [false, true]) func aNameThatIsRemovedIsFree(isReversed: Bool) throws {
    let calendar = try open("home")
    try batch.commit(calendar.replacements(for: [.create(try item("a"))]))
    let entry = try calendar.scan().entry("a")
    let changes: [LocalChange] = [
      .delete(name: entry.name, from: entry.revision), .create(try item("a", "Dinner")),
    ]
    let replacements = try calendar.replacements(for: isReversed ? changes.reversed() : changes)
    #expect(replacements.count == 1)
    #expect(replacements.first?.expected == entry.revision)
    try batch.commit(replacements)
    #expect(try calendar.scan().entry("a").item.title == "Dinner")
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

@Suite struct StoreCalendarTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  private func new(_ store: EKEventStore, _ title: String, for entity: EKEntityType) -> EKCalendar {
    let calendar = EKCalendar(for: entity, eventStore: store)
    calendar.title = title
    calendar.source = store.sources.first { $0.sourceType == .local }
    return calendar
  }

  @Test("Calendars have their sources, and feeds are read-only")
  func sources() async throws {
    let store = try await scene.store()
    let types = Dictionary(
      uniqueKeysWithValues: store.calendars(for: .event).map { ($0.title, $0.type) })
    #expect(types == ["home": .local, "work": .local, "feed": .subscription, "account": .calDAV])
    let feed = try StoreScene.calendar("feed", in: store)
    #expect(!feed.allowsContentModifications && feed.isSubscribed && feed.isImmutable)
    #expect(store.defaultCalendarForNewEvents?.title == "home")
    #expect(store.defaultCalendarForNewReminders()?.title == "tasks")
    let local = try #require(store.sources.first { $0.sourceType == .local })
    #expect(Set(local.calendars(for: .event).map(\.title)) == ["home", "work"])
    #expect(store.source(withIdentifier: local.sourceIdentifier) == local)
    let limited = EKEventStore(sources: [local])
    #expect(Set(limited.calendars(for: .event).map(\.title)) == ["home", "work"])
  }

  @Test("Each account is a source, whose calendars have the titles and colors of their folders")
  func accounts() async throws {
    let names = ["plans", "team", "bens"]
    let servers = ["DAV.example.org:443", "dav.example.org", "dav.example.org"]
    let users = ["ada", "ada", "ben"]
    let tables = zip(names, zip(servers, users)).map { name, account in
      """
      [calendar.\(name)]
      path = "~/\(name)"
      [remote.\(name)]
      kind = "caldav"
      url = "https://\(account.0)/dav/\(name)/"
      username = "\(account.1)"
      collection = "\(name)"
      [[sync]]
      name = "\(name)"
      calendar = "\(name)"
      remote = "\(name)"

      """
    }
    let scene = try StoreScene(.all, extra: tables.joined())
    for name in names { try scene.folder.makeFolder(name) }
    try scene.folder.write("Trips & plans".utf8, to: "plans/displayname")
    try scene.folder.write("#00ff00".utf8, to: "plans/color")
    let store = try await scene.store()
    let accounts = store.sources.filter { $0.sourceType == .calDAV }
    #expect(accounts.map(\.title) == ["ada@dav.example.org", "ben@dav.example.org"])
    let titles = accounts.map { $0.calendars(for: .event).map(\.title).sorted() }
    #expect(titles == [["Trips & plans", "account", "team"], ["bens"]])
    let plans = try StoreScene.calendar("Trips & plans", in: store)
    #expect(plans.cgColor?.components == [0, 1, 0, 1] && plans.type == .calDAV)
    #expect(plans.source == accounts[0])
    plans.title = "Plans"
    try store.saveCalendar(plans, commit: true)
    #expect(try scene.folder.bytes(of: "plans/displayname").starts(with: "Plans".utf8))
  }

  @Test("An account at Google is a source of CalDAV, and one at Microsoft a source of Exchange")
  func vendors() async throws {
    let tables = [("family", "google"), ("shop", "graph")].map { name, kind in
      """
      [calendar.\(name)]
      path = "~/\(name)"
      [remote.\(name)]
      kind = "\(kind)"
      calendar = "primary"
      client-id = "1"
      \(kind == "graph" ? "username = \"ada@example.org\"" : "client-secret = \"2\"")
      [[sync]]
      name = "\(name)"
      calendar = "\(name)"
      remote = "\(name)"

      """
    }
    let scene = try StoreScene(.all, extra: tables.joined())
    for name in ["family", "shop"] { try scene.folder.makeFolder(name) }
    let store = try await scene.store()
    let family = try StoreScene.calendar("family", in: store)
    let shop = try StoreScene.calendar("shop", in: store)
    #expect(family.source.title == "Google (family)" && family.source.sourceType == .calDAV)
    #expect(family.type == .calDAV)
    #expect(shop.source.title == "ada@example.org" && shop.source.sourceType == .exchange)
    #expect(shop.type == .exchange)
    #expect(store.sources.contains(family.source) && store.sources.contains(shop.source))
  }

  @Test("A calendar without a color is shown in one that is not stored")
  func palette() async throws {
    let store = try await scene.store()
    let other = try await scene.store()
    let home = try StoreScene.calendar("home", in: store)
    let color = try #require(home.cgColor)
    #expect(color.numberOfComponents == 4 && !home.hasChanges)
    #expect(try StoreScene.calendar("home", in: other).cgColor == color)
    home.title = "Home"
    try store.saveCalendar(home, commit: true)
    #expect(try scene.folder.names(in: "home") == ["displayname"])
    home.cgColor = color
    #expect(home.hasChanges)
    try store.saveCalendar(home, commit: true)
    #expect(try scene.folder.names(in: "home") == ["color", "displayname"])
  }

  @Test("A new list is a folder beside the others, with a color and a kind")
  func creation() async throws {
    let store = try await scene.store()
    let list = new(store, "Books", for: .reminder)
    list.cgColor = CGColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    #expect(list.isNew && list.hasChanges)
    #expect(EKCalendar(for: .event, eventStore: store).cgColor == nil)
    try store.saveCalendar(list, commit: true)
    #expect(!list.isNew && !list.hasChanges)
    #expect(store.calendars(for: .reminder).contains(list))
    #expect(!store.calendars(for: .event).contains(list))
    #expect(store.calendar(withIdentifier: list.calendarIdentifier) === list)
    let reminder = EKReminder(eventStore: store)
    reminder.title = "Read"
    reminder.calendar = list
    try store.save(reminder, commit: true)
    let other = try await scene.store()
    let same = try #require(other.calendar(withIdentifier: list.calendarIdentifier))
    #expect(same.title == "Books" && same.allowedEntityTypes == .reminder)
    #expect(try #require(same.cgColor).components?.first == 1)
    #expect(await other.reminders()?.map(\.calendar.title) == ["Books"])
  }

  @Test("A new calendar and its events are committed together, or not at all")
  func batch() async throws {
    let store = try await scene.store()
    let calendar = new(store, "Trip", for: .event)
    try store.saveCalendar(calendar, commit: false)
    let event = store.newEvent(
      "Train", StoreScene.date(2026, 3, 1), StoreScene.date(2026, 3, 2), in: calendar)
    try store.save(event, span: .thisEvent, commit: false)
    #expect(calendar.hasChanges && store.eventsOf2026(in: [calendar]).count == 1)
    let before = try scene.folder.bytes(of: ".config/epact/config.toml")
    store.reset()
    try store.commit()
    #expect(try scene.folder.bytes(of: ".config/epact/config.toml") == before)
    #expect(calendar.isNew && event.isNew)
    try store.saveCalendar(calendar, commit: false)
    try store.save(event, span: .thisEvent, commit: false)
    try store.commit()
    let other = try await scene.store()
    #expect(other.eventsOf2026().map(\.calendar.title) == ["Trip"])
  }

  @Test("A changed title and color are seen by other stores, and refreshed")
  func change() async throws {
    let store = try await scene.store()
    let work = try StoreScene.calendar("work", in: store)
    let other = try await scene.store()
    let same = try StoreScene.calendar("work", in: other)
    work.title = "Office"
    work.cgColor = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
    try store.saveCalendar(work, commit: true)
    #expect(same.refresh() && same.title == "Office")
    #expect(try #require(same.cgColor).components == [0, 0, 1, 1])
    work.title = "x"
    work.reset()
    #expect(work.title == "Office" && !work.hasChanges)
    work.rollback()
    #expect(work.title == "work")
  }

  @Test("A removed calendar takes its items with it")
  func removal() async throws {
    try scene.put(
      .event("UID:a\nDTSTART:20260310T120000Z\nDTEND:20260310T130000Z"), as: "a", in: "work")
    let store = try await scene.store()
    let work = try StoreScene.calendar("work", in: store)
    try store.removeCalendar(work, commit: false)
    #expect(store.eventsOf2026().isEmpty && !store.calendars(for: .event).contains(work))
    #expect(try scene.names(in: "work").count == 1)
    try store.commit()
    #expect(work.refresh() == false)
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path(of: "work")))
  }

  @Test("Of a mixed calendar, only the accessible items are removed")
  func mixed() async throws {
    try scene.put(
      .event("UID:a\nDTSTART:20260310T120000Z\nDTEND:20260310T130000Z"), as: "a", in: "work")
    try scene.put(.reminder("UID:b\nSUMMARY:B"), as: "b", in: "work")
    let store = scene.newStore()
    #expect(try await store.requestFullAccessToEvents())
    let work = try StoreScene.calendar("work", in: store)
    #expect(work.allowedEntityTypes == [.event, .reminder])
    try store.removeCalendar(work, commit: true)
    #expect(try scene.names(in: "work") == ["b"])
    #expect(work.allowedEntityTypes == .reminder)
    #expect(!store.calendars(for: .event).contains(work))
  }

  @Test("What cannot be done with a calendar has its own error")
  func errors() async throws {
    let (store, other) = (try await scene.store(), try await scene.store())
    let orphan = EKCalendar(for: .event, eventStore: store)
    #expect(code { try store.saveCalendar(orphan, commit: true) } == .calendarHasNoSource)
    orphan.source = store.sources.first { $0.sourceType == .calDAV }
    #expect(
      code { try store.saveCalendar(orphan, commit: true) } == .sourceDoesNotAllowCalendarAddDelete)
    orphan.source = other.sources.first
    #expect(code { try store.saveCalendar(orphan, commit: true) } == .objectBelongsToDifferentStore)
    let work = try StoreScene.calendar("work", in: store)
    #expect(code { try other.saveCalendar(work, commit: true) } == .objectBelongsToDifferentStore)
    #expect(code { try other.removeCalendar(work, commit: true) } == .objectBelongsToDifferentStore)
    work.source = store.sources.first { $0.sourceType == .calDAV }
    #expect(
      code { try store.saveCalendar(work, commit: true) } == .calendarSourceCannotBeModified)
    let feed = try StoreScene.calendar("feed", in: store)
    feed.title = "x"
    #expect(code { try store.saveCalendar(feed, commit: true) } == .calendarIsImmutable)
    #expect(code { try store.removeCalendar(feed, commit: true) } == .calendarIsImmutable)
    let account = try StoreScene.calendar("account", in: store)
    #expect(
      code { try store.removeCalendar(account, commit: true) }
        == .sourceDoesNotAllowCalendarAddDelete)
  }
}

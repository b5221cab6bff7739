// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import EpactServe
import HTTPTypes
import TestSupport
import Testing

/// The effects of the forms, and the notices of their pages.
struct FormTests {
  // MARK: New

  @Test("A line is read before anything is written")
  func reading() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    let page = try await visitor.page("/new?text=Lunch+with+Ana+tomorrow+12%3A30+for+1h")
    let reading = try #require(page.texts("div", class: "reading").first)
    #expect(
      reading.hasPrefix("would be added: Lunch with Ana, Wed 2026-12-02 12:30-13:30"), "\(reading)")
    #expect(page.texts("button").contains("Add it"))
    #expect(page.value(of: "calendar") != nil)
    for name in ["private", "family", "tasks"] {
      #expect(try scene.texts(in: name) == "")
    }
  }

  @Test("An event is added as it was read, and the notice offers to undo it")
  func adding() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    let page = try await visitor.submit(
      "/new", ["text": "\"Lunch with Ana\" tomorrow 12:30 for 1h", "calendar": "family"])
    #expect(
      page.notice.first?.hasPrefix("added: Lunch with Ana, Wed 2026-12-02 12:30-13:30") == true)
    #expect(page.texts("button").contains("Undo"))
    #expect(page.text.contains("12:30"))
    let text = try scene.texts(in: "family")
    #expect(text.contains("SUMMARY:Lunch with Ana\n"))
    #expect(text.contains("DTSTART;TZID=Europe/Berlin:20261202T123000\n"))
    #expect(try scene.texts() == "")
    #expect(try await visitor.page("/").notice == [], "a notice is shown once")
  }

  @Test(
    "Words that have two readings, or none, are refused before and after",
    arguments: [
      ("Lunch 3/4 12:00", "ambiguous"), ("Lunch", "expected a date"),
      ("tomorrow 12:00", "title"), ("Lunch 2026-13-45", "expected a month"),
    ])
  func unreadable(_ text: String, words: String) async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    let page = try await visitor.page("/new?text=\(FormText.escaped(text))")
    #expect(page.texts("div", class: "late").joined().contains(words), "\(page.text)")
    #expect(!page.texts("button").contains("Add it"))
    #expect(page.value(of: "text") == text, "the words can be corrected")
    let after = try await visitor.submit("/new", ["text": text, "calendar": "private"])
    #expect(after.notice.joined().contains(words))
    #expect(!after.texts("button").contains("Undo"))
    #expect(try scene.texts() == "")
  }

  @Test("Nothing is added to unknown calendars, and to those that cannot be changed")
  func unsuitableCalendars() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    for name in ["holidays", "nothing", "tasks", "../private"] {
      let page = try await visitor.submit(
        "/new", ["text": "Lunch tomorrow 12:00", "calendar": name])
      #expect(page.notice != [] && !page.texts("button").contains("Undo"), "\(name)")
    }
    let copy = try await visitor.submit(
      "/new", ["text": "Lunch tomorrow 12:00", "calendar": "holidays"])
    #expect(
      copy.notice == [
        "the calendar \"holidays\" is the copy of a read-only remote, which the next sync would "
          + "restore"
      ])
    let choices = try await visitor.page("/new").values("value", of: "option")
    #expect(choices.sorted() == ["family", "private"])
  }

  // MARK: Change

  @Test("A changed field changes the item, and no other one")
  func changing() async throws {
    let scene = try PageScene()
    try scene.add(
      "dinner", "SUMMARY:Dinner", "LOCATION:Café", "DESCRIPTION:Bring\\nphotos", "X-A:1")
    let visitor = try await scene.signIn()
    let form = try await visitor.page("/item/private/dinner")
    #expect(form.value(of: "field-title") == "Dinner")
    #expect(form.value(of: "field-where") == "Café")
    #expect(form.value(of: "field-when") == "Tue 2026-12-01 12:00-13:00")
    #expect(form.value(of: "note") == "Bring\nphotos")
    let page = try await visitor.submit(
      "/item/private/dinner",
      [
        "span": "", "date": "", "action": "change", "field-title": "Supper", "was-title": "Dinner",
        "field-where": "Café", "was-where": "Café", "field-when": "Tue 2026-12-01 18:00-19:00",
        "was-when": "Tue 2026-12-01 12:00-13:00", "note": "Bring\r\nphotos",
        "was-note": "Bring\r\nphotos",
      ])
    #expect(page.notice.first?.hasPrefix("changed: Supper, Tue 2026-12-01 18:00-19:00") == true)
    let text = try scene.text(of: "dinner")
    #expect(text.contains("SUMMARY:Supper\n") && text.contains("LOCATION:Café\n"))
    #expect(text.contains("X-A:1\n") && text.contains("DESCRIPTION:Bring\\nphotos\n"))
    #expect(text.contains("T170000Z") || text.contains("20261201T180000"))
  }

  @Test("A field that was not changed keeps what another program wrote meanwhile")
  func concurrentChange() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner", "LOCATION:Café", "DESCRIPTION:Old")
    let visitor = try await scene.signIn()
    try scene.add("dinner", "SUMMARY:Dinner", "LOCATION:Bistro", "DESCRIPTION:New")
    _ = try await visitor.submit(
      "/item/private/dinner",
      [
        "action": "change", "field-title": "Supper", "was-title": "Dinner", "field-where": "Café",
        "was-where": "Café", "note": "Old", "was-note": "Old",
      ])
    let text = try scene.text(of: "dinner")
    #expect(text.contains("SUMMARY:Supper\n"))
    #expect(text.contains("LOCATION:Bistro\n") && text.contains("DESCRIPTION:New\n"))
  }

  @Test("A form without a change says so, and an invalid value changes nothing")
  func nothingChanged() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let before = try scene.text(of: "dinner")
    let visitor = try await scene.signIn()
    let same = try await visitor.submit(
      "/item/private/dinner",
      ["action": "change", "field-title": "Dinner", "was-title": "Dinner"])
    #expect(same.notice == ["nothing was changed"])
    let wrong = try await visitor.post(
      "/item/private/dinner",
      [
        "action": "change", "field-title": "Dinner", "was-title": "Dinner",
        "field-when": "some day",
        "was-when": "Tue 2026-12-01 12:00-13:00", "note": "A long\r\nnote", "was-note": "",
      ])
    #expect(wrong.status == 422 && wrong.page.problems == [])
    #expect(wrong.text.contains("when: expected a date or a time"), "\(wrong.text)")
    // What was typed stays in the form.
    #expect(wrong.page.value(of: "field-when") == "some day")
    #expect(wrong.page.value(of: "was-when") == "Tue 2026-12-01 12:00-13:00")
    let note = wrong.text.split(separator: "name=\"note\"").last?.prefix(200) ?? ""
    #expect(note.contains("A long") && note.contains("note</textarea>"), "\(note)")
    #expect(try scene.text(of: "dinner") == before)
    let lines = try await visitor.submit(
      "/item/private/dinner",
      ["action": "change", "field-title": "A\r\nwhere: B\nnote:\nC", "was-title": "Dinner"])
    #expect(lines.notice.first?.hasPrefix("changed: A where: B note: C") == true)
    #expect(try scene.text(of: "dinner") != before)
    #expect(try !scene.text(of: "dinner").contains("LOCATION"))
  }

  // MARK: Series

  private static func series() throws -> PageScene {
    let scene = try PageScene()
    try scene.add(
      "standup", "SUMMARY:Standup", "DTSTART;TZID=Europe/Berlin:20261201T090000", "DURATION:PT1H",
      "RRULE:FREQ=DAILY;COUNT=5")
    return scene
  }

  @Test("The part of a series is chosen before its form")
  func choice() async throws {
    let scene = try Self.series()
    let visitor = try await scene.signIn()
    let agenda = try await visitor.page("/agenda")
    let link = try #require(agenda.values("href", of: "a").first { $0.contains("standup") })
    #expect(link == "/item/private/standup?date=2026-12-01")
    let choice = try await visitor.page("/item/private/standup?date=2026-12-03")
    #expect(choice.value(of: "date") == "2026-12-03")
    #expect(choice.texts("button").contains("Choose") && !choice.texts("button").contains("Save"))
    let form = try await visitor.page("/item/private/standup?span=this&date=2026-12-03")
    #expect(form.texts("h2").contains("Change only the occurrence on 2026-12-03"))
    #expect(form.value(of: "field-when") == "Thu 2026-12-03 09:00-10:00")
    #expect(form.value(of: "span") == "this" && form.texts("button").contains("Save"))
    let all = try await visitor.page("/item/private/standup?span=all&date=2026-12-03")
    #expect(all.value(of: "field-repeat") == "FREQ=DAILY;COUNT=5")
  }

  @Test(
    "A date without an occurrence, and no date, are explained",
    arguments: ["span=this&date=2027-05-05", "span=this&date=", "span=future&date=x", "span=none"])
  func wrongDate(_ query: String) async throws {
    let scene = try Self.series()
    let visitor = try await scene.signIn()
    let answer = try await visitor.get("/item/private/standup?\(query)")
    #expect(answer.status == 400)
    #expect(answer.page.problems == [])
    let before = try scene.text(of: "standup")
    let parts = query.split(separator: "&").map { $0.split(separator: "=").map(String.init) }
    let page = try await visitor.submit(
      "/item/private/standup",
      [
        "action": "delete", "span": parts[0].count > 1 ? parts[0][1] : "",
        "date": parts.count > 1 && parts[1].count > 1 ? parts[1][1] : "",
      ])
    #expect(!page.notice.isEmpty && !page.texts("button").contains("Undo"))
    #expect(try scene.text(of: "standup") == before)
  }

  @Test("One occurrence changes, and the others stay")
  func oneOccurrence() async throws {
    let scene = try Self.series()
    let visitor = try await scene.signIn()
    let page = try await visitor.submit(
      "/item/private/standup",
      [
        "action": "change", "span": "this", "date": "2026-12-03", "field-title": "Review",
        "was-title": "Standup", "field-when": "Thu 2026-12-03 11:00-12:00",
        "was-when": "Thu 2026-12-03 09:00-10:00",
      ])
    #expect(page.notice.first?.hasPrefix("changed: Review") == true)
    let agenda = try await visitor.page("/agenda")
    #expect(agenda.texts("b").filter { $0 == "Standup" }.count == 4)
    #expect(agenda.texts("b").filter { $0 == "Review" }.count == 1)
    let text = try scene.text(of: "standup")
    #expect(text.contains("RECURRENCE-ID;TZID=Europe/Berlin:20261203T090000\n"))
  }

  @Test("All occurrences from one on change, and those before stay")
  func future() async throws {
    let scene = try Self.series()
    let visitor = try await scene.signIn()
    _ = try await visitor.submit(
      "/item/private/standup",
      [
        "action": "change", "span": "future", "date": "2026-12-03", "field-title": "Review",
        "was-title": "Standup",
      ])
    let titles = try await visitor.page("/agenda").texts("b")
    #expect(titles.filter { $0 == "Standup" }.count == 2)
    #expect(titles.filter { $0 == "Review" }.count == 3)
  }

  @Test("All occurrences change")
  func all() async throws {
    let scene = try Self.series()
    let visitor = try await scene.signIn()
    _ = try await visitor.submit(
      "/item/private/standup",
      ["action": "change", "span": "all", "field-title": "Review", "was-title": "Standup"])
    #expect(try await visitor.page("/agenda").texts("b").filter { $0 == "Review" }.count == 5)
  }

  @Test("One occurrence is deleted, and undone")
  func deletedOccurrence() async throws {
    let scene = try Self.series()
    let visitor = try await scene.signIn()
    let page = try await visitor.submit(
      "/item/private/standup", ["action": "delete", "span": "this", "date": "2026-12-02"])
    #expect(page.notice.first?.hasPrefix("deleted: Standup") == true)
    #expect(try await visitor.page("/agenda").texts("b").count == 4)
    let run = try #require(page.value(of: "run"))
    let undone = try await visitor.submit("/undo", ["run": run])
    #expect(undone.notice.first == "Run \(run) is taken back.")
    #expect(try await visitor.page("/agenda").texts("b").count == 5)
  }

  // MARK: Delete, move, undo

  @Test("An event is deleted, and undone once")
  func deleting() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner", "X-A:1")
    let before = try scene.text(of: "dinner")
    let visitor = try await scene.signIn()
    let page = try await visitor.submit("/item/private/dinner", ["action": "delete"])
    #expect(page.notice.first?.hasPrefix("deleted: Dinner") == true)
    #expect(try scene.texts() == "")
    let run = try #require(page.value(of: "run"))
    let undone = try await visitor.submit("/undo", ["run": run])
    #expect(undone.notice.first == "Run \(run) is taken back.")
    #expect(try scene.texts() == before)
    let again = try await visitor.submit("/undo", ["run": run])
    #expect(again.notice.first != "Run \(run) is taken back.")
    #expect(try scene.texts() == before)
  }

  @Test("Undo does nothing without a number of a run", arguments: ["", "x", "0", "-1", "99999"])
  func unknownRun(_ run: String) async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    _ = try await visitor.submit("/new", ["text": "Lunch tomorrow 12:00", "calendar": "private"])
    let page = try await visitor.submit("/undo", ["run": run])
    #expect(page.notice != [] && !page.notice.contains { $0.hasSuffix("is taken back.") })
    #expect(try scene.texts().contains("SUMMARY:Lunch"))
  }

  @Test("An event moves to another calendar")
  func moving() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    let form = try await visitor.page("/item/private/dinner")
    #expect(form.values("value", of: "option") == ["family"], "events need a calendar for events")
    let page = try await visitor.submit(
      "/item/private/dinner", ["action": "move", "target": "family"])
    #expect(page.notice.first?.hasPrefix("moved: Dinner") == true)
    #expect(try scene.texts() == "" && scene.texts(in: "family").contains("SUMMARY:Dinner"))
    let refused = try await visitor.submit(
      "/item/family/dinner", ["action": "move", "target": "holidays"])
    #expect(!refused.texts("button").contains("Undo"))
    #expect(try scene.texts(in: "family").contains("SUMMARY:Dinner"))
  }

  @Test("An item that is gone, and one that never was, are not found")
  func goneItems() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    _ = try await visitor.page("/item/private/dinner")
    _ = try await visitor.submit("/item/private/dinner", ["action": "delete"])
    for path in [
      "/item/private/dinner", "/item/nothing/dinner", "/item/private/%2E%2E%2Fdinner",
      "/item/..%2F..%2Fetc/passwd", "/item/private/%FF", "/item/%2E%2E/%2E%2E",
    ] {
      #expect(try await visitor.get(path).status == 404, "\(path)")
      let answer = try await visitor.post(path, ["action": "delete"])
      #expect(answer.status == 404, "\(path): \(answer.status)")
    }
  }

  @Test("An item of a calendar that cannot be changed has no form, and takes none")
  func readOnlyCalendar() async throws {
    let scene = try PageScene()
    try scene.add("easter", to: "holidays", "SUMMARY:Easter")
    let before = try scene.text(of: "easter", in: "holidays")
    let visitor = try await scene.signIn()
    let page = try await visitor.page("/item/holidays/easter")
    #expect(!page.texts("button").contains("Save") && !page.texts("button").contains("Delete"))
    for action in ["change", "delete", "move", "done"] {
      let answer = try await visitor.submit(
        "/item/holidays/easter",
        ["action": action, "target": "private", "field-title": "X", "was-title": "Easter"])
      #expect(answer.notice.count >= 1 && !answer.texts("button").contains("Undo"), "\(action)")
    }
    #expect(try scene.text(of: "easter", in: "holidays") == before)
    #expect(try scene.texts() == "")
  }

  // MARK: Tasks

  @Test("A task is added with the day on which it is due, done, and open again")
  func tasks() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    let page = try await visitor.submit("/tasks/new", ["text": "Pay the rent by friday"])
    #expect(page.notice.first?.hasPrefix("added: Pay the rent") == true)
    #expect(page.texts("li", class: "task").first?.contains("Pay the rent") == true)
    let text = try scene.texts()
    #expect(text.contains("DUE;VALUE=DATE:20261204\n"))
    let (uid, calendar) = (try #require(page.value(of: "uid")), page.value(of: "calendar") ?? "")
    let done = try await visitor.submit("/tasks/done", ["uid": uid, "calendar": calendar])
    #expect(done.notice.first?.hasPrefix("completed: Pay the rent") == true)
    #expect(done.texts("li", class: "task").isEmpty)
    #expect(try scene.texts().contains("STATUS:COMPLETED\n"))
    let run = try #require(done.value(of: "run"))
    _ = try await visitor.submit("/undo", ["run": run])
    #expect(try await visitor.page("/tasks").texts("li", class: "task").count == 1)
  }

  @Test("A task without a date is a task, and one that is gone is a sentence")
  func otherTasks() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    _ = try await visitor.submit("/tasks/new", ["text": "Think"])
    #expect(try scene.texts().contains("SUMMARY:Think\n"))
    _ = try await visitor.submit("/tasks/new", ["text": "Dream", "into": "tasks"])
    #expect(try scene.texts(in: "tasks").contains("SUMMARY:Dream\n"))
    let gone = try await visitor.submit("/tasks/done", ["uid": "none", "calendar": "tasks"])
    #expect(gone.notice == ["the task is gone"])
    let empty = try await visitor.submit("/tasks/new", ["text": " "])
    #expect(empty.notice.count == 1 && !empty.texts("button").contains("Undo"))
  }

  @Test("A task is done from the page of its item")
  func doneFromItem() async throws {
    let scene = try PageScene()
    try scene.add("rent", to: "tasks", "SUMMARY:Rent", "DUE;VALUE=DATE:20261201")
    let visitor = try await scene.signIn()
    #expect(try await visitor.page("/item/tasks/rent").texts("button").contains("Done"))
    let page = try await visitor.submit("/item/tasks/rent", ["action": "done"])
    #expect(page.notice.first?.hasPrefix("completed: Rent") == true)
    #expect(try scene.text(of: "rent", in: "tasks").contains("STATUS:COMPLETED\n"))
  }

  // MARK: Feeds

  @Test("The address of a new feed is shown once, works, and ends when it is revoked")
  func feeds() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    let page = try await visitor.submit(
      "/feeds", ["calendar": "private", "show": "busy", "comment": "for Ana"])
    #expect(page.notice.first == "Made the feed for-ana. Its address, which is not shown again:")
    let address = try #require(page.notice.last)
    let start = "http://\(PageScene.host)/feed/"
    #expect(address.hasPrefix(start) && address.hasSuffix(".ics"))
    let token = address.dropFirst(start.count).dropLast(4)
    #expect(token.count == 43)
    let feed = try await scene.get("/feed/\(token).ics")
    #expect(feed.status == 200 && !feed.text.contains("Dinner"))
    let list = try await visitor.page("/feeds")
    #expect(list.text.contains("for Ana") && !list.text.contains(token))
    let revoked = try await visitor.submit("/feeds", ["revoke": "for-ana"])
    #expect(revoked.notice == ["Revoked the feed for-ana. Its address no longer works."])
    #expect(try await scene.get("/feed/\(token).ics").status == 404)
    #expect(revoked.text.contains("There is no feed."))
  }

  @Test("A feed of no calendar, or of an unknown part, is refused")
  func wrongFeeds() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    for (calendar, show) in [
      ("nothing", "busy"), ("", "busy"), ("private", "everything"), ("private", ""),
    ] {
      let page = try await visitor.submit(
        "/feeds", ["calendar": calendar, "show": show, "comment": "x"])
      #expect(!page.notice.isEmpty && !page.notice.joined().contains("/feed/"))
    }
    let unknown = try await visitor.submit("/feeds", ["revoke": "nothing"])
    #expect(!unknown.notice.joined().hasPrefix("Revoked"))
    #expect(try scene.library.feeds().isEmpty)
  }
}

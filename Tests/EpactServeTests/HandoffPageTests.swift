// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import EpactServe
import HTTPTypes
import TestSupport
import Testing

/// The form of a prepared event in the browser.
struct PreparedEventPageTests {
  @Test("The form has the values of the event, and the calendars that can be written")
  func values() async throws {
    let form = try HandoffScene()
    let page = try await form.open().page()
    let values = HandoffVisitor.values(of: page)
    #expect(values["title"] == "Lunch with Ana" && values["where"] == "Café")
    #expect(values["start"] == "Thu 2026-12-03 12:30" && values["end"] == "Thu 2026-12-03 13:30")
    #expect(values["zone"] == "Europe/Berlin" && values["all-day"] == nil)
    #expect(values["note"] == "Bring\r\nphotos")
    #expect(values["repeat"] == "" && values["alarms"] == "")
    #expect(page.texts("option").sorted() == ["family", "private"])
    #expect(values["calendar"] == (try form.scene.calendar("private").id))
  }

  @Test("An event that is saved without a change is the prepared one")
  func unchanged() async throws {
    let form = try HandoffScene()
    let visitor = try await form.open()
    let answer = try await visitor.send("save")
    let words = try await visitor.confirmation(of: answer)
    #expect(words == "Saved. You can close this window.")
    #expect(form.page.outcome == .saved)
    let text = try form.scene.texts()
    for line in HandoffScene.lunch where !line.hasPrefix("DTSTAMP") {
      #expect(text.contains("\(line)\n"), "\(line): \(text)")
    }
    #expect(!text.contains("LAST-MODIFIED") && text.contains("BEGIN:VTIMEZONE"))
    #expect(try await History(machine: form.scene.machine).runs(of: nil).count == 1)
  }

  @Test("Changed values are saved in the chosen calendar")
  func changes() async throws {
    let form = try HandoffScene()
    let visitor = try await form.open()
    let answer = try await visitor.send(
      "save",
      [
        "title": "Dinner", "start": "fri 2026-12-04 19:00", "end": "21:00",
        "zone": "Europe/Vienna", "where": "", "note": "Bring\r\nwine", "alarms": "15m, 1d",
        "repeat": "every friday until 2026-12-18",
        "calendar": try form.scene.calendar("family").id,
      ])
    #expect(answer.status == 303, "\(answer.text)")
    #expect(try form.scene.texts() == "")
    let text = try form.scene.texts(in: "family")
    for line in [
      "SUMMARY:Dinner", "DTSTART;TZID=Europe/Vienna:20261204T190000",
      "DTEND;TZID=Europe/Vienna:20261204T210000", "DESCRIPTION:Bring\\nwine", "X-SEAT:12",
      "TRIGGER:-PT15M", "TRIGGER:-P1D",
    ] { #expect(text.contains("\(line)\n"), "\(line): \(text)") }
    #expect(text.contains("RRULE:FREQ=WEEKLY") && text.contains("UNTIL=20261218T"))
    #expect(!text.contains("LOCATION"))
  }

  @Test("An item with the same UID is not replaced")
  func knownUID() async throws {
    let form = try HandoffScene(.save(try HandoffScene.item(HandoffScene.lunch))) { scene in
      try scene.add("lunch", "SUMMARY:Weekly lunch", "RRULE:FREQ=WEEKLY")
    }
    let visitor = try await form.open()
    let answer = try await visitor.send("save")
    #expect(answer.status == 422)
    #expect(
      answer.page.text.contains("has the item already, as \"Weekly lunch\""), "\(answer.text)")
    #expect(form.page.outcome == nil)
    let text = try form.scene.text(of: "lunch")
    #expect(text.contains("RRULE:FREQ=WEEKLY\n") && !text.contains("Ana"))
    let other = try await visitor.send("save", ["calendar": try form.scene.calendar("family").id])
    #expect(other.status == 303)
    #expect(try form.scene.texts(in: "family").contains("SUMMARY:Lunch with Ana"))
  }

  @Test("Cancel saves nothing")
  func cancelling() async throws {
    let form = try HandoffScene()
    let visitor = try await form.open()
    let answer = try await visitor.send("cancel", ["title": "Other"])
    #expect(try await visitor.confirmation(of: answer).contains("Cancelled."))
    #expect(form.page.outcome == .cancelled)
    #expect(try form.scene.texts() == "")
  }

  struct Fault: CustomTestStringConvertible {
    let field: String
    let text: String
    let words: String
    var testDescription: String { "\(field): \(text)" }
  }

  @Test(
    "An invalid value is explained beside its field, and everything that was typed stays",
    arguments: [
      Fault(field: "title", text: "", words: "expected a title"),
      Fault(field: "start", text: "some day", words: "expected a date or a time"),
      Fault(field: "start", text: "", words: "needs a start"),
      Fault(field: "end", text: "11:00", words: "expected an end after the start"),
      Fault(field: "end", text: "never", words: "expected a date or a time"),
      Fault(field: "zone", text: "Europe/Atlantis", words: "expected the name of a time zone"),
      Fault(field: "repeat", text: "every full moon", words: "full moon"),
      Fault(field: "alarms", text: "15m, soon", words: "expected an alarm such as 15m"),
    ])
  func invalid(_ fault: Fault) async throws {
    let form = try HandoffScene()
    let visitor = try await form.open()
    let answer = try await visitor.send("save", ["where": "Bistro", fault.field: fault.text])
    #expect(answer.status == 422)
    let page = answer.page
    #expect(page.problems == [])
    let marked = page.elements.filter { $0.attributes["aria-invalid"] == "true" }
    #expect(marked.map { $0.attributes["name"] } == [fault.field], "\(page.text)")
    let place = try #require(marked.first?.attributes["aria-describedby"])
    let index = try #require(page.elements.firstIndex { $0.attributes["id"] == place })
    #expect(page.text(in: index).contains(fault.words), "\(page.text(in: index))")
    let values = HandoffVisitor.values(of: page)
    #expect(values[fault.field] == fault.text && values["where"] == "Bistro")
    #expect(form.page.outcome == nil)
    #expect(try form.scene.texts() == "")
    let corrected = try await visitor.post(
      HandoffVisitor.values(of: try await visitor.page()).merging(
        ["action": "save", "where": "Bistro"]) { $1 })
    #expect(corrected.status == 303)
    #expect(try form.scene.texts().contains("LOCATION:Bistro\n"))
  }

  @Test("Several invalid values are explained at once")
  func severalFaults() async throws {
    let form = try HandoffScene()
    let answer = try await form.open().send(
      "save", ["title": " ", "start": "nothing", "alarms": "x"])
    let marked = answer.page.elements.filter { $0.attributes["aria-invalid"] == "true" }
    #expect(marked.compactMap { $0.attributes["name"] } == ["title", "start", "alarms"])
  }

  struct Switch: CustomTestStringConvertible {
    let start: String
    let values: [String: String?]
    let lines: [String]
    var testDescription: String { "\(start) \(values)" }
  }

  @Test(
    "Times become whole days, and whole days times",
    arguments: [
      Switch(
        start: "DTSTART;TZID=Europe/Berlin:20261203T123000\r\nDURATION:PT1H",
        values: ["all-day": "yes"],
        lines: ["DTSTART;VALUE=DATE:20261203", "DTEND;VALUE=DATE:20261204"]),
      Switch(
        start: "DTSTART:20261203T230000Z\r\nDURATION:PT1H",
        values: ["all-day": "yes", "end": "2026-12-06"],
        lines: ["DTSTART;VALUE=DATE:20261204", "DTEND;VALUE=DATE:20261207"]),
      Switch(
        start: "DTSTART;VALUE=DATE:20261203",
        values: ["all-day": nil, "start": "2026-12-03 9:00"],
        lines: ["DTSTART;TZID=Europe/Berlin:20261203T090000", "T100000"]),
      Switch(
        start: "DTSTART;VALUE=DATE:20261203\r\nDTEND;VALUE=DATE:20261206",
        values: ["all-day": nil, "start": "2026-12-03 9:00", "end": "2026-12-03 11:00"],
        lines: [
          "DTSTART;TZID=Europe/Berlin:20261203T090000", "DTEND;TZID=Europe/Berlin:20261203T110000",
        ]),
      Switch(
        start: "DTSTART;VALUE=DATE:20261203", values: ["end": "2026-12-05"],
        lines: ["DTSTART;VALUE=DATE:20261203", "DTEND;VALUE=DATE:20261206"]),
      Switch(
        start: "DTSTART:20261203T120000Z\r\nDTEND:20261203T130000Z", values: ["title": "Late"],
        lines: ["DTSTART:20261203T120000Z", "DTEND:20261203T130000Z"]),
      Switch(
        start: "DTSTART:20261203T120000Z\r\nDTEND:20261203T130000Z",
        values: ["start": "2026-12-03 14:00", "end": "15:30"],
        lines: ["DTSTART:20261203T130000Z", "DTEND:20261203T143000Z"]),
      Switch(
        start: "DTSTART:20261203T120000\r\nDTEND:20261203T130000", values: ["zone": "Asia/Tokyo"],
        lines: ["DTSTART;TZID=Asia/Tokyo:20261203T120000", "DTEND;TZID=Asia/Tokyo:20261203T130000"]
      ),
    ])
  func days(_ example: Switch) async throws {
    let form = try HandoffScene(
      event: ["UID:x", "DTSTAMP:20261101T000000Z", "SUMMARY:X", example.start])
    let answer = try await form.open().send("save", example.values)
    #expect(answer.status == 303, "\(answer.page.text)")
    let text = try form.scene.texts()
    for line in example.lines { #expect(text.contains("\(line)\n"), "\(line): \(text)") }
  }

  @Test("A time needs a time of day, and the last day is not before the first one")
  func wrongDays() async throws {
    let form = try HandoffScene(
      event: ["UID:x", "DTSTAMP:20261101T000000Z", "SUMMARY:X", "DTSTART;VALUE=DATE:20261203"])
    let visitor = try await form.open()
    for (field, values) in [
      ("start", ["all-day": nil]), ("end", ["end": "2026-12-01"]),
      ("start", ["all-day": nil, "start": "tomorrow"]),
    ] as [(String, [String: String?])] {
      let page = try await visitor.send("save", values).page
      let marked = page.elements.filter { $0.attributes["aria-invalid"] == "true" }
      #expect(marked.map { $0.attributes["name"] } == [field], "\(values): \(page.text)")
    }
  }

  @Test("A day that the repetition does not contain is an error of the start")
  func dayBesideRepetition() async throws {
    let form = try HandoffScene(event: [
      "UID:x", "DTSTAMP:20261101T000000Z", "SUMMARY:X", "DTSTART;VALUE=DATE:20261207",
      "RRULE:FREQ=MONTHLY;BYDAY=1MO",
    ])
    let page = try await form.open().send("save", ["start": "2026-12-15", "end": "2026-12-15"]).page
    #expect(page.text.contains("expected a day of the repetition"), "\(page.text)")
    let timed = try HandoffScene(event: [
      "UID:x", "DTSTAMP:20261101T000000Z", "SUMMARY:X", "DTSTART:20261207T120000Z",
      "DTEND:20261207T130000Z", "RRULE:FREQ=MONTHLY;BYDAY=1MO",
    ])
    let other = try await timed.open().send(
      "save", ["start": "2026-12-15 13:00", "end": "2026-12-15 14:00"]
    ).page
    let marked = other.elements.filter { $0.attributes["aria-invalid"] == "true" }
    #expect(marked.map { $0.attributes["name"] } == ["start"], "\(other.text)")
  }

  @Test("Nothing is saved in calendars that were not offered")
  func otherCalendars() async throws {
    let form = try HandoffScene()
    let visitor = try await form.open()
    for id in ["", "private", "../private", try form.scene.calendar("holidays").id] {
      let answer = try await visitor.send("save", ["calendar": id, "title": "Kept"])
      #expect(answer.status == 422 && answer.page.text.contains("Choose one of the calendars."))
      #expect(HandoffVisitor.values(of: answer.page)["title"] == "Kept")
    }
    #expect(form.page.outcome == nil)
  }

  @Test("There is no form without a calendar, and none for reminders")
  func unsuitable() throws {
    #expect(throws: EpactError.self) {
      try HandoffScene(.save(try HandoffScene.item(HandoffScene.lunch))) { scene in
        try scene.folder.write("".utf8, to: ".config/epact/config.toml")
      }
    }
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:t\r\n"
      + "DTSTAMP:20261101T000000Z\r\nSUMMARY:T\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    let reminder = try CalendarItem(parsing: Array(text.utf8))
    #expect(throws: EpactError.self) { try HandoffScene(.save(reminder)) }
  }

  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "</textarea><b>", "</title><script>", "{{{content}}}{{#page}}", "\u{202E}gpj.exe\u{2066}",
    "\"\u{301}><i\u{301}>", "]]><![CDATA[<!--", "\u{1B}]0;x\u{7}\u{9B}31m\u{85}",
    String(repeating: "x", count: 20_000), "a" + String(repeating: "\u{301}", count: 900),
  ]

  @Test("No text of an event leaves its field, and what was not changed is saved as it was")
  func hostileTexts() async throws {
    let known = try TemplateText.attributes()
    for text in Self.hostile {
      let value = text.replacing(";", with: "\\;").replacing(",", with: "\\,")
      let form = try HandoffScene(event: [
        "UID:\(value)", "DTSTAMP:20261101T000000Z", "DTSTART:20261203T120000Z",
        "SUMMARY:zqz\(value)", "LOCATION:zqz\(value)", "DESCRIPTION:zqz\(value)",
        "CATEGORIES:zqz\(value)", "URL:javascript:zqz", "ATTENDEE;CN=zqz:mailto:<b>zqz",
      ])
      let visitor = try await form.open()
      let page = try await visitor.page()
      for element in page.elements {
        let attributes = try #require(known[element.name], "\(element.name)")
        #expect(attributes.isSuperset(of: element.attributes.keys))
      }
      for (text, parent) in page.texts where text.contains("zqz") {
        let names = Set(page.path(of: parent).map { page.elements[$0].name })
        #expect(!names.isDisjoint(with: ["bdi", "textarea", "option"]), "\(names)")
      }
      #expect(try await visitor.send("save").status == 303)
      let saved = try form.scene.texts()
      for name in ["SUMMARY", "LOCATION", "DESCRIPTION", "CATEGORIES"] {
        #expect(saved.contains("\(name):zqz\(value)\n"), "\(name) of \(text.prefix(40))")
      }
    }
  }
}

/// An event that is shown, and a choice of calendars, in the browser.
struct RequestedPageTests {
  private static func series(_ scene: PageScene) throws {
    try scene.add(
      "daily", "SUMMARY:Stand-up", "DTSTART:20261201T110000Z", "DTEND:20261201T113000Z",
      "RRULE:FREQ=DAILY;COUNT=5", "LOCATION:Room <b>")
  }

  private static func shown(
    _ uid: String = "daily", in calendar: String = "private", at time: String? = nil,
    isEditable: Bool = false
  ) throws -> HandoffScene {
    try HandoffScene(
      .show(
        UID(uid), calendar: calendar, at: try time.flatMap { try HandoffDesk.time($0) },
        isEditable: isEditable), prepare: series)
  }

  @Test("An event is shown until it is closed, and cannot be changed")
  func showing() async throws {
    let form = try Self.shown(at: "20261203T110000Z")
    let visitor = try await form.open()
    let page = try await visitor.page()
    #expect(page.texts("h1") == ["Stand-up"])
    #expect(page.text.contains("Thu 2026-12-03 12:00-12:30") && page.text.contains("Room <b>"))
    #expect(page.texts("button") == ["Close"])
    #expect(try await visitor.visitor.get("/edit?part=all").status == 404)
    #expect(try await visitor.post(["csrf": "x"], to: "/edit").status == 404)
    let answer = try await visitor.send("close")
    #expect(try await visitor.confirmation(of: answer).contains("Closed."))
    #expect(form.page.outcome == .closed && HandoffOutcome.closed.lines == [])
  }

  @Test("Only existing events are shown")
  func missing() throws {
    for (uid, calendar, time) in [
      ("other", "private", nil), ("daily", "family", nil),
      ("daily", "private", "20261203T100000Z"),
    ] as [(String, String, String?)] {
      #expect(throws: EpactError.self) { try Self.shown(uid, in: calendar, at: time) }
    }
  }

  @Test("One occurrence is changed, or all, by their own form")
  func changing() async throws {
    let form = try Self.shown(at: "20261203T110000Z", isEditable: true)
    let visitor = try await form.open()
    let page = try await visitor.page()
    #expect(
      page.values("href", of: "a").filter { $0.hasPrefix("/edit") }
        == ["/edit?part=this", "/edit?part=future", "/edit?part=all"])
    let wrong = try await visitor.send("save", ["start": "x"], to: "/edit", of: "/edit?part=this")
    #expect(wrong.status == 422 && HandoffVisitor.values(of: wrong.page)["start"] == "x")
    let answer = try await visitor.send(
      "save", ["start": "13:00", "end": "13:30"], to: "/edit", of: "/edit?part=this")
    #expect(try await visitor.confirmation(of: answer).contains("Saved."))
    let text = try form.scene.text(of: "daily")
    #expect(text.contains("RECURRENCE-ID:20261203T110000Z\n"))
    #expect(text.contains("DTSTART:20261203T120000Z\n"))
    #expect(form.page.outcome == .changed && HandoffOutcome.changed.lines == [])
  }

  @Test("An occurrence is deleted, or the event", arguments: ["this", "all"])
  func deleting(_ part: String) async throws {
    let form = try Self.shown(at: "20261203T110000Z", isEditable: true)
    let visitor = try await form.open()
    let answer = try await visitor.send("delete", to: "/edit", of: "/edit?part=\(part)")
    #expect(try await visitor.confirmation(of: answer).contains("Deleted."))
    #expect(form.page.outcome == .deleted && HandoffOutcome.deleted.lines == ["deleted"])
    let texts = try form.scene.texts()
    #expect(part == "all" ? texts == "" : texts.contains("EXDATE:20261203T110000Z\n"))
  }

  @Test("An event of a read-only calendar is only shown")
  func readOnly() async throws {
    let form = try HandoffScene(
      .show(UID("feast"), calendar: "holidays", at: nil, isEditable: true)
    ) { try $0.add("feast", to: "holidays", "SUMMARY:Feast") }
    let visitor = try await form.open()
    #expect(try await visitor.page().texts("button") == ["Close"])
    let answer = try await visitor.post(
      HandoffVisitor.values(of: try await visitor.page()).merging(
        ["part": "all", "action": "delete"]) { $1 }, to: "/edit")
    #expect(answer.status == 422 && form.page.outcome == nil)
    #expect(try form.scene.text(of: "feast", in: "holidays").contains("Feast"))
  }

  @Test("One calendar is chosen, among all or the writable ones")
  func choosing() async throws {
    for (isWritableOnly, titles) in [
      (false, ["family", "holidays", "private"]), (true, ["family", "private"]),
    ] {
      let form = try HandoffScene(
        .choose(.event, isMultiple: false, isWritableOnly: isWritableOnly))
      let visitor = try await form.open()
      let page = try await visitor.page()
      #expect(page.texts("label").map { String($0.prefix { $0 != " " }) }.sorted() == titles)
      #expect(page.values("type", of: "input").contains("radio"))
      let none = try await visitor.send("choose")
      #expect(none.status == 422 && none.page.text.contains("Choose a calendar."))
      let other = try await visitor.send("choose", ["calendar": "nothing"])
      #expect(other.status == 422)
      let id = try form.scene.calendar("family").id
      let answer = try await visitor.send("choose", ["calendar": id])
      #expect(try await visitor.confirmation(of: answer).contains("Chosen."))
      #expect(form.page.outcome == .chosen([id]) && form.page.outcome?.lines == [id])
    }
  }

  @Test("A read-only calendar is not chosen where only writable ones are offered")
  func notOffered() async throws {
    let form = try HandoffScene(.choose(.event, isMultiple: true, isWritableOnly: true))
    let visitor = try await form.open()
    let id = try form.scene.calendar("holidays").id
    #expect(try await visitor.send("choose", ["calendar-\(id)": "yes"]).status == 422)
    #expect(form.page.outcome == nil)
  }

  @Test("Several calendars are chosen")
  func choosingSeveral() async throws {
    let form = try HandoffScene(.choose(.reminder, isMultiple: true, isWritableOnly: true))
    let visitor = try await form.open()
    let ids = try ["family", "tasks"].map { try form.scene.calendar($0).id }
    let answer = try await visitor.send(
      "choose", ["calendar-\(ids[0])": "yes", "calendar-\(ids[1])": "yes"])
    #expect(answer.status == 303)
    guard case .chosen(let chosen)? = form.page.outcome else {
      Issue.record("nothing was chosen")
      return
    }
    #expect(Set(chosen) == Set(ids))
    let other = try HandoffScene(.choose(.event, isMultiple: true, isWritableOnly: false))
    let second = try await other.open()
    #expect(try await second.send("cancel").status == 303)
    #expect(other.page.outcome == .cancelled && HandoffOutcome.cancelled.lines == [])
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import EpactServe
import TestSupport
import Testing

/// What the views of a week, a month and the next days show, and where.
struct PageViewTests {
  /// The classes of the boxes of a week by their titles.
  private func boxes(_ page: HTMLPage) -> [String: Set<String>] {
    Dictionary(
      page.indices("a", class: "box").map { index in
        let title = page.indices("b").first { page.path(of: $0).contains(index) }
        return (title.map { page.text(in: $0) } ?? "", page.classes(of: index))
      }
    ) { first, _ in first }
  }

  // MARK: Week

  @Test("Events that overlap are side by side, and others have the whole width")
  func lanes() async throws {
    let scene = try PageScene()
    for (uid, start, duration) in [
      ("a", "100000", "PT2H"), ("b", "110000", "PT2H"), ("c", "120000", "PT1H"),
      ("d", "150000", "PT15M"),
    ] {
      try scene.add(
        uid, "SUMMARY:\(uid)", "DTSTART;TZID=Europe/Berlin:20261202T\(start)",
        "DURATION:\(duration)")
    }
    let page = try await scene.signIn().page("/week")
    let boxes = boxes(page)
    // Hours from 8 on, in quarters.
    #expect(boxes["a"]?.isSuperset(of: ["q8", "s8", "n1m2"]) == true, "\(boxes)")
    #expect(boxes["b"]?.isSuperset(of: ["q12", "s8", "n2m2"]) == true)
    #expect(boxes["c"]?.isSuperset(of: ["q16", "s4", "n1m2"]) == true)
    #expect(boxes["d"]?.isSuperset(of: ["q28", "s1", "n1m1", "short"]) == true)
  }

  @Test("Of more than six events side by side, the others are counted")
  func manyLanes() async throws {
    let scene = try PageScene()
    for number in 1...9 {
      try scene.add("e\(number)", "SUMMARY:e\(number)", "DTSTART:20261202T100000Z", "DURATION:PT1H")
    }
    let page = try await scene.signIn().page("/week")
    #expect(page.indices("a", class: "box").count == 6)
    #expect(page.texts("span", class: "more") == ["+3"])
  }

  @Test("An event over midnight is in both days, and the grid has all of its hours")
  func midnight() async throws {
    let scene = try PageScene()
    try scene.add(
      "party", "SUMMARY:Party", "DTSTART;TZID=Europe/Berlin:20261205T220000", "DURATION:PT5H")
    let page = try await scene.signIn().page("/week")
    let parts = page.indices("a", class: "box").map { page.classes(of: $0) }
    #expect(parts.count == 2)
    #expect(parts.first?.isSuperset(of: ["q88", "s8"]) == true, "\(parts)")
    #expect(parts.last?.isSuperset(of: ["q0", "s12"]) == true)
    #expect(page.indices("div", class: "h24").count == 8)
  }

  @Test("Whole days over several days are one bar, also beyond the week")
  func bars() async throws {
    let scene = try PageScene()
    try scene.add(
      "trip", "SUMMARY:Trip", "DTSTART;VALUE=DATE:20261202", "DTEND;VALUE=DATE:20261205")
    try scene.add(
      "fair", "SUMMARY:Fair", "DTSTART;VALUE=DATE:20261125", "DTEND;VALUE=DATE:20261210")
    try scene.add("day", "SUMMARY:Day", "DTSTART;VALUE=DATE:20261206")
    let page = try await scene.signIn().page("/week")
    let bars = Dictionary(
      page.indices("a", class: "bar-ev").map { (page.text(in: $0), page.classes(of: $0)) }
    ) { first, _ in first }
    #expect(bars.count == 3 && page.indices("a", class: "box").isEmpty)
    #expect(bars["Trip"]?.isSuperset(of: ["d3", "w3"]) == true, "\(bars)")
    #expect(bars["Fair"]?.isSuperset(of: ["d1", "w7"]) == true)
    #expect(bars["Day"]?.isSuperset(of: ["d7", "w1"]) == true)
  }

  @Test("The days on which clocks change have their events at the time on the wall")
  func clockChanges() async throws {
    let scene = try PageScene()
    for (uid, day) in [("spring", "20260329"), ("autumn", "20261025")] {
      try scene.add(
        uid, "SUMMARY:\(uid)", "DTSTART;TZID=Europe/Berlin:\(day)T100000", "DURATION:PT1H")
    }
    try scene.add(
      "gap", "SUMMARY:gap", "DTSTART:20260329T003000Z", "DTEND:20260329T013000Z")
    try scene.add(
      "twice", "SUMMARY:twice", "DTSTART:20261025T003000Z", "DTEND:20261025T013000Z")
    let visitor = try await scene.signIn()
    let spring = boxes(try await visitor.page("/week?from=2026-03-29"))
    #expect(spring["spring"]?.isSuperset(of: ["q36", "s4"]) == true, "\(spring)")
    // From 1:30 to 3:30 on the wall, an hour long.
    #expect(spring["gap"]?.isSuperset(of: ["q2", "s8"]) == true)
    let autumn = boxes(try await visitor.page("/week?from=2026-10-25"))
    #expect(autumn["autumn"]?.isSuperset(of: ["q32", "s4"]) == true, "\(autumn)")
    // From 2:30 to 2:30 on the wall, an hour long: it is seen nevertheless.
    #expect(autumn["twice"] != nil)
  }

  @Test("A week begins on Monday in Britain and on Sunday in the United States")
  func firstWeekday() async throws {
    for (locale, first) in [("en_GB", "2026-11-30"), ("en_US", "2026-11-29")] {
      let scene = try PageScene(locale: locale)
      let page = try await scene.signIn().page("/week?from=2026-12-05")
      #expect(page.values("datetime", of: "time").first == first)
      #expect(page.indices("div", class: "today").count == 2, "the head and the column")
      #expect(page.indices("div", class: "now").count == 1)
    }
  }

  // MARK: Month

  @Test(
    "A month has as many weeks as it touches",
    arguments: [("2021-02-14", 4), ("2026-12-31", 5), ("2026-08-01", 6), ("2027-02-01", 4)])
  func weeks(_ date: String, count: Int) async throws {
    let page = try await PageScene().signIn().page("/month?from=\(date)")
    #expect(page.indices("tr").count == count + 1)
    #expect(page.indices("td").count == 7 * count)
    #expect(page.texts("th").first == "Monday")
  }

  @Test("A day of the month has four entries, and the number of others")
  func monthEntries() async throws {
    let scene = try PageScene()
    for number in 1...7 {
      try scene.add("e\(number)", "SUMMARY:e\(number)", "DTSTART:20261202T1\(number)0000Z")
    }
    let page = try await scene.signIn().page("/month")
    #expect(page.texts("bdi") == ["e1", "e2", "e3", "e4"])
    #expect(page.texts("a", class: "small") == ["3 more"])
    #expect(page.values("href", of: "a").contains("/month?from=2026-11-30"))
    #expect(page.values("href", of: "a").contains("/month?from=2027-01-01"))
  }

  @Test("The ends of time have a page", arguments: ["0001-01-01", "9999-12-31", ""])
  func endsOfTime(_ date: String) async throws {
    let visitor = try await PageScene().signIn()
    for path in ["/week", "/month", "/agenda"] {
      _ = try await visitor.page("\(path)?from=\(date)")
    }
  }

  @Test(
    "A text that is no date is refused with a sentence",
    arguments: [
      "x", "2026-02-30", "-1-1-1", "99999999999999999999-1-1", "2026-12-01-01", "2026-12-1",
      "+026-12-01", "today",
    ])
  func noDates(_ text: String) async throws {
    let visitor = try await PageScene().signIn()
    for path in ["/week", "/month", "/agenda"] {
      let page = try await visitor.page("\(path)?from=\(FormText.escaped(text))", status: 400)
      #expect(page.text.contains("expected a date such as 2026-12-01, found \"\(text)\""))
    }
  }

  // MARK: Lists

  @Test("Empty calendars have pages that say so")
  func empty() async throws {
    let visitor = try await PageScene().signIn()
    for (path, words) in [
      ("/", "Nothing takes place."), ("/agenda", "Nothing takes place."),
      ("/tasks", "Nothing is to be done."), ("/feeds", "There is no feed."),
      ("/search?q=dinner", "Nothing matches."),
    ] {
      #expect(try await visitor.page(path).text.contains(words), "\(path)")
    }
    _ = try await visitor.page("/week")
    _ = try await visitor.page("/month")
  }

  @Test("A home without a configuration has pages")
  func noConfiguration() async throws {
    let scene = try PageScene()
    try scene.folder.write("".utf8, to: ".config/epact/config.toml")
    let visitor = try await scene.signIn()
    for path in ["/", "/week", "/month", "/agenda", "/tasks", "/new", "/search?q=x"] {
      _ = try await visitor.page(path)
    }
  }

  @Test("A calendar whose folder is missing leaves the others readable")
  func missingFolder() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let more = PageScene.configuration + "[calendar.away]\npath = \"~/calendars/away\"\n"
    try scene.folder.write(more.utf8, to: ".config/epact/config.toml")
    let visitor = try await scene.signIn()
    for path in ["/", "/week", "/month", "/agenda", "/search?q=dinner"] {
      #expect(try await visitor.page(path).text.contains("Dinner"), "\(path)")
    }
    _ = try await visitor.page("/new")
    _ = try await visitor.page("/tasks")
  }

  @Test(
    "All views state that a file could not be read, and show the others",
    arguments: ["/", "/week", "/month", "/agenda"])
  func damagedFile(_ path: String) async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    try scene.folder.write("BEGIN:VCALENDAR\r\nBEGIN:VEV".utf8, to: "calendars/private/broken.ics")
    let page = try await scene.signIn().page(path)
    #expect(page.text.contains("Dinner"))
    #expect(page.text.contains("Some files could not be read. To see which: epact check"))
  }

  @Test("The page of an unreadable configuration names its file")
  func wrongConfiguration() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    try scene.folder.write("[calendar.a]\npath = 1\n".utf8, to: ".config/epact/config.toml")
    let page = try await visitor.page("/", status: 500)
    #expect(page.text.contains("config.toml"))
  }

  @Test("Today has the overdue tasks, what overlaps, and what is over")
  func today() async throws {
    let scene = try PageScene()
    try scene.add("early", "SUMMARY:Early", "DTSTART:20261201T060000Z", "DURATION:PT1H")
    try scene.add("a", "SUMMARY:A", "DTSTART:20261201T110000Z", "DURATION:PT1H")
    try scene.add("b", to: "family", "SUMMARY:B", "DTSTART:20261201T113000Z", "DURATION:PT1H")
    try scene.add("day", "SUMMARY:Day", "DTSTART;VALUE=DATE:20261201")
    try scene.add("rent", to: "tasks", "SUMMARY:Rent", "DUE;VALUE=DATE:20261128")
    let page = try await scene.signIn().page("/")
    func entry(_ title: String) -> (text: String, classes: Set<String>) {
      let index = page.indices("li", class: "ev").first { page.text(in: $0).contains(title) }
      return index.map { (page.text(in: $0), page.classes(of: $0)) } ?? ("", [])
    }
    #expect(entry("Early").classes.contains("past"))
    #expect(!entry("A").classes.contains("past"))
    #expect(entry("B").text.contains("overlaps") && entry("B").text.contains("12:30"))
    #expect(!entry("Early").text.contains("overlaps"))
    #expect(entry("Day").text.contains("all day"))
    #expect(page.texts("aside").first?.contains("Rent") == true)
    #expect(page.texts("h1").first?.contains("1 December") == true)
  }

  @Test("A search finds by a word or a condition, and explains a wrong one")
  func search() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner", "LOCATION:Café")
    try scene.add("lunch", to: "family", "SUMMARY:Lunch")
    let visitor = try await scene.signIn()
    #expect(try await visitor.page("/search?q=caf%C3%A9").texts("b") == ["Dinner"])
    #expect(try await visitor.page("/search?q=calendar%3Afamily").texts("b") == ["Lunch"])
    let wrong = try await visitor.page("/search?q=start%3E%3Dsomeday", status: 400)
    #expect(wrong.value(of: "q") != nil)
    #expect(wrong.texts("p", class: "failure").count == 1)
    #expect(!wrong.text.contains("Nothing matches."))
  }

  // MARK: Languages

  @Test(
    "Dates and the direction are those of the language",
    arguments: [
      ("de_DE.UTF-8", "de-DE", "ltr", "1. Dezember"), ("ar_EG", "ar-EG", "rtl", "ديسمبر"),
      ("ja_JP", "ja-JP", "ltr", "12月1日"), ("en_GB", "en-GB", "ltr", "1 December"),
      ("C", "en-GB", "ltr", "1 December"), ("", "en-GB", "ltr", "1 December"),
      ("he_IL", "he-IL", "rtl", "דצמבר"), ("fa_IR", "fa-IR", "rtl", ""),
    ])
  func languages(_ locale: String, language: String, direction: String, words: String) async throws
  {
    let scene = try PageScene(locale: locale)
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    for path in ["/", "/week", "/month", "/agenda", "/item/private/dinner"] {
      let page = try await visitor.page(path)
      #expect(page.values("lang", of: "html") == [language], "\(path)")
      #expect(page.values("dir", of: "html") == [direction], "\(path)")
    }
    let title = try #require(try await visitor.page("/").texts("h1").first)
    #expect(words.isEmpty || title.contains(words), "\(title)")
  }
}

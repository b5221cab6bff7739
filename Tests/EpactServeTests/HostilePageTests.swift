// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import EpactServe
import HTTPTypes
import Foundation
import TestSupport
import Testing

/// Pages of items that are written to break them.
struct HostilePageTests {
  /// A word in each hostile text that no template contains.
  private static let mark = "zqz"

  private static let texts: [String] = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "javascript:alert(1)", "</title><script>alert(1)</script>", "</textarea><b>", "</bdi></b></a>",
    "<!--", "]]><![CDATA[", "&lt;script&gt;&#60;", "{{title}}{{{content}}}{{#page}}{{/page}}",
    "{{> frame}}{{% CONTENT_TYPE: TEXT}}", "\u{202E}gpj.exe\u{2066}\u{2067}", "🦊👩‍👩‍👧‍👦\u{FE0F}",
    "\"\u{301}><i\u{301}>", String(repeating: "x", count: 1 << 20),
    "a" + String(repeating: "\u{301}", count: 10_000), "../../../etc/passwd", "%2F..%2F%00%0D%0A",
    "\u{1B}]0;x\u{7}\u{9B}31m\u{85}\u{2028}", "<svg/onload=alert(1)>`=`",
  ]

  private static let uids: [String] = [
    "<script>", "\"><b>", "..", ".", "a/../../b", "%2F", "%2e%2e", "a\\nb", "?date=2026-12-01#x",
    "javascript:alert(1)", "zqz\u{202E}", "🦊", " ", "a b+c", "{{x}}", "'", "~", "//evil.example/",
    String(repeating: "u", count: 100_000), "\tSet-Cookie: x=y",
  ]

  /// A value as text in a file (RFC 5545 §3.3.11).
  private static func value(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\r\n", with: "\\n")
      .replacing("\n", with: "\\n").replacing(";", with: "\\;").replacing(",", with: "\\,")
  }

  /// A scene with an event and a task of each text and UID.
  private static func scene(_ texts: [String] = texts) throws -> PageScene {
    let scene = try PageScene()
    for (number, text) in texts.enumerated() {
      let text = value(mark + text)
      let uid = value(number < uids.count ? uids[number] : "u\(number)")
      for (calendar, kind) in [("private", "VEVENT"), ("tasks", "VTODO")] {
        let times =
          kind == "VTODO"
          ? ["DUE:20261130T120000Z"] : ["DTSTART:20261202T1000\(number + 10)Z", "DURATION:PT1H"]
        let lines =
          ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:\(kind)", "UID:\(uid)"]
          + ["DTSTAMP:20261101T000000Z", "SUMMARY:\(text)", "LOCATION:\(text)"] + times
          + ["DESCRIPTION:\(text)\\n\(text)", "CATEGORIES:\(text)", "URL:javascript:\(mark)(1)"]
          + ["STATUS:\(text)", "X-ALT-DESC;FMTTYPE=text/html:<b>\(mark)</b>"]
          + ["ORGANIZER;CN=\(mark)<b>:mailto:\(mark)@example.org"]
          + (0..<(number == 0 ? 5000 : 1)).map { "ATTENDEE;CN=<i>\(mark)\($0):mailto:<\(mark)>" }
          + ["END:\(kind)", "END:VCALENDAR"]
        try scene.folder.write(lines: lines, to: "calendars/\(calendar)/f\(number).ics")
      }
    }
    try scene.folder.write("\(mark)\"><script>\u{202E}".utf8, to: "calendars/private/displayname")
    try scene.folder.write("red;} body{background:url(//evil)".utf8, to: "calendars/private/color")
    try scene.folder.write("#12ab34".utf8, to: "calendars/family/color")
    return scene
  }

  /// Elements that cannot have an element around their text, and isolate it themselves.
  private static let isolated: Set<String> = ["bdi", "title", "option", "textarea"]

  /// What a page has that its templates do not, or that is not isolated.
  private static func faults(_ page: HTMLPage, _ known: [String: Set<String>]) -> [String] {
    var faults = page.problems
    for element in page.elements {
      guard let attributes = known[element.name] else {
        faults.append("<\(element.name)>")
        continue
      }
      for (name, value) in element.attributes {
        if !attributes.contains(name) { faults.append("\(name) of <\(element.name)>") }
        if ["href", "action"].contains(name), !value.hasPrefix("/") || value.hasPrefix("//"),
          !["#main", "data:,"].contains(value)
        {
          faults.append("\(name)=\(value.prefix(80))")
        }
        let isPlace = ["class", "id", "name", "type", "datetime", "role"].contains(name)
        if isPlace, value.contains(mark) { faults.append("\(name)=\(value.prefix(80))") }
      }
    }
    for (text, parent) in page.texts where text.contains(mark) {
      let names = page.path(of: parent).map { page.elements[$0].name }
      if isolated.isDisjoint(with: names) { faults.append("\(names): \(text.prefix(80))") }
    }
    return faults
  }

  @Test("No item adds an element or an attribute to a page, and no page grows without bound")
  func pages() async throws {
    let scene = try Self.scene()
    let visitor = try await scene.signIn()
    let known = try TemplateText.attributes()
    var paths = [
      "/", "/week", "/month", "/agenda?from=2026-11-28", "/tasks", "/new", "/feeds",
      "/search?q=\(Self.mark)", "/search?q=start%3E%3D\(FormText.escaped(Self.texts[1]))",
      "/new?text=\(FormText.escaped(Self.texts[0] + " tomorrow 12:00"))",
      "/new?text=x&calendar=\(FormText.escaped(Self.texts[1]))",
    ]
    for path in paths {
      let answer = try await visitor.get(path)
      #expect(answer.status == (path.hasPrefix("/search?q=start") ? 400 : 200), "\(path)")
      #expect(Self.faults(answer.page, known) == [], "\(path)")
      #expect(answer.bytes.count < 600_000, "\(path): \(answer.bytes.count)")
    }
    for (name, count) in [("private", 17), ("tasks", 3)] {
      paths += Self.uids.prefix(count).map { "/item/\(name)/\(PathText.escaped($0))" }
    }
    for path in paths.suffix(20) {
      let answer = try await visitor.get(path)
      #expect(answer.bytes.count < 300_000, "\(path): \(answer.bytes.count)")
      #expect(Self.faults(answer.page, known) == [], "\(path)")
      #expect(!answer.text.contains("<b>\(Self.mark)</b>"))
    }
  }

  @Test("The links of all pages lead to the pages of their items")
  func links() async throws {
    let scene = try Self.scene(Self.uids.map { _ in "" })
    let visitor = try await scene.signIn()
    for path in ["/tasks", "/search?q=\(Self.mark)", "/agenda?from=2026-11-28"] {
      let page = try await visitor.page(path)
      let links = page.values("href", of: "a").filter { $0.hasPrefix("/item/") }
      #expect(Set(links).count >= 18, "\(path)")
      for link in Set(links) where link.utf8.count < 2000 {
        let answer = try await visitor.get(link)
        #expect(answer.status == 200, "\(link)")
        #expect(answer.page.texts("h1").first?.hasPrefix(Self.mark) == true, "\(link)")
      }
    }
  }

  @Test("A form names an item whatever its identifier is")
  func forms() async throws {
    let scene = try Self.scene(Self.uids.map { _ in "" })
    let visitor = try await scene.signIn()
    let page = try await visitor.page("/tasks")
    let uids = page.elements.filter { $0.attributes["name"] == "uid" }
      .compactMap { $0.attributes["value"] }
    #expect(uids.count == Self.uids.count - 1, "all but the one of 100 KB")
    for uid in uids where uid.utf8.count < 2000 {
      let answer = try await visitor.submit("/tasks/done", ["uid": uid, "calendar": "tasks"])
      #expect(answer.notice.first?.hasPrefix("completed: ") == true, "\(uid): \(answer.notice)")
      let faults = Self.faults(answer, try TemplateText.attributes())
      #expect(faults == [])
    }
  }

  @Test("A notice and an error isolate and escape what they quote")
  func notices() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    let known = try TemplateText.attributes()
    for text in Self.texts where text.utf8.count < 10_000 {
      let hostile = Self.mark + text
      for (path, form) in [
        ("/feeds", ["revoke": hostile] as KeyValuePairs<String, String>),
        ("/feeds", ["calendar": hostile, "show": "all", "comment": hostile]),
        ("/feeds", ["calendar": "family", "show": "all", "comment": hostile]),
        ("/tasks/new", ["text": "\"\(hostile)\""]), ("/undo", ["run": hostile]),
        ("/new", ["text": hostile, "calendar": hostile]),
        ("/tasks/done", ["uid": hostile, "calendar": hostile]),
      ] {
        let page = try await visitor.submit(path, form)
        #expect(Self.faults(page, known) == [], "\(path): \(text)")
      }
      let escaped = PathText.escaped(hostile)
      for path in ["/item/\(escaped)/x", "/item/private/\(escaped)", "/\(escaped)"] {
        #expect(Self.faults(try await visitor.get(path).page, known) == [], "\(path)")
      }
    }
  }

  @Test("The style sheet of calendars has colours and nothing else")
  func styleSheet() async throws {
    let scene = try Self.scene()
    let visitor = try await scene.signIn()
    let sheet = try await visitor.get("/calendars.css")
    #expect(sheet.headers[.contentType] == "text/css; charset=utf-8")
    #expect(!sheet.text.contains("evil") && !sheet.text.contains(Self.mark))
    #expect(sheet.text.contains("#12ab34") || sheet.text.contains("#12AB34"))
    let lines = sheet.text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.wholeMatch(of: /\.c\d+ \{ --c: [a-z#0-9A-F(),% -]+; \}/) != nil })
  }
}

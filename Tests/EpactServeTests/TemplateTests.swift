// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import EpactServe

/// The templates as files.
enum TemplateText {
  /// The texts by their names.
  static func all() throws -> [String: String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/EpactServe/Templates")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return Dictionary(
      uniqueKeysWithValues: try files.map {
        ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
      })
  }

  /// A template as HTML, without its tags.
  static func page(_ text: String) -> HTMLPage {
    let html = text.replacing(/\{\{\{?[^}]*\}\}\}?/, with: "")
    let start = html.hasPrefix("<!doctype") ? "" : "<!doctype html>\n"
    return HTMLPage(Array((start + html).utf8))
  }

  /// The attributes of all elements of the templates.
  static func attributes() throws -> [String: Set<String>] {
    var known: [String: Set<String>] = [:]
    for text in try all().values {
      for element in page(text).elements {
        known[element.name, default: []].formUnion(element.attributes.keys)
      }
    }
    return known
  }
}

struct TemplateTests {
  @Test("All templates are embedded")
  func registered() throws {
    let names = try TemplateText.all().keys.sorted()
    #expect(names.count > 10)
    #expect(Templates.names.sorted() == names)
  }

  @Test("Only the frame has a value that is not escaped: the page in it")
  func escaping() throws {
    for (name, text) in try TemplateText.all() {
      let raw = text.matches(of: /\{\{\s*[{&][^}]*\}\}+/).map { String($0.output) }
      #expect(raw == (name == "frame" ? ["{{{content}}}"] : []), "\(name)")
      #expect(!text.contains(/\{\{\s*[=%]/), "\(name) changes how tags are read")
    }
  }

  @Test("Each template is HTML without its tags, without style, and with one script by its address")
  func html() throws {
    for (name, text) in try TemplateText.all() {
      let page = TemplateText.page(text)
      #expect(page.problems == [], "\(name)")
      let names = Set(page.elements.map(\.name))
      let scripts = text.matches(of: /<script[^>]*>[^<]*/).map { String($0.output) }
      #expect(
        scripts == (name == "frame" ? ["<script src=\"/assets/page.js\" defer>"] : []), "\(name)")
      #expect(names.isDisjoint(with: ["style", "iframe", "object", "base", "embed"]), "\(name)")
      for element in page.elements {
        let attributes = element.attributes.keys
        #expect(!attributes.contains { $0 == "style" || $0.hasPrefix("on") }, "\(name)")
        // Before the sign-in there is no session whose token the form could send.
        if element.name == "form", element.attributes["method"] == "post", name != "signin" {
          #expect(text.contains("name=\"csrf\""), "\(name)")
        }
      }
      let (forms, tokens) = (
        name == "signin" ? 0 : text.matches(of: /<form [^>]*method="post"/).count,
        text.matches(of: /name="csrf"/).count
      )
      #expect(forms == tokens, "\(name): a form without a token, or a token without a form")
    }
  }

  @Test("Values of attributes are in quotes")
  func quotes() throws {
    for (name, text) in try TemplateText.all() {
      #expect(!text.contains(/\s[a-z-]+=\{\{/), "\(name)")
      #expect(!text.contains(/\s[a-z-]+='/), "\(name)")
    }
  }

  @Test("Templates find each value of an entry and of a day by its name")
  func names() {
    let entry = EntryModel(
      time: "a", title: "b", place: "c", categories: "d", marks: "e", calendar: "f",
      calendarClass: "g", sign: "h", href: "i", isPast: true, clashes: true)
    let day = DayModel(
      date: "a", number: "b", name: "c", month: "d", isToday: true, entries: [entry], rest: 1)
    /// The text of a value that may be optional.
    func text(_ value: Any?) -> String {
      guard let value else { return "nil" }
      let optional = Mirror(reflecting: value)
      return optional.displayStyle == .optional
        ? text(optional.children.first?.value) : "\(value)"
    }
    for (name, value) in Mirror(reflecting: entry).children {
      #expect(text(entry.child(named: name ?? "")) == text(value), "\(name ?? "")")
    }
    for (name, value) in Mirror(reflecting: day).children {
      #expect(text(day.child(named: name ?? "")) == text(value), "\(name ?? "")")
    }
    #expect(entry.child(named: "other") == nil && day.child(named: "other") == nil)
  }
}

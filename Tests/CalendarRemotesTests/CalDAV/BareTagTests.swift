// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

/// Servers that leave out the quotes of entity tags, which RFC 9110 §8.8.3 requires.
@Suite struct BareTagTests {
  typealias Script = CalDAVScript
  typealias Exchange = ScriptedTransport.Exchange

  static let place = "https://h/cal/a.ics"
  static let href = Href("/cal/a.ics")

  @Test(arguments: [
    ("abc", "\"abc\"", true, false), ("\"abc\"", "\"abc\"", false, false),
    ("'abc'", "\"'abc'\"", true, false), ("W/\"abc\"", "W/\"abc\"", false, true),
    ("W/abc", "W/\"abc\"", true, true), ("w/\"abc\"", "W/\"abc\"", true, true),
    ("", "\"\"", true, false), ("W/", "W/\"\"", true, true),
  ])
  func `Quotes are added where they are missing`(
    _ text: String, _ quoted: String, _ isBare: Bool, _ isWeak: Bool
  ) {
    let tag = EntityTag(text)
    #expect(tag.rawValue == text)
    #expect(tag.quoted == quoted)
    #expect(tag.isBare == isBare)
    #expect(tag.isWeak == isWeak)
    #expect(tag == EntityTag(quoted))
    #expect(Set([tag, EntityTag(quoted)]).count == 1)
    #expect(tag != EntityTag("other"))
  }

  /// A write on a condition, and what the server makes of it.
  private static func put(_ condition: String, _ status: Int) -> Exchange {
    .init(.put, place, fields: ["If-Match": condition], answer: .status(status))
  }

  private static func delete(_ condition: String, _ status: Int) -> Exchange {
    .init(.delete, place, fields: ["If-Match": condition], answer: .status(status))
  }

  /// What the server says its tag is.
  private static func tag(_ text: String) -> Exchange {
    .init(
      .propfind, place, fields: ["Depth": "0"],
      answer: .multiStatus(Script.member("/cal/a.ics", etag: text)))
  }

  private func update(_ tag: String, _ exchanges: [Exchange]) async throws -> WriteOutcome {
    let script = try await Script(exchanges)
    let outcome = try await script.calendar.update(
      Self.href, to: try Script.event("a"), ifMatch: EntityTag(tag))
    script.transport.expectFinished()
    return outcome
  }

  private func delete(_ tag: String, _ exchanges: [Exchange]) async throws -> WriteOutcome {
    let script = try await Script(exchanges)
    let outcome = try await script.calendar.delete(Self.href, ifMatch: EntityTag(tag))
    script.transport.expectFinished()
    return outcome
  }

  private let written = WriteOutcome.written(href: href, etag: nil)

  @Test func `A server that knows its tag with quotes is asked once`() async throws {
    #expect(try await update("abc", [Self.put("\"abc\"", 204)]) == written)
    #expect(try await delete("abc", [Self.delete("\"abc\"", 204)]) == .deleted)
  }

  @Test(arguments: ["abc", "'abc'", "12-34/5="]) func `A server gets its own spelling back`(
    _ text: String
  ) async throws {
    let quoted = "\"\(text)\""
    // Also where the tag that is known was told with its quotes.
    for known in [text, quoted] {
      #expect(
        try await update(
          known, [Self.put(quoted, 412), Self.tag(text), Self.put(text, 204)]) == written)
      #expect(
        try await delete(
          known, [Self.delete(quoted, 412), Self.tag(text), Self.delete(text, 204)]) == .deleted)
    }
  }

  @Test func `A server that knows no spelling of its tag is asked without one`() async throws {
    #expect(
      try await update(
        "abc",
        [
          Self.put("\"abc\"", 412), Self.tag("abc"), Self.put("abc", 412), Self.tag("abc"),
          Self.put("*", 204),
        ]) == written)
    #expect(
      try await update(
        "abc",
        [
          Self.put("\"abc\"", 412), Self.tag("abc"), Self.put("abc", 412), Self.tag("abc"),
          Self.put("*", 412),
        ]) == .conditionFailed)
  }

  @Test func `What was edited meanwhile is not replaced`() async throws {
    #expect(
      try await update("abc", [Self.put("\"abc\"", 412), Self.tag("abd")]) == .conditionFailed)
    #expect(
      try await update(
        "abc",
        [Self.put("\"abc\"", 412), Self.tag("abc"), Self.put("abc", 412), Self.tag("abd")])
        == .conditionFailed)
    #expect(
      try await delete("abc", [Self.delete("\"abc\"", 412), Self.tag("abd")]) == .conditionFailed)
  }

  @Test func `A server that refuses its tag in its own quotes is believed`() async throws {
    #expect(
      try await update("\"abc\"", [Self.put("\"abc\"", 412), Self.tag("\"abc\"")])
        == .conditionFailed)
  }

  @Test func `A weak tag without quotes is compared before the write`() async throws {
    #expect(try await update("W/abc", [Self.tag("W/abc"), Self.put("*", 204)]) == written)
    #expect(try await update("W/abc", [Self.tag("W/abd")]) == .conditionFailed)
  }

  @Test func `A listing keeps tags as they are spelled`() async throws {
    let script = try await Script([
      .init(
        .propfind, Script.root,
        answer: .multiStatus(Script.own + Script.member("/cal/a.ics", etag: "  abc\n")))
    ])
    let entries = try await script.calendar.list()
    #expect(entries.map(\.etag?.rawValue) == ["abc"])
    #expect(entries.map(\.etag) == [EntityTag("\"abc\"")])
  }
}

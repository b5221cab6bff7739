// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import TestSupport
import Testing

/// Header fields: encoded words, parameters and mailboxes.
@Suite("Header fields of mails") struct MailTextTests {
  struct Case: CustomTestStringConvertible {
    let source: String
    let expected: String

    var testDescription: String { source }
  }

  private static let words = [
    Case(source: "plain text", expected: "plain text"),
    Case(source: "=?UTF-8?Q?J=C3=B6rg_W.?= writes", expected: "Jörg W. writes"),
    Case(source: "=?iso-8859-1?q?Caf=E9?=", expected: "Café"),
    Case(source: "=?ISO-8859-1*de?B?R3L832U=?=", expected: "Grüße"),
    // RFC 2047 §8: white space between encoded words is not part of the text.
    Case(source: "(=?US-ASCII?Q?a?= \r\n  =?US-ASCII?Q?b?=)", expected: "(ab)"),
    Case(source: "=?US-ASCII?Q?a_?= =?US-ASCII?Q?b?=", expected: "a b"),
    // A character that is divided between two words.
    Case(source: "=?utf-8?B?w?= =?utf-8?Q?=C3?= =?utf-8?Q?=A4?=", expected: "ä"),
    Case(source: "=?x-unknown?Q?a?=", expected: "a"),
    Case(source: "=?utf-8?X?a?=", expected: "=?utf-8?X?a?="),
    Case(source: "=?utf-8?Q?open", expected: "=?utf-8?Q?open"),
    Case(source: "=?", expected: "=?"),
    Case(source: "=?=?=?=?", expected: "=?=?=?=?"),
  ]

  @Test("Encoded words are decoded (RFC 2047)", arguments: words)
  func decodesWords(_ example: Case) {
    #expect(EncodedWords.decode(Array(example.source.utf8)) == example.expected)
  }

  @Test("Encoding and decoding a text is the identity, in words of at most 75 characters")
  func encodedWordsRoundTrip() {
    let alphabet = Array("abc äöü€😀\u{0}\n\r\t?=_\"<>,:;")
    forAll(200) { random in
      let text = String(
        (0..<Int.random(in: 1...80, using: &random)).compactMap { _ in
          alphabet.randomElement(using: &random)
        })
      let encoded = EncodedWords.encode(text)
      try #require(encoded.utf8.allSatisfy { 0x20...0x7E ~= $0 })
      try #require(encoded.split(separator: " ").allSatisfy { $0.utf8.count <= 75 })
      try #require(EncodedWords.decode(Array(encoded.utf8)) == text)
    }
  }

  @Test("Parameters may be quoted, continued and encoded (RFC 2045, RFC 2231)")
  func parameters() {
    func field(_ text: String) -> ParameterizedField {
      ParameterizedField(parsing: Array(text.utf8))
    }
    let type = field(
      "Text/Calendar (a; comment) ; Method=REQUEST;charset=\"UTF-8\"; x=\"a;b\\\"c\"")
    #expect(type.word == "text/calendar")
    #expect(type.parameters == ["method": "REQUEST", "charset": "UTF-8", "x": "a;b\"c"])
    let name = field("attachment; filename*1=\" und Tee.ics\"; filename*0*=iso-8859-1'de'Caf%E9")
    #expect(name.parameters["filename"] == "Café und Tee.ics")
    #expect(field("attachment; filename*=utf-8''%e2%82%ac.ics").parameters["filename"] == "€.ics")
    #expect(
      field("attachment; filename=\"=?utf-8?Q?=E2=82=AC?=.ics\"").parameters["filename"] == "€.ics")
    #expect(field("").word == "")
    #expect(field("a; =b; c; *=d; e=").parameters == ["e": ""])
  }

  @Test("Mailboxes are found in lists, groups and comments (RFC 5322 §3.4)")
  func mailboxes() {
    func list(_ text: String) -> [String] {
      Mailbox.list(parsing: Array(text.utf8)).map(\.description)
    }
    #expect(
      list("Ada <ada@a.example>, \"Bea, B.\" <bea@b.example>, c@c.example (Cleo, C.)")
        == ["Ada <ada@a.example>", "Bea, B. <bea@b.example>", "c@c.example"])
    #expect(
      list("Friends: d@d.example, <e@e.example>;, f@f.example") == [
        "d@d.example", "e@e.example", "f@f.example",
      ])
    #expect(list("=?utf-8?Q?J=C3=B6rg?= <j@j.example>") == ["Jörg <j@j.example>"])
    #expect(list("undisclosed-recipients:;") == [])
    #expect(list("<") == [])
  }

  @Test("A mailbox in a header adds no recipient and no field")
  func injection() throws {
    for address in [
      "mailto:a@b.example\r\nBcc: eve@e.example", "mailto:a@b.example,eve@e.example",
      "mailto:<a@b.example>", "mailto:a b@c.example", "mailto:a@b@c.example", "mailto:", "a",
      "mailto:a%0D%0ABcc:eve@e.example", "urn:uuid:1234", "http://a@b.example",
      "mailto:ä@b.example",
    ] {
      #expect(Mailbox.address(of: CalendarAddress(address)) == nil, "\(address)")
    }
    #expect(
      Mailbox.address(of: CalendarAddress("MAILTO:a%2Bb@c.example?subject=x")) == "a+b@c.example")
    #expect(Mailbox.address(of: CalendarAddress("a@b.example")) == "a@b.example")
    let names = ["Ada, Countess", "A \"B\" \\C", "a\r\nBcc: eve@e.example", "Jörg <x>", "=?x?="]
    for name in names {
      let mailbox = Mailbox("a@b.example", name: name)
      let text = mailbox.headerText
      #expect(text.utf8.allSatisfy { 0x20...0x7E ~= $0 })
      let list = Mailbox.list(parsing: Array(text.utf8))
      #expect(list.map(\.address) == ["a@b.example"])
    }
    #expect(Mailbox("a@b.example", name: "Ada L").headerText == "Ada L <a@b.example>")
    #expect(
      Mailbox("a@b.example", name: "A \"B\"").headerText == "\"A \\\"B\\\"\" <a@b.example>")
  }
}

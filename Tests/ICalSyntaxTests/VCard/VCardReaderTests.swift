// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

struct VCardReaderTests {
  /// The elements of a file as lines: `LINE NAME birthday anniversary CLASS`, notes and errors.
  private func read(
    _ bytes: [UInt8], chunk: Int = 4096, limits: VCardLimits = VCardLimits()
  ) throws -> [String] {
    var reader = VCardReader(limits: limits, decoder: Self.decode)
    var found: [String] = []
    func take() {
      while let element = reader.next() {
        switch element {
        case .card(let card):
          found.append(Self.line(of: card))
          found += card.notes.map { "  \($0.position.line): \($0.message)" }
        case .rejected(let fault): found.append("\(fault.position.line): \(fault.message)")
        }
      }
    }
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try reader.consume(Array(bytes[start..<min(start + chunk, bytes.count)]).span)
      take()
    }
    try reader.finish()
    take()
    return found
  }

  private func read(_ lines: String..., limits: VCardLimits = VCardLimits()) throws -> [String] {
    try read(Array(lines.map { $0 + "\r\n" }.joined().utf8), limits: limits)
  }

  private static func line(of card: VCard) -> String {
    func words(_ date: VCardDate?) -> String {
      date.map { "\($0.year ?? 0)-\($0.month)-\($0.day)" } ?? "-"
    }
    return
      "\(card.line) \(card.name ?? "?") \(words(card.birthday)) \(words(card.anniversary)) "
      + (card.classification ?? "-")
  }

  /// Knows one character set, which needs no table.
  @Sendable private static func decode(_ bytes: [UInt8], _ charset: String?) -> [UInt8]? {
    guard charset == "ISO-8859-1" else { return nil }
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return Array(text.utf8)
  }

  static let fixtures: [(name: String, expected: [String])] = [
    ("khard", ["1 Ana García Müller 1985-4-12 2010-6-12 -"]),
    (
      "old-phone-2.1",
      ["1 Dr. Jürgen Müller 1964-2-29 - -", "13 Zoë 1979-12-31 - -", "24 A Long Name 0-5-1 - -"]
    ),
    (
      "google-3.0",
      [
        "1 Carla 0-4-12 2001-9-8 -", "11 Example Ltd., Sales - - -",
        "  15: expected a date such as 1985-04-12 or --0412, found \"circa 1800\"",
        "17 Dora - - -", "  20: expected a date that exists, found \"19850230\"",
        "  21: expected a date with a month and a day, found \"1999\"",
        "23 first@example.org 1985-4-13 - -",
      ]
    ),
    ("apple-3.0", ["1 John Appleseed 0-4-12 2010-6-12 -"]),
    ("card-4.0", ["1 Simon Perreault, jr. 0-2-3 2009-8-8 CONFIDENTIAL"]),
    (
      "broken",
      [
        "5: expected END:VCARD for the card that begins in line 1, found BEGIN:VCARD",
        "5 Second 1985-4-13 - -", "10: expected BEGIN:VCARD, found END:VCARD",
        "13: expected END:VCARD for the card that begins in line 11, found the end of the file",
      ]
    ),
  ]

  @Test(arguments: fixtures)
  func `Cards of programs are read, whatever the chunks`(
    name: String, expected: [String]
  ) throws {
    let bytes = try Fixture("contacts/\(name).vcf").bytes
    for chunk in [1, 2, 7, 4096] {
      #expect(try read(bytes, chunk: chunk) == expected, "chunks of \(chunk)")
    }
  }

  @Test func `The name is FN, else N, ORG, NICKNAME or EMAIL`() throws {
    func name(_ lines: String...) throws -> String? {
      let card = ["BEGIN:VCARD", "BDAY:--0412"] + lines + ["END:VCARD"]
      let found = try read(Array(card.map { $0 + "\n" }.joined().utf8))
      return found.first?.dropFirst(2).split(separator: " 0-4-12").first.map(String.init)
    }
    #expect(try name("N:N;A", "FN:Ana  B\\nC\\, D") == "Ana B C, D")
    #expect(
      try name("FN:", "N:García;Ana,Maria;B.;Dr.;jr.", "ORG:X") == "Dr. Ana Maria B. García jr.")
    #expect(try name("N:;;;;", "EMAIL:a@b.c", "NICKNAME:,Anita,Ani", "ORG:;Sales;") == "Sales")
    #expect(try name("EMAIL:a@b.c", "NICKNAME:Anita\\, Ani,x") == "Anita, Ani")
    #expect(try name("EMAIL:a@b.c", "TEL:1") == "a@b.c")
    #expect(try name("FN:\u{1}\u{2}", "EMAIL:a\u{7}b") == "a b")
  }

  @Test func `A card with a date and without a name has a note`() throws {
    #expect(
      try read("BEGIN:VCARD", "TEL:1", "BDAY:19850412", "END:VCARD") == [
        "1 ? - - -", "  1: expected FN in a card with a date, found no name",
      ])
    #expect(try read("BEGIN:VCARD", "BDAY:", "END:VCARD") == ["1 ? - - -"])
  }

  @Test func `The first BDAY counts, unless another one is preferred or the only date`() throws {
    func birthday(_ lines: String...) throws -> String? {
      let card = ["BEGIN:VCARD", "FN:A"] + lines + ["END:VCARD"]
      return try read(Array(card.map { $0 + "\n" }.joined().utf8)).first
    }
    #expect(try birthday("BDAY:--0101", "BDAY:--0102") == "1 A 0-1-1 - -")
    #expect(try birthday("BDAY:--0101", "BDAY;PREF=1:--0102") == "1 A 0-1-2 - -")
    #expect(try birthday("BDAY;PREF=2:--0101", "BDAY;PREF=1:--0102") == "1 A 0-1-2 - -")
    #expect(try birthday("BDAY;VALUE=text:spring", "BDAY:--0102") == "1 A 0-1-2 - -")
    #expect(try birthday("bday;value=DATE:1985-04-12", "x.BDAY:--0102") == "1 A 1985-4-12 - -")
    #expect(try birthday("BDAY;CALSCALE=hebrew:57450101") == "1 A - - -")
  }

  @Test func `A date of Apple is an anniversary if the label of its group says so`() throws {
    #expect(
      try read(
        "BEGIN:VCARD", "FN:A", "X-ABDATE:2003-03-03", "item1.X-ABLabel:_$!<Other>!$_",
        "item1.X-ABDATE:2001-01-01", "item2.X-ABDATE:2002-02-02",
        "ITEM2.X-ABLabel:_$!<Anniversary>!$_", "END:VCARD") == ["1 A - 2002-2-2 -"])
    for name in ["X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-KADDRESSBOOK-X-Anniversary"] {
      #expect(
        try read("BEGIN:VCARD", "FN:A", "\(name):2002-02-02", "END:VCARD") == ["1 A - 2002-2-2 -"])
    }
  }

  @Test(arguments: ["", "\r\n\r\n", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "<html>", "\u{0}\u{0}"])
  func `A file without a card is reported`(text: String) throws {
    #expect(try read(Array(text.utf8)) == ["1: expected BEGIN:VCARD, found no vCard"])
  }

  @Test func `A byte order mark and lower case are no trouble`() throws {
    #expect(
      try read("\u{FEFF}begin:vcard", "fn:A", "bday:--0412", "end:vcard ") == ["1 A 0-4-12 - -"])
  }

  // MARK: Limits

  @Test func `A line that is too long spoils its card, and no other`() throws {
    let long = String(repeating: "n", count: 1_000_000)
    let expected = [
      "3: expected a content line of at most 65536 bytes, found a longer one", "6 B 0-1-2 - -",
    ]
    let after = ["BEGIN:VCARD", "FN:B", "BDAY:--0102", "END:VCARD"]
    func cards(_ name: [String]) -> [UInt8] {
      let lines = ["BEGIN:VCARD", "BDAY:--0101"] + name + ["END:VCARD"] + after
      return Array(lines.map { $0 + "\n" }.joined().utf8)
    }
    #expect(try read(cards(["FN:" + long, ""])) == expected)
    let folds = stride(from: 0, to: 100_000, by: 50_000).map { _ in " " + long.prefix(50_000) }
    #expect(try read(cards(["FN:" + folds[0], folds[1]])).first == expected.first)
    #expect(try read(cards(["FN:" + folds[0]])).first == "1 \(long.prefix(50_000)) 0-1-1 - -")
  }

  @Test func `Photos and notes of any size are skipped`() throws {
    let data = String(repeating: "QUJD", count: 1_250_000)
    let one = ["BEGIN:VCARD", "FN:A", "PHOTO;ENCODING=b:" + data, "BDAY:--0101", "END:VCARD"]
    #expect(try read(Array(one.joined(separator: "\n").utf8)) == ["1 A 0-1-1 - -"])
    var folded = ["BEGIN:VCARD", "FN:A", "PHOTO;ENCODING=BASE64:"]
    folded += (0..<10_000).map { _ in " " + data.prefix(74) }
    folded += ["BDAY;X=\"1:2\":--0101", "NOTE;QUOTED-PRINTABLE:x=", "BDAY:--0909=", "="]
    folded += ["END:VCARD", "BDAY:--0707", "END:VCARD", "BEGIN:VCARD", "END:VCARD"]
    let found = try read(Array(folded.joined(separator: "\n").utf8))
    #expect(found.first == "1 A 0-1-1 - -")
    #expect(found.count == 2)
  }

  @Test func `A card has limits for its lines and its size`() throws {
    var limits = VCardLimits()
    limits.lines = 3
    let three = ["BEGIN:VCARD", "FN:A", "BDAY:--0101", "TEL:1"]
    func found(_ lines: [String]) throws -> [String] {
      try read(
        Array((three + lines + ["END:VCARD"]).map { $0 + "\n" }.joined().utf8), limits: limits)
    }
    #expect(try found(["EMAIL:a"]) == ["1 A 0-1-1 - -"])
    #expect(
      try found(["EMAIL:a", "TEL:2", "EMAIL:b"]) == [
        "7: expected a card of at most 3 lines, found more"
      ])
    limits = VCardLimits()
    limits.cardSize = 40
    #expect(
      try found(["EMAIL:\(String(repeating: "a", count: 30))"]) == [
        "5: expected a card of at most 40 bytes, found more"
      ])
  }

  @Test func `Random bytes end in elements, in any chunks`() throws {
    let source = try Fixture("contacts/old-phone-2.1.vcf").bytes
    forAll(200) { random in
      var bytes = source
      for _ in 0..<10 {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let whole = try read(bytes)
      let chunked = try read(bytes, chunk: Int.random(in: 1...40, using: &random))
      guard chunked == whole else { throw Difference(whole: whole, chunked: chunked) }
    }
  }

  private struct Difference: Error {
    let whole: [String]
    let chunked: [String]
  }
}

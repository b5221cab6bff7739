// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Epact
import Foundation
import TestSupport
import Testing

/// The parser of mails: structure, encodings, limits, and input from outside.
@Suite("Mails") struct MailMessageTests {
  private static func bodies(_ lines: [String], ending: String = "\r\n") throws -> [String] {
    let mail = try MailMessage(parsing: Array(lines.joined(separator: ending).utf8))
    return mail.parts.map { String(decoding: $0.body, as: UTF8.self) }
  }

  private static let nested = [
    "Subject: s", "Content-Type: multipart/mixed; boundary=a", "", "preamble", "--a",
    "Content-Type: multipart/alternative; boundary=\"ab\"", "", "--ab", "", "one", "--ab", "",
    "two", "", "--ab--", "epilogue", "--a", "", "--abc is text", "three", "--a--", "--a",
    "epilogue",
  ]

  @Test("Nested parts are found, with any line breaks", arguments: ["\r\n", "\n", "\r\r\n"])
  func structure(ending: String) throws {
    #expect(
      try Self.bodies(Self.nested, ending: ending)
        == ["one", "two\(ending)", "--abc is text\(ending)three"])
  }

  @Test("The boundary of an outer multipart, and the end of the mail, end inner parts")
  func unclosed() throws {
    let open = Self.nested.filter { $0 != "--ab--" && $0 != "epilogue" }
    #expect(try Self.bodies(open).prefix(2) == ["one", "two\r\n"])
    #expect(try Self.bodies(Array(Self.nested.prefix(10))) == ["one"])
    #expect(try Self.bodies(["Content-Type: multipart/mixed; boundary=x", "", "text"]) == [])
    #expect(try Self.bodies(["Content-Type: multipart/mixed", "", "text"]) == ["text"])
    #expect(
      try Self.bodies(["Content-Type: multipart/mixed; boundary=x", "", "--x", "A: b", "--x--"])
        == [""]
    )
  }

  @Test("Transfer encodings are decoded, also malformed ones")
  func encodings() throws {
    func body(_ encoding: String, _ lines: String...) throws -> String {
      try Self.bodies(["Content-Transfer-Encoding: \(encoding)", ""] + lines).joined()
    }
    #expect(try body("BASE64", "aGVs", "bG8", "=") == "hello")
    #expect(try body("base64", "aGVsb") == "hel")
    #expect(try body("base64", "!a-G(V)s") == "hel")
    #expect(try body("Quoted-Printable", "a=3Db=", "c  ", "=C3=A4=4") == "a=bc\r\nä=4")
    #expect(try body("7bit (comment)", "a=3D") == "a=3D")
    #expect(try body("x-unknown", "a") == "a")
  }

  @Test("Written bodies have short lines of ASCII, and are read back")
  func writtenEncodings() {
    let alphabet: [UInt8] = Array("aF =\t.ä€\r\n".utf8) + Array("From ".utf8)
    forAll(300) { random in
      var text = (0..<Int.random(in: 0...300, using: &random)).compactMap { _ in
        alphabet.randomElement(using: &random)
      }.filter { $0 != 0x0D }
      text.append(0x0A)
      let (name, body) = TransferEncoding.encode(text)
      let lines = String(decoding: body, as: UTF8.self).split(
        separator: "\r\n", omittingEmptySubsequences: false)
      try #require(lines.allSatisfy { $0.utf8.count <= 76 && !$0.hasPrefix("From ") })
      try #require(body.allSatisfy { $0 < 0x80 })
      let decoded = TransferEncoding.decode(body[...], name).filter { $0 != 0x0D }
      try #require(decoded == text, "\(name)")
    }
  }

  @Test("A mail is told from a calendar by its first line")
  func kinds() {
    func isMail(_ text: String) -> Bool { MailMessage.isMail(Array(text.utf8)) }
    #expect(isMail("From a@b.example Mon Jan  5\nSubject: x\n\n"))
    #expect(isMail("\n\nReceived: x\n"))
    #expect(isMail("\u{FEFF}Subject:x"))
    #expect(!isMail("BEGIN:VCALENDAR\r\n"))
    #expect(!isMail("\u{FEFF}\nbegin:vcalendar\r\n"))
    #expect(!isMail("[\"vcalendar\",[],[]]"))
    #expect(!isMail(""))
    #expect(!isMail("no colon"))
    #expect(!isMail("two words: x"))
  }

  @Test("Limits of depth, parts and header fields are errors")
  func limits() throws {
    var limits = MailLimits()
    limits.depth = 3
    limits.parts = 10
    limits.fields = 5
    func parse(_ lines: [String]) throws {
      _ = try MailMessage(parsing: Array(lines.joined(separator: "\n").utf8), limits: limits)
    }
    let level = { (number: Int) in
      ["Content-Type: multipart/mixed; boundary=b\(number)", "", "--b\(number)"]
    }
    try parse((0..<3).flatMap(level))
    #expect(throws: EpactError.self) { try parse((0..<4).flatMap(level)) }
    try parse(level(0) + Array(repeating: "--b0", count: 8))
    #expect(throws: EpactError.self) { try parse(level(0) + Array(repeating: "--b0", count: 9)) }
    #expect(throws: EpactError.self) { try parse(Array(repeating: "A: b", count: 6)) }
    let forwarded = Array(repeating: ["Content-Type: message/rfc822", ""], count: 4).joined()
    #expect(throws: EpactError.self) { try parse(Array(forwarded)) }
  }

  @Test("Changed and random mails never trap, and their parts are slices of the mail")
  func random() throws {
    let folder = Fixture.root.appending(path: "mail")
    let mails = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted().map {
      try Fixture("mail/\($0)").bytes
    }
    let pieces = [
      "--", "--a", "--a--", "\n", "\r\n", "Content-Type: multipart/mixed; boundary=a", ": ", "\"",
      "(", "=?utf-8?Q?", "?=", "=", "Content-Type: message/rfc822", "boundary*0*=a''%41", ";",
    ].map { Array($0.utf8) }
    forAll(400) { random in
      var bytes: [UInt8] = []
      if Bool.random(using: &random) {
        bytes = mails.randomElement(using: &random) ?? []
        bytes.mutate(upTo: 40, using: &random)
      } else {
        for _ in 0..<Int.random(in: 0...60, using: &random) {
          bytes += pieces.randomElement(using: &random) ?? []
        }
      }
      guard let mail = try? MailMessage(parsing: bytes) else { return }
      for part in mail.parts {
        try #require(part.body.count <= bytes.count * 2)
        _ = (part.filename, part.header.text("subject"), part.envelope.values("to"))
      }
      let source = FileSource.bytes(bytes, label: "mail")
      _ = try? ReceivedMail(reading: source) { _ in }
    }
  }

  @Test("Twice the size takes about twice the time, for hostile mails, too")
  func growth() throws {
    let depth = MailLimits().depth - 1
    let boundary = String(repeating: "b", count: 60)
    let heads = (0..<depth).flatMap { level in
      ["Content-Type: multipart/mixed; boundary=\(boundary)\(level)", "", "--\(boundary)\(level)"]
    }
    let patterns: [(String, [String], String)] = [
      ("near boundaries", heads + ["", ""], "--\(boundary)x"),
      ("dashes", heads + ["", ""], "--"),
      ("continued field", ["Subject: x"], " =?=?=?=?=?=?=?=?=?=?"),
      ("soft breaks", ["Content-Transfer-Encoding: quoted-printable", ""], "=41="),
    ]
    for (name, head, line) in patterns {
      // The time of this thread: the processor also works for other tests.
      func used() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
      }
      func time(_ count: Int) throws -> Double {
        let lines = head + Array(repeating: line, count: count)
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let begin = used()
        let mail = try MailMessage(parsing: bytes)
        for part in mail.parts { _ = (part.body.count, part.header.text("subject")) }
        return used() - begin
      }
      let (short, long) = (try time(4000), try time(32_000))
      // Eight times the size; quadratic work would take 64 times as long.
      #expect(long < short * 30 + 1, "\(name): \(short), then \(long)")
    }
  }
}

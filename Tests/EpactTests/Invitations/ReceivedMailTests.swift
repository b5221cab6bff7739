// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// The mails of `Fixtures/mail`, as they are read.
@Suite("Received mails") struct ReceivedMailTests {
  /// A mail and its messages.
  struct Case: CustomTestStringConvertible {
    let file: String
    /// The method and the title of each message.
    let messages: [String]
    var author: String? = "Jörg Weiß <joerg@mail.example>"
    var messageID: String?

    var testDescription: String { file }
  }

  private static let lunch = "REQUEST Mittagessen bei Jörg"

  private static let cases = [
    Case(
      file: "calendar-twice-alternative-and-attachment", messages: [lunch],
      messageID: "<one@mail.example>"),
    Case(
      file: "charset-latin1-quoted-printable", messages: [lunch], messageID: "<two@mail.example>"),
    Case(
      file: "charset-iso-2022-jp", messages: ["REQUEST 会議 昼食"], messageID: "<three@mail.example>"),
    Case(file: "method-only-in-the-part", messages: [lunch], messageID: "<four@mail.example>"),
    Case(file: "forwarded-with-octet-stream", messages: [lunch], messageID: "<five@mail.example>"),
    Case(
      file: "two-invitations", messages: [lunch, "REQUEST Abendessen"],
      messageID: "<seven@mail.example>"),
    Case(file: "truncated-in-a-part", messages: [lunch], messageID: "<eight@mail.example>"),
    Case(
      file: "cancellation", messages: ["CANCEL Mittagessen bei Jörg"],
      messageID: "<ten@mail.example>"),
    Case(
      file: "counter-proposal", messages: ["COUNTER Mittagessen bei Jörg"],
      author: "Ada <ada@home.example>", messageID: "<eleven@home.example>"),
  ]

  static func read(_ name: String) throws -> ReceivedMail {
    let path = Fixture.root.appending(path: "mail/\(name).eml").path()
    return try ReceivedMail(reading: .file(path)) { event in
      if case .diagnostic(_, let diagnostic) = event { Issue.record("\(diagnostic)") }
    }
  }

  @Test("The calendars of a mail are found and decoded", arguments: cases)
  func messages(_ example: Case) throws {
    let mail = try Self.read(example.file)
    #expect(
      mail.messages.map { "\($0.method?.rawValue ?? "none") \($0.item.title)" }
        == example.messages)
    #expect(mail.author?.description == example.author)
    #expect(mail.messageID == example.messageID)
  }

  @Test("Every mail is in a case, or has no calendar")
  func files() throws {
    let folder = Fixture.root.appending(path: "mail").path()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let known = Set(Self.cases.map { "\($0.file).eml" } + ["no-calendar.eml"])
    #expect(Set(names) == known)
    #expect(throws: EpactError.self) { try Self.read("no-calendar") }
  }

  @Test("The same message in other words counts once, with the method that one of them has")
  func repetition() throws {
    func part(_ event: [String], _ method: String?) -> [String] {
      ["--x", "Content-Type: text/calendar" + (method.map { "; method=\($0)" } ?? ""), ""]
        + ["BEGIN:VCALENDAR", "VERSION:2.0"] + event + ["END:VCALENDAR"]
    }
    let one = [
      "BEGIN:VEVENT", "UID:a", "DTSTAMP:20260101T000000Z", "DTSTART:20260310T110000Z",
      "SUMMARY:A", "END:VEVENT",
    ]
    var other = one
    other.swapAt(3, 4)
    var changed = one
    changed[4] = "SUMMARY:B"
    let parts =
      part(one, nil) + part(other, "REQUEST") + part(one + [""], "REQUEST")
      + part(changed, "REQUEST") + part(other, "CANCEL")
    let lines =
      ["Content-Type: multipart/mixed; boundary=x", ""] + parts + ["--x--"]
    let mail = try ReceivedMail(
      reading: .bytes(Array(lines.joined(separator: "\r\n").utf8), label: "a")
    ) { _ in }
    #expect(
      mail.messages.map { "\($0.method?.rawValue ?? "none") \($0.item.title)" }
        == ["REQUEST A", "REQUEST B", "CANCEL A"])
  }

  @Test("The METHOD of a part is added only to a calendar without one")
  func method() {
    func calendar(_ text: String, _ method: String?) -> String {
      String(
        decoding: CalendarPart.calendar(Array(text.utf8), withMethod: method), as: UTF8.self)
    }
    let plain = "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nMETHOD:X\nEND:VEVENT\n"
    #expect(
      calendar(plain, "reply")
        == "BEGIN:VCALENDAR\nMETHOD:REPLY\r\nVERSION:2.0\nBEGIN:VEVENT\nMETHOD:X\nEND:VEVENT\n")
    #expect(calendar(plain, nil) == plain)
    #expect(calendar(plain, "A\r\nB:c") == plain)
    let own = "begin:vcalendar\r\nmethod:CANCEL\r\nBEGIN:VEVENT\r\n"
    #expect(calendar(own, "REQUEST") == own)
    #expect(calendar("", "REQUEST") == "")
  }
}

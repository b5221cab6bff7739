// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// The mails of answers, read by this package, by Python's email package, and by nmh.
@Suite("Mails of answers") struct OutgoingMailTests {
  private typealias Scene = InvitationScene
  private let scene: InvitationScene

  init() throws {
    scene = try InvitationScene()
  }

  private func mail(
    _ status: ParticipationStatus, to invitation: Invitation,
    change: (inout InvitationAnswer) throws -> Void = { _ in }
  ) throws -> OutgoingMail {
    var answer = InvitationAnswer(
      status, to: invitation, by: try scene.attendee(invitation), at: scene.machine.now())
    try change(&answer)
    return try answer.mail(viewer: scene.viewer, machine: scene.machine)
  }

  private static func part(_ bytes: [UInt8], _ type: String) throws -> MailMessage.Part {
    let mail = try MailMessage(parsing: bytes)
    return try #require(mail.parts.first { $0.type.word == type })
  }

  @Test("A reply is a complete mail, with a text and the calendar")
  func reply() throws {
    let bytes = try mail(.accepted, to: try Scene.invitation()) { $0.comment = "Gern" }.bytes
    let text = String(decoding: bytes, as: UTF8.self)
    let head = text.prefix(upTo: try #require(text.firstRange(of: "\r\n\r\n")).lowerBound)
      .split(separator: "\r\n").map(String.init)
    #expect(
      head.filter {
        !$0.hasPrefix("Message-ID") && !$0.hasPrefix("Content-Type") && !$0.hasPrefix(" ")
      } == [
        "From: Ada <ada@home.example>", "To: =?utf-8?B?SsO2cmc=?= <joerg@mail.example>",
        "Subject: Accepted: Lunch", "Date: Tue, 6 Jan 2026 09:00:00 +0000", "MIME-Version: 1.0",
      ])
    let plain = try Self.part(bytes, "text/plain")
    #expect(
      String(decoding: plain.body, as: UTF8.self)
        == """
        Ada <ada@home.example> accepts the invitation to "Lunch".

        When: 2026-03-10 12:00–13:00 Europe/Vienna
        Where: Café

        Gern
        """.replacing("\n", with: "\r\n"))
    let calendar = try Self.part(bytes, "text/calendar")
    #expect(
      calendar.type.parameters == ["charset": "utf-8", "method": "REPLY", "component": "VEVENT"])
    let item = try CalendarItem(parsing: calendar.body)
    #expect(SchedulingMessage(item)?.method == .reply)
    #expect(item.main?[.comment]?.text == "Gern")
    #expect(item.timeZones.count == 1)
    #expect(try mail(.accepted, to: try Scene.invitation()) { $0.comment = "Gern" }.bytes == bytes)
    #expect(try mail(.declined, to: try Scene.invitation()).bytes != bytes)
  }

  @Test("A reply to a mail belongs to its thread")
  func thread() throws {
    let invitation = try Invitation(
      answerableIn: try ReceivedMailTests.read("calendar-twice-alternative-and-attachment"))
    let header = try MailMessage(parsing: try mail(.tentative, to: invitation).bytes).header
    #expect(header.text("in-reply-to") == "<one@mail.example>")
    #expect(header.text("references") == "<one@mail.example>")
    #expect(header.text("subject") == "Tentative: Mittagessen bei Jörg")
  }

  @Test("A proposal is a COUNTER with the proposed time, in UTC or as days")
  func proposal() throws {
    func times(_ text: String, _ lines: String...) throws -> [String] {
      let base = Scene.lunch.filter {
        !$0.hasPrefix("DT") || lines.isEmpty || $0.hasPrefix("DTSTAMP")
      }
      let counter = try mail(.declined, to: try Scene.invitation(base: base + lines)) {
        $0.proposal = try ProposedTime(parsing: text)
      }
      let part = try Self.part(counter.bytes, "text/calendar")
      #expect(part.type.parameters["method"] == "COUNTER")
      let main = try #require(try CalendarItem(parsing: part.body).main)
      return [main[.dtStart], main[.dtEnd]].map { $0?.rawValue ?? "none" }
    }
    #expect(try times("2026-03-11T12:00") == ["20260311T110000Z", "20260311T120000Z"])
    #expect(
      try times("2026-03-11 12:00 2026-03-11 12:30") == ["20260311T110000Z", "20260311T113000Z"])
    #expect(
      try times("20260311T110000Z/20260311T111500Z") == ["20260311T110000Z", "20260311T111500Z"])
    let days = ["DTSTART;VALUE=DATE:20260310", "DTEND;VALUE=DATE:20260312"]
    #expect(try times("2026-03-20", days[0], days[1]) == ["20260320", "20260322"])
    #expect(try times("2026-03-20 2026-03-20", days[0], days[1]) == ["20260320", "20260321"])
    for text in ["2026-03-11", "2026-03-11T12:00 2026-03-11T11:00", "2026-03-11T12:00 2026-03-12"] {
      #expect(throws: EpactError.self, "\(text)") { try times(text) }
    }
    #expect(throws: EpactError.self) { try times("2026-03-20T10:00", days[0], days[1]) }
    for text in ["", "tomorrow", "2026-03-11 x", "a b c d e"] {
      #expect(throws: BasicFormatError.self, "\(text)") { try ProposedTime(parsing: text) }
    }
    let weekly = try Scene.invitation("RRULE:FREQ=WEEKLY")
    #expect(throws: EpactError.self) {
      try mail(.declined, to: weekly) {
        $0.proposal = try ProposedTime(parsing: "2026-03-11T12:00")
      }
    }
  }

  @Test("Titles, names and comments add no header field and no part")
  func injection() throws {
    let invitation = try Scene.invitation(
      "SUMMARY:x\\nBcc: eve@e.example\\n\\n--=_epact", "LOCATION:a\\n\\nb",
      "ORGANIZER;CN=\"Jörg^nBcc: eve@e.example\":mailto:joerg@mail.example")
    let bytes = try mail(.accepted, to: invitation) { $0.comment = "--=_epact\n\nFrom me\n.\n" }
      .bytes
    let parsed = try MailMessage(parsing: bytes)
    #expect(
      parsed.header.fields.map(\.name)
        == ["from", "to", "subject", "date", "message-id", "mime-version", "content-type"])
    #expect(parsed.parts.count == 2)
    #expect(bytes.allSatisfy { $0 < 0x80 && ($0 >= 0x20 || $0 == 0x0D || $0 == 0x0A) })
    let urn = try Scene.invitation("ORGANIZER:urn:uuid:1")
    #expect(throws: EpactError.self) { try mail(.accepted, to: urn) }
  }

  /// Runs a program with a file as its input.
  private func output(_ program: String, _ arguments: [String], _ input: [UInt8]) throws -> String {
    let path = try scene.folder.write(input, to: "input")
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = [
      "PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": scene.folder.path, "TZ": "UTC",
      "MH": scene.folder.path(of: "mh_profile"), "LC_ALL": "C.UTF-8",
    ]
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: path))
    let result = try FileHandle(
      forWritingTo: URL(filePath: try scene.folder.write([], to: "output")))
    process.standardOutput = result
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: try scene.folder.bytes(of: "output"), as: UTF8.self)
  }

  @Test("Python's email package reads the mail without defects")
  func python() throws {
    let script = """
      import email, email.policy, sys
      m = email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.default)
      print(m["From"]); print(m["To"]); print(m["Subject"]); print(m["Date"].datetime.isoformat())
      print(m.get_content_type(), m.defects)
      for part in m.iter_parts():
          print(part.get_content_type(), part.get_param("method"), part.defects)
          print(part.get_content().strip().splitlines()[0])
      """
    let invitation = try Scene.invitation(
      "SUMMARY:Mittagessen bei \\\"Jörg\\\", mit allen Leuten aus Größenwahn und Übermut 🥗🥗🥗")
    let mail = try mail(.declined, to: invitation) { $0.comment = "Schade – heute nicht." }
    let lines = try output("/usr/bin/env", ["python3", "-c", script], mail.bytes)
      .split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "Ada <ada@home.example>", "Jörg <joerg@mail.example>", mail.subject,
        "2026-01-06T09:00:00+00:00", "multipart/alternative []", "text/plain None []",
        "Ada <ada@home.example> declines the invitation to \"\(invitation.item.title)\".",
        "text/calendar REPLY []", "BEGIN:VCALENDAR",
      ])
  }

  private static let nmh = "/usr/bin/mh/mhical"

  @Test(
    "nmh reads the calendar of a reply and of a counter",
    .enabled(if: FileManager.default.isExecutableFile(atPath: nmh)))
  func mhical() throws {
    try scene.folder.write(lines: ["Path: \(scene.folder.path(of: "Mail"))"], to: "mh_profile")
    try scene.folder.makeFolder("Mail")
    for proposal in [nil, "2026-03-11T12:00"] {
      let mail = try mail(.accepted, to: try Scene.invitation()) {
        $0.proposal = try proposal.map { try ProposedTime(parsing: $0) }
      }
      let calendar = try Self.part(mail.bytes, "text/calendar")
      let text = try output(Self.nmh, [], calendar.body)
      #expect(text.contains("Method: \(proposal == nil ? "REPLY" : "COUNTER")"), "\(text)")
      #expect(text.contains("Summary: Lunch"), "\(text)")
    }
  }

  // MARK: Sending

  @Test("The sendmail-command gets the mail as its input; its failure is an error")
  func sending() throws {
    let script = try scene.folder.write("#!/bin/sh\ncat > \"$1\"\nexit $2\n".utf8, to: "sendmail")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let mail = try mail(.accepted, to: try Scene.invitation())
    let path = scene.folder.path(of: "sent")
    try MailCommand(["sh", script, path, "0"], machine: scene.machine).send(mail)
    #expect(try scene.folder.bytes(of: "sent") == mail.bytes)
    var machine = scene.machine
    machine.environment["DAV_PASSWORD"] = "s3cret"
    let lists = try scene.folder.write("#!/bin/sh\nenv > \"$1\"\n".utf8, to: "lists")
    try MailCommand(["sh", lists, path], machine: machine).send(mail)
    let variables = String(decoding: try scene.folder.bytes(of: "sent"), as: UTF8.self)
    #expect(variables.contains("HOME="))
    #expect(!variables.contains("s3cret"))
    let failed = #expect(throws: EpactError.self) {
      try MailCommand(["sh", script, path, "75"], machine: scene.machine).send(mail)
    }
    #expect(failed?.message.contains("ended with status 75; the mail was not sent") == true)
    #expect(throws: EpactError.self) {
      try MailCommand(["/nowhere/sendmail"], machine: scene.machine).send(mail)
    }
    let missing = #expect(throws: EpactError.self) { try MailCommand(nil, machine: scene.machine) }
    #expect(missing?.code == .configuration)
  }
}

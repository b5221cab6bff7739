// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICalSyntax
import TestSupport
import Testing

/// A user with calendars in a folder, who receives invitations.
struct InvitationScene {
  let folder: TemporaryFolder
  let machine: Machine
  let viewer: ZoneRules

  init() throws {
    folder = try TemporaryFolder()
    var machine = Machine.live()
    machine.environment["XDG_STATE_HOME"] = folder.path(of: "state")
    machine.environment["XDG_CONFIG_HOME"] = folder.path(of: "config")
    machine.environment["TMPDIR"] = folder.path
    machine.homeFolder = folder.path
    machine.now = { Instant(secondsSinceEpoch: 1_767_690_000) }  // 20260106T090000Z
    self.machine = machine
    viewer = try machine.viewerZone("Europe/Vienna")
  }

  func calendar(_ name: String) -> CalendarLocation {
    CalendarLocation(path: folder.path(of: name), name: name)
  }

  /// Writes an event to a calendar.
  func add(_ uid: String, to name: String, _ lines: String...) throws {
    try folder.makeFolder(name)
    try folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VEVENT", "UID:\(uid)",
        "DTSTAMP:20260101T000000Z", "SUMMARY:\(uid)",
      ] + lines + ["END:VEVENT", "END:VCALENDAR"], to: "\(name)/\(uid).ics")
  }

  /// An invitation, as a file without a mail.
  static func invitation(
    method: String = "REQUEST", _ lines: String..., base: [String] = InvitationScene.lunch
  ) throws -> Invitation {
    let names = lines.map { $0.prefix { $0 != ":" && $0 != ";" } }
    let kept = base.filter { line in !names.contains { line.hasPrefix($0) } }
    let text =
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "METHOD:\(method)",
        "BEGIN:VEVENT",
      ] + kept + lines + ["END:VEVENT", "END:VCALENDAR", ""]
    let bytes = Array(text.joined(separator: "\r\n").utf8)
    let mail = try ReceivedMail(reading: .bytes(bytes, label: "lunch.ics")) { _ in }
    return try #require(mail.messages.first.flatMap { Invitation($0, of: mail) })
  }

  static let lunch = [
    "UID:lunch@mail.example", "SEQUENCE:1", "DTSTAMP:20260105T080000Z",
    "DTSTART;TZID=Europe/Vienna:20260310T120000", "DTEND;TZID=Europe/Vienna:20260310T130000",
    "ORGANIZER;CN=Jörg:mailto:joerg@mail.example",
    "ATTENDEE;CN=Ada;RSVP=TRUE:mailto:ada@home.example",
    "ATTENDEE;CN=Bea:mailto:bea@mail.example", "SUMMARY:Lunch", "LOCATION:Café",
  ]

  func attendee(_ invitation: Invitation) throws -> Attendee {
    try invitation.attendee(as: "ada@home.example", addresses: [])
  }

  func stored(_ uid: String, in name: String) async throws -> CalendarItem? {
    let writing = try await CalendarWriting(of: calendar(name), machine: machine)
    return writing.items.first { $0.uid.rawValue == uid }
  }
}

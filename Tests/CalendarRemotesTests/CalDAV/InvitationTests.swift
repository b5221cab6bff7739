// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime
import Synchronization
import TestSupport
import Testing

/// Syncs with a server that mails people: nobody is mailed by accident.
@Suite struct InvitationTests {
  /// A calendar of alice on a scheduling server, and a folder of hers.
  struct Desk {
    let server: SchedulingServerDouble
    let local = MemoryLocalCalendar()
    let ledger = MemoryLedger()
    var invitations = InvitationPolicy.hold
    var address = "https://h/cal/"

    /// Syncs, and returns what was done and why what was not done was not.
    func sync(_ tier: AccessTier = .full) async throws -> (RunSummary, [String]) {
      let remote = CalDAVRemote(
        address: try RemoteURL(parsing: address), credentials: nil, invitations: invitations,
        transport: server)
      let reasons = Mutex<[String]>([])
      var options = SyncOptions()
      options.safeguards.allowed = 9
      let runner = SyncEngine(
        name: "test", local: local, remote: remote, tier: tier, ledger: ledger, options: options,
        now: { Instant(secondsSinceEpoch: 1_780_000_000) }
      ) { event in
        if case .failed(_, .reported(let reason)) = event { reasons.withLock { $0.append(reason) } }
      }
      return (try await runner.run(), reasons.withLock { $0 })
    }
  }

  static let path = "/cal/meeting.ics"

  /// A meeting of one who calls and those who are called.
  static func meeting(
    organizer: String = "alice@x", attendees: [String] = [":mailto:alice@x", ":mailto:bob@x"],
    summary: String = "Plan", more: String = ""
  ) throws -> CalendarItem {
    let lines =
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Epact//Tests//EN", "BEGIN:VEVENT",
        "UID:meeting", "DTSTAMP:20260101T000000Z", "DTSTART:20260301T090000Z",
        "SUMMARY:\(summary)", "ORGANIZER:mailto:\(organizer)",
      ] + attendees.map { "ATTENDEE\($0)" } + (more.isEmpty ? [] : [more])
      + ["END:VEVENT", "END:VCALENDAR", ""]
    return try CalendarItem(parsing: Array(lines.joined(separator: "\r\n").utf8))
  }

  static let alarm = "BEGIN:VALARM\r\nACTION:AUDIO\r\nTRIGGER:-PT5M\r\nEND:VALARM"

  @Test(arguments: [true, false])
  func `A meeting is added without a word to anybody, and does not come back as an edit`(
    _ tellsTags: Bool
  ) async throws {
    let desk = Desk(server: SchedulingServerDouble(tellsTags: tellsTags))
    desk.local.write(
      try Self.meeting(attendees: [
        ":mailto:alice@x", ":mailto:bob@x", ";SCHEDULE-AGENT=NONE:mailto:eve@x",
        ";SCHEDULE-AGENT=SERVER:MAILTO:Dan@x",
      ]))
    let before = desk.local.contents
    #expect(try await desk.sync().0.uploaded == 1)
    let stored = try #require(desk.server.items[Self.path])
    #expect(stored.contains("ATTENDEE:mailto:alice@x\r\n"))
    for person in ["mailto:bob@x", "mailto:eve@x", "MAILTO:Dan@x"] {
      #expect(stored.contains("ATTENDEE;SCHEDULE-AGENT=CLIENT:\(person)\r\n"), "\(stored)")
    }
    for _ in 1...3 { #expect(try await desk.sync().0 == RunSummary()) }
    #expect(desk.local.contents == before)
    // What is added is added to every version that is sent, and to none that is kept here.
    desk.local.write(try Self.meeting(summary: "Another plan"))
    #expect(try await desk.sync().0.uploaded == 1)
    #expect(desk.server.items[Self.path]?.contains("CLIENT:mailto:bob@x") == true)
    #expect(try await desk.sync().0 == RunSummary())
    desk.local.remove("meeting")
    #expect(try await desk.sync().0.deletedRemotely == 1)
    #expect(desk.server.items.isEmpty)
    #expect(desk.server.mails.isEmpty)
  }

  @Test func `An edit on the server comes without what was added to what was sent`() async throws {
    let desk = Desk(server: SchedulingServerDouble(tellsTags: false))
    desk.local.write(try Self.meeting())
    _ = try await desk.sync()
    desk.server.store(
      try Self.meeting(
        attendees: [":mailto:alice@x", ";SCHEDULE-AGENT=CLIENT:mailto:bob@x"],
        summary: "Moved on the server"), as: Self.path)
    #expect(try await desk.sync().0.downloaded == 1)
    let item = try #require(desk.local.items["meeting"])
    let text = String(decoding: item.serialized(), as: UTF8.self)
    #expect(item.title == "Moved on the server")
    #expect(!text.contains("SCHEDULE-AGENT"), "\(text)")
  }

  @Test func `What the server has called is neither changed nor deleted, and the reason is told`()
    async throws
  {
    let desk = Desk(server: SchedulingServerDouble())
    desk.server.store(try Self.meeting(), as: Self.path)
    #expect(try await desk.sync().0.downloaded == 1)
    desk.server.forget()
    let hint = "mail:bob@x; it does so only with invitations = \"send\""
      .replacing("mail:", with: "")
    desk.local.write(try Self.meeting(summary: "Another plan"))
    #expect(try await desk.sync().1 == ["the server would send the change to \(hint)"])
    desk.local.write(try Self.meeting(attendees: [":mailto:alice@x"]))
    #expect(try await desk.sync().1 == ["the server would send the change to \(hint)"])
    desk.local.write(
      try Self.meeting(attendees: [
        ":mailto:alice@x", ":mailto:bob@x", ";SCHEDULE-AGENT=SERVER:mailto:eve@x",
      ]))
    #expect(try await desk.sync().1 == ["the server would send the change to \(hint)"])
    // For the attendees both versions are the same, but the mark itself is a cancellation.
    desk.local.write(
      try Self.meeting(attendees: [":mailto:alice@x", ";SCHEDULE-AGENT=CLIENT:mailto:bob@x"]))
    #expect(try await desk.sync().1 == ["the server would send the change to \(hint)"])
    // What concerns alice alone is sent as it is, or the mark would be a cancellation.
    desk.local.write(try Self.meeting(more: Self.alarm))
    #expect(try await desk.sync().0.uploaded == 1)
    #expect(desk.server.items[Self.path]?.contains("ATTENDEE:mailto:bob@x\r\n") == true)
    #expect(desk.server.last(.put)?.headers["If-Schedule-Tag-Match"] == "\"1\"")
    #expect(desk.server.last(.put)?.headers["If-Match"] == nil)
    desk.local.remove("meeting")
    #expect(try await desk.sync().1 == ["the server would send a cancellation to \(hint)"])
    #expect(desk.server.items[Self.path] != nil)
    #expect(desk.server.mails.isEmpty)
  }

  @Test func `A meeting that another has called is kept, and left without a word`() async throws {
    let desk = Desk(server: SchedulingServerDouble())
    let theirs = try Self.meeting(organizer: "bob@x")
    desk.server.store(theirs, as: Self.path)
    #expect(try await desk.sync().0.downloaded == 1)
    desk.local.write(try Self.meeting(organizer: "bob@x", more: Self.alarm))
    #expect(try await desk.sync().0.uploaded == 1)
    #expect(desk.server.items[Self.path]?.contains("SCHEDULE-AGENT") == false)
    desk.local.remove("meeting")
    #expect(try await desk.sync().0.deletedRemotely == 1)
    #expect(desk.server.last(.delete)?.headers["Schedule-Reply"] == "F")
    #expect(desk.server.mails.isEmpty)
  }

  @Test func `If the server does not tell who the user is, everybody may be`() async throws {
    let desk = Desk(server: SchedulingServerDouble(tellsAddresses: false))
    desk.local.write(try Self.meeting())
    #expect(try await desk.sync().0.uploaded == 1)
    #expect(desk.server.mails.isEmpty)
    // The organizer is never an attendee to be notified.
    #expect(desk.server.items[Self.path]?.contains("ATTENDEE:mailto:alice@x\r\n") == true)
  }

  @Test func `The server does what it does if a person wants it to`() async throws {
    let desk = Desk(server: SchedulingServerDouble(), invitations: .send)
    let item = try Self.meeting()
    desk.local.write(item)
    #expect(try await desk.sync().0.uploaded == 1)
    desk.local.write(try Self.meeting(summary: "Another plan"))
    #expect(try await desk.sync().0.uploaded == 1)
    desk.local.remove("meeting")
    #expect(try await desk.sync().0.deletedRemotely == 1)
    #expect(
      desk.server.mails == ["REQUEST mailto:bob@x", "REQUEST mailto:bob@x", "CANCEL mailto:bob@x"])
    #expect(!desk.server.log.contains { $0.hasPrefix("OPTIONS") || $0.hasPrefix("GET") })
  }

  @Test func `If mail is wanted, nothing is read before several writes`() async throws {
    let desk = Desk(server: SchedulingServerDouble(), invitations: .send)
    for uid in ["a", "b"] { desk.server.store(try CalDAVScript.event(uid), as: "/cal/\(uid).ics") }
    #expect(try await desk.sync().0.downloaded == 2)
    desk.server.forget()
    for uid in ["a", "b"] { desk.local.write(try CalDAVScript.event(uid, summary: "Moved")) }
    #expect(try await desk.sync().0.uploaded == 2)
    let log = desk.server.log.filter { !$0.hasPrefix("PROPFIND") && !$0.hasPrefix("OPTIONS") }
    // First the tags that were agreed last are compared. Last, what was sent is read back.
    #expect(log == ["REPORT /cal/", "PUT /cal/a.ics", "PUT /cal/b.ics", "REPORT /cal/"])
    #expect(desk.server.reportsOfData == [false, true])
  }

  @Test func `Where nothing is mailed, nothing is added and little is asked`() async throws {
    let desk = Desk(server: SchedulingServerDouble(isAutomatic: false))
    desk.local.write(try Self.meeting())
    #expect(try await desk.sync().0.uploaded == 1)
    #expect(desk.server.items[Self.path]?.contains("SCHEDULE-AGENT") == false)
    desk.local.write(try Self.meeting(summary: "Another plan"))
    #expect(try await desk.sync().0.uploaded == 1)
    #expect(!desk.server.log.contains { $0.hasPrefix("GET") || $0.contains("alice") })
    #expect(desk.server.last(.put)?.headers["If-Match"] == "\"1\"")
  }

  @Test func `A copy without a tag is written under the condition of the request`() async throws {
    let desk = Desk(server: SchedulingServerDouble(tagsCopies: false))
    desk.server.store(try Self.meeting(organizer: "bob@x"), as: Self.path)
    #expect(try await desk.sync().0.downloaded == 1)
    desk.local.write(try Self.meeting(organizer: "bob@x", more: Self.alarm))
    #expect(try await desk.sync().0.uploaded == 1)
    #expect(desk.server.last(.put)?.headers["If-Match"] == "\"1\"")
  }

  @Test func `A server that announces nothing mails nobody`() async throws {
    let desk = Desk(server: SchedulingServerDouble(isAutomatic: false, namesFeatures: false))
    desk.local.write(try Self.meeting())
    #expect(try await desk.sync().0.uploaded == 1)
    #expect(desk.server.items[Self.path]?.contains("SCHEDULE-AGENT") == false)
    #expect(desk.server.log.count { $0.hasPrefix("OPTIONS") } == 1)
    #expect(!desk.server.log.contains { $0.hasSuffix("/alice/") }, "\(desk.server.log)")
  }

  @Test func `An event without guests is added without a question about guests`() async throws {
    let desk = Desk(server: SchedulingServerDouble())
    desk.local.write(try CalDAVScript.event("meeting"))
    #expect(try await desk.sync().0.uploaded == 1)
    // What was sent is read back once.
    #expect(
      desk.server.log == [
        "PROPFIND /cal/", "PROPFIND /cal/", "PUT /cal/meeting.ics", "REPORT /cal/",
      ])
  }

  @Test func `Events without guests are not read again before a write, and meetings are`()
    async throws
  {
    let desk = Desk(server: SchedulingServerDouble())
    for uid in ["a", "b", "c"] {
      desk.server.store(try CalDAVScript.event(uid), as: "/cal/\(uid).ics")
    }
    desk.server.store(try Self.meeting(organizer: "bob@x"), as: Self.path)
    #expect(try await desk.sync().0.downloaded == 4)
    desk.server.forget()
    for uid in ["a", "b"] { desk.local.write(try CalDAVScript.event(uid, summary: "Moved")) }
    desk.local.remove("c")
    desk.local.write(try Self.meeting(organizer: "bob@x", more: Self.alarm))
    let summary = try await desk.sync().0
    #expect(summary.uploaded == 3 && summary.deletedRemotely == 1)
    let log = desk.server.log
    // Both sides agreed on the others, and the condition of the write protects them.
    // The meeting is read twice, because what is sent of it is made of what the server holds.
    // First the tags that were agreed last are compared. Last, what was sent is read back.
    #expect(
      log.filter { ["REPORT", "GET", "PUT"].contains($0.prefix { $0 != " " }) } == [
        "REPORT /cal/", "GET \(Self.path)", "PUT /cal/a.ics", "PUT /cal/b.ics",
        "GET \(Self.path)", "PUT \(Self.path)", "REPORT /cal/",
      ], "\(log)")
    #expect(desk.server.reportsOfData == [false, true])
    #expect(desk.server.last(.put)?.url.path == Self.path)
    #expect(desk.server.last(.put)?.headers["If-Schedule-Tag-Match"] == "\"4\"")
  }

  @Test func `What changed since it was looked at with others is left for the next run`()
    async throws
  {
    let desk = Desk(server: SchedulingServerDouble())
    for uid in ["a", "b"] {
      desk.server.store(try CalDAVScript.event(uid), as: "/cal/\(uid).ics")
    }
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: "https://h/cal/"), credentials: nil, transport: desk.server)
    let calendar = try await remote.openCalendar()
    let hrefs = [Href("/cal/a.ics"), Href("/cal/b.ics")]
    try await calendar.prepare(toChange: hrefs.map { HeldItem(href: $0) })
    // Another program makes a meeting of it, with people who would have to be told.
    desk.server.store(try Self.meeting(), as: hrefs[0].rawValue)
    desk.server.forget()
    let item = try CalDAVScript.event("a", summary: "Moved")
    let outcome = try await calendar.update(hrefs[0], to: item, ifMatch: EntityTag("\"1\""))
    #expect(outcome == .conditionFailed)
    #expect(try await calendar.delete(hrefs[1], ifMatch: EntityTag("\"2\"")) == .deleted)
    #expect(desk.server.mails.isEmpty)
  }

  @Test(arguments: [true, false])
  func `What no condition protects is looked at alone, just before its write`(
    _ hasWeakTags: Bool
  ) async throws {
    // A server of the name SOGo ignores conditions.
    let server = SchedulingServerDouble(
      hasWeakTags: hasWeakTags, name: hasWeakTags ? nil : "SOGo")
    let desk = Desk(server: server)
    for uid in ["a", "b"] {
      desk.server.store(try CalDAVScript.event(uid), as: "/cal/\(uid).ics")
    }
    #expect(try await desk.sync().0.downloaded == 2)
    desk.server.forget()
    for uid in ["a", "b"] { desk.local.write(try CalDAVScript.event(uid, summary: "Moved")) }
    #expect(try await desk.sync().0.uploaded == 2)
    let log = desk.server.log.filter { $0.hasSuffix(".ics") }
    // The schedule tag of the copy that was just read is the condition of the write.
    let each = hasWeakTags ? ["GET", "PROPFIND", "PUT"] : ["GET", "PUT"]
    #expect(log == ["a", "b"].flatMap { uid in each.map { "\($0) /cal/\(uid).ics" } })
  }

  @Test func `Google mails whatever an item says, so it is not sent there`() async throws {
    let address = "https://apidata.googleusercontent.com/cal/"
    for tier in [AccessTier.full, .writeOnly] {
      let desk = Desk(server: SchedulingServerDouble(), address: address)
      desk.local.write(try Self.meeting())
      let (summary, reasons) = try await desk.sync(tier)
      #expect(summary.failed == 1)
      #expect(reasons.allSatisfy { $0.contains("invitations = \"send\"") } && reasons.count == 1)
      #expect(desk.server.items.isEmpty)
    }
  }

  @Test func `Google would replace what is there, so it is asked before`() async throws {
    let address = "https://apidata.googleusercontent.com/cal/"
    let desk = Desk(server: SchedulingServerDouble(), address: address)
    desk.local.write(try CalDAVScript.event("meeting"))
    _ = try await desk.sync()
    #expect(
      desk.server.log == [
        "PROPFIND /cal/", "PROPFIND /cal/", "PROPFIND /cal/meeting.ics", "PUT /cal/meeting.ics",
        // What was sent is read back once.
        "REPORT /cal/",
      ])
  }

  @Test func `Under write-only access nobody is mailed, and nothing is asked`() async throws {
    let desk = Desk(server: SchedulingServerDouble())
    desk.local.write(try Self.meeting())
    #expect(try await desk.sync(.writeOnly).0.appended == 1)
    #expect(try await desk.sync(.writeOnly).0.appended == 0)
    #expect(desk.server.mails.isEmpty)
    #expect(desk.server.log == ["PUT /cal/meeting.ics"])
  }

  @Test func `An item that changed since it was seen is left for the next run`() async throws {
    let desk = Desk(server: SchedulingServerDouble())
    desk.server.store(try Self.meeting(organizer: "bob@x"), as: Self.path)
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: "https://h/cal/"), credentials: nil, transport: desk.server)
    let calendar = try await remote.openCalendar()
    let (href, old) = (Href(Self.path), EntityTag("\"0\""))
    let item = try Self.meeting(organizer: "bob@x", more: Self.alarm)
    #expect(try await calendar.update(href, to: item, ifMatch: old) == .conditionFailed)
    #expect(try await calendar.delete(href, ifMatch: old) == .conditionFailed)
    let gone = Href("/cal/gone.ics")
    #expect(try await calendar.update(gone, to: item, ifMatch: old) == .conditionFailed)
    #expect(try await calendar.delete(gone, ifMatch: old) == .deleted)
    #expect(!desk.server.log.contains { $0.hasPrefix("PUT") })
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Foundation
import ICalSyntax
import Synchronization
import TestSupport
import Testing

/// Messages of others than the persons who may send them (RFC 6047 §2.2.1).
@Suite("Forged messages") struct ForgedMessageTests {
  private let scene: InvitationScene

  init() throws {
    scene = try InvitationScene()
  }

  /// A user at the terminal who always gives the same answer.
  final class Prompt: SchedulingPrompt {
    let answer: Bool
    private let asked = Mutex<[SchedulingQuestion]>([])

    var questions: [SchedulingQuestion] { asked.withLock(\.self) }
    var canAsk: Bool { true }

    init(_ answer: Bool) { self.answer = answer }

    func confirm(_ question: SchedulingQuestion) -> Bool {
      asked.withLock { $0.append(question) }
      return answer
    }
  }

  private static let boss = "mailto:boss@x.example"
  private static let eve = "mailto:eve@evil.example"

  /// The stored meeting: of boss, for whom the secretary acts, with me and Ben.
  private static let meeting = [
    "UID:m", "DTSTAMP:20260101T000000Z", "SEQUENCE:1", "DTSTART:20260310T110000Z",
    "DTEND:20260310T120000Z", "SUMMARY:Board",
    "ORGANIZER;SENT-BY=\"mailto:sec@x.example\":mailto:boss@x.example",
    "ATTENDEE:mailto:me@example.org", "ATTENDEE;CN=Ben:mailto:ben@x.example",
  ]

  private static func calendar(_ method: String?, _ lines: [String]) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN"]
      + [method.map { "METHOD:\($0)" }].compactMap(\.self) + ["BEGIN:VEVENT"] + lines
      + ["END:VEVENT", "END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  private static func mail(_ header: [String], _ calendar: String) -> [UInt8] {
    let lines =
      header + ["To: me@example.org", "Content-Type: text/calendar; charset=utf-8", "", calendar]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  private static func lines(_ change: [String]) -> [String] {
    let names = Set(change.map { String($0.prefix { $0 != ":" && $0 != ";" }) })
    let kept = meeting.filter { !names.contains(String($0.prefix { $0 != ":" && $0 != ";" })) }
    return kept + change.filter { !$0.hasSuffix(":") }
  }

  private func store(_ item: [String]?, in name: String = "home") throws {
    try scene.folder.makeFolder(name)
    if let item { try scene.folder.write(Self.calendar(nil, item).utf8, to: "\(name)/m.ics") }
  }

  private func contents(_ name: String = "home") throws -> [String: [UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path(of: name))
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try scene.folder.bytes(of: "\(name)/\($0)")) })
  }

  /// Imports a file as `epact import` and `epact invitation apply` do.
  private func take(
    _ bytes: [UInt8], _ prompt: Prompt?, isConfirmed: Bool = false
  ) async throws -> ImportSummary {
    var request = ImportRequest(
      sources: [ImportSource(.bytes(bytes, label: "a.eml"))], into: scene.calendar("home"))
    request.isConfirmed = isConfirmed
    return try await CalendarImport.run(request, machine: scene.machine, prompt: prompt) { _ in }
  }

  /// A message and whether its sender may send it.
  struct Case: CustomTestStringConvertible {
    let name: String
    var method: String? = "REQUEST"
    /// The header of the mail; empty for a file.
    var header = ["From: Boss <boss@x.example>"]
    var change = ["SEQUENCE:2", "SUMMARY:Renamed"]
    var isStored = true
    let codes: [String]

    var testDescription: String { name }
  }

  private static let forger = ["From: Boss <eve@evil.example>"]
  private static let cancel = ["SEQUENCE:2", "STATUS:CANCELLED"]
  private static let reply = [
    "ORGANIZER:mailto:boss@x.example", "ATTENDEE;PARTSTAT=DECLINED:mailto:ben@x.example",
  ]

  private static let cases = [
    Case(name: "an update of the organizer", codes: []),
    Case(name: "the case of an address", header: ["From: BOSS@X.example"], codes: []),
    Case(name: "the stored SENT-BY", header: ["From: sec@x.example"], codes: []),
    Case(name: "an update of another", header: forger, codes: ["notFromOrganizer"]),
    Case(name: "no From", header: ["Subject: x"], codes: ["notFromOrganizer"]),
    Case(
      name: "two authors", header: ["From: boss@x.example, eve@evil.example"],
      codes: ["notFromOrganizer"]),
    Case(
      name: "two From fields", header: ["From: boss@x.example", "From: eve@evil.example"],
      codes: ["notFromOrganizer"]),
    Case(
      name: "a name like an address", header: ["From: \"boss@x.example\" <eve@evil.example>"],
      codes: ["notFromOrganizer"]),
    Case(
      name: "Sender and Reply-To do not count",
      header: forger + ["Sender: boss@x.example", "Reply-To: boss@x.example"],
      codes: ["notFromOrganizer"]),
    Case(
      name: "a SENT-BY of the message alone", header: forger,
      change: ["SEQUENCE:2", "ORGANIZER;SENT-BY=\"\(eve)\":\(boss)"], codes: ["notFromOrganizer"]),
    Case(
      name: "an EMAIL of the message", header: forger,
      change: ["SEQUENCE:2", "ORGANIZER;EMAIL=eve@evil.example:\(boss)"],
      codes: ["notFromOrganizer"]),
    Case(
      name: "another organizer", header: forger, change: ["SEQUENCE:2", "ORGANIZER:\(eve)"],
      codes: ["otherOrganizer", "notFromOrganizer"]),
    Case(
      name: "two organizers", change: ["SEQUENCE:2", "ORGANIZER:\(boss)", "ORGANIZER:\(eve)"],
      codes: ["otherOrganizer"]),
    Case(name: "no organizer", change: ["SEQUENCE:2", "ORGANIZER:"], codes: ["otherOrganizer"]),
    Case(
      name: "a file of another organizer", header: [], change: ["SEQUENCE:2", "ORGANIZER:\(eve)"],
      codes: ["otherOrganizer"]),
    Case(name: "a file of the organizer", header: [], codes: []),
    Case(
      name: "a file without METHOD of another organizer", method: nil, header: [],
      change: ["SEQUENCE:2", "ORGANIZER:\(eve)"], codes: ["otherOrganizer"]),
    Case(
      name: "a mail without METHOD", method: nil, header: forger, codes: ["notFromOrganizer"]),
    Case(name: "a cancellation", method: "CANCEL", change: cancel, codes: []),
    Case(
      name: "a cancellation of another", method: "CANCEL", header: forger, change: cancel,
      codes: ["notFromOrganizer"]),
    Case(
      name: "a cancellation without an organizer", method: "CANCEL", header: forger,
      change: cancel + ["ORGANIZER:"], codes: ["notFromOrganizer"]),
    Case(
      name: "a cancellation of an attendee", method: "CANCEL", header: ["From: ben@x.example"],
      change: cancel, codes: ["notFromOrganizer"]),
    Case(
      name: "a publication of another", method: "PUBLISH", header: forger,
      codes: ["notFromOrganizer"]),
    Case(
      name: "an occurrence of another", method: "ADD", header: forger, codes: ["notFromOrganizer"]),
    Case(
      name: "an answer", method: "REPLY", header: ["From: ben@x.example"], change: reply, codes: []),
    Case(
      name: "an answer of another", method: "REPLY", header: forger, change: reply,
      codes: ["notFromAttendee"]),
    Case(
      name: "an answer by a SENT-BY of the message", method: "REPLY", header: forger,
      change: [
        "ATTENDEE;PARTSTAT=DECLINED;SENT-BY=\"\(eve)\":mailto:ben@x.example"
      ], codes: ["notFromAttendee"]),
    Case(
      name: "an answer to another organizer", method: "REPLY", header: ["From: ben@x.example"],
      change: reply + ["ORGANIZER:\(eve)"], codes: ["otherOrganizer"]),
    Case(
      name: "a claimed delegation", method: "REPLY", header: forger,
      change: ["ATTENDEE;PARTSTAT=ACCEPTED;DELEGATED-FROM=\"mailto:ben@x.example\":\(eve)"],
      codes: ["claimedDelegation"]),
    Case(name: "a new invitation", isStored: false, codes: []),
    Case(
      name: "a new invitation by the secretary", header: ["From: sec@x.example"], isStored: false,
      codes: []),
    Case(
      name: "a new invitation of another", header: forger, isStored: false,
      codes: ["notFromOrganizer"]),
  ]

  @Test(
    "A message changes nothing without a yes if another than its person sent it", arguments: cases)
  func forged(_ example: Case) async throws {
    let calendar = Self.calendar(example.method, Self.lines(example.change))
    let bytes = example.header.isEmpty ? Array(calendar.utf8) : Self.mail(example.header, calendar)
    try store(example.isStored ? Self.meeting : nil)
    let before = try contents()
    let mail = try ReceivedMail(reading: .bytes(bytes, label: "a.eml")) { _ in }
    let invitation = try #require(mail.messages.first.flatMap { Invitation($0, of: mail) })
    let review = try await InvitationReview(
      of: invitation, ReviewRequest([scene.calendar("home")], viewer: scene.viewer),
      machine: scene.machine
    ) { _ in }
    if example.method != nil || !example.header.isEmpty || !example.codes.isEmpty {
      #expect(review.concerns.map(\.code) == example.codes)
    }
    guard !example.codes.isEmpty else {
      let prompt = Prompt(false)
      #expect(try await take(bytes, prompt)[.rejected] == 0)
      #expect(prompt.questions == [])
      #expect(try contents() != before)
      return
    }
    for prompt in [nil, Prompt(false)] {
      let summary = try await take(bytes, prompt)
      #expect(summary[.rejected] == 1 && summary[.updated] + summary[.added] == 0)
      #expect(
        prompt?.questions.first.map { $0.concerns.map(\.code) } ?? example.codes == example.codes)
      #expect(try contents() == before)
    }
    // The answer is neither stored nor written.
    if example.method == "REQUEST", !example.change.contains("ORGANIZER:") {
      let me = try invitation.attendee(
        as: nil, addresses: [CalendarAddress("mailto:me@example.org")])
      let answer = InvitationAnswer(.accepted, to: invitation, by: me, at: scene.machine.now())
      await #expect(throws: EpactError.self) {
        try await answer.store(in: scene.calendar("home"), machine: scene.machine)
      }
      if example.codes.contains("notFromOrganizer"),
        !example.change.contains(where: { $0.hasPrefix("ORGANIZER") && $0.contains("SENT-BY") }),
        !example.codes.contains("otherOrganizer")
      {
        #expect(throws: EpactError.self) {
          try answer.mail(viewer: scene.viewer, machine: scene.machine)
        }
      }
      #expect(try contents() == before)
    }
    let prompt = Prompt(true)
    _ = try await take(bytes, prompt)
    #expect(prompt.questions.count == 1)
    if example.method != "ADD" { #expect(try contents() != before) }
  }

  @Test("An option of the caller confirms, and an event of the user is not taken over")
  func confirmed() async throws {
    let own = Self.meeting.filter { !$0.hasPrefix("ORGANIZER") && !$0.hasPrefix("ATTENDEE") }
    try store(own)
    let before = try contents()
    let bytes = Array(Self.calendar("REQUEST", Self.lines(["SEQUENCE:2"])).utf8)
    #expect(try await take(bytes, nil)[.rejected] == 1)
    #expect(try contents() == before)
    #expect(try await take(bytes, nil, isConfirmed: true)[.updated] == 1)
    #expect(try contents() != before)
  }

  @Test("A forwarded invitation is of the one who forwards it")
  func forwarded() throws {
    let inner = Self.mail(["From: boss@x.example"], Self.calendar("REQUEST", Self.meeting))
    let outer = Array("From: eve@evil.example\r\nContent-Type: message/rfc822\r\n\r\n".utf8)
    let mail = try ReceivedMail(reading: .bytes(outer + inner, label: "a")) { _ in }
    #expect(mail.authors?.map(\.address) == ["eve@evil.example", "boss@x.example"])
    let invitation = try #require(mail.messages.first.flatMap { Invitation($0, of: mail) })
    #expect(
      invitation.concerns(about: nil, machine: scene.machine).map(\.code) == ["notFromOrganizer"])
  }

  @Test("A party crasher is named, and is no attendee afterwards")
  func crasher() async throws {
    try store(Self.meeting)
    let before = try contents()
    let bytes = Self.mail(
      ["From: eve@evil.example"],
      Self.calendar("REPLY", Self.lines(["ATTENDEE;PARTSTAT=ACCEPTED:\(Self.eve)"])))
    var reasons: [String] = []
    var request = ImportRequest(
      sources: [ImportSource(.bytes(bytes, label: "a.eml"))], into: scene.calendar("home"))
    request.isConfirmed = true
    _ = try await CalendarImport.run(request, machine: scene.machine) { event in
      if case .item(let item) = event { reasons += [item.reason].compactMap(\.self) }
    }
    #expect(reasons.count == 1 && reasons[0].hasSuffix("eve@evil.example is not invited"))
    #expect(try contents() == before)
  }

  /// A random dialogue: the items and the messages are random, and the rules are those of the RFCs.
  @Test("In random dialogues, nothing is stored or sent without a yes")
  func dialogues() async throws {
    let me = "me@example.org"
    let people = ["boss@x.example", "ben@x.example", "eve@evil.example", me]
    let zones = scene.machine.zoneResolver
    forAll(2_000) { random in
      func pick<T>(_ values: [T]) -> T { values[Int.random(in: values.indices, using: &random)] }
      let (owner, named, sender) = (pick(people), pick(people), pick(people))
      let guests = people.filter { _ in Bool.random(using: &random) }
      let isStored = Bool.random(using: &random)
      let isMail = Bool.random(using: &random)
      let method = pick(["REQUEST", "CANCEL", "PUBLISH", "REPLY", "ADD"])
      let answerer = pick(people)
      let head = ["UID:m", "DTSTART:20260310T110000Z", "SUMMARY:Board"]
      let stored = try CalendarItem(
        parsing: Array(
          Self.calendar(
            nil,
            head + ["DTSTAMP:20260101T000000Z", "SEQUENCE:0", "ORGANIZER:mailto:\(owner)"]
              + guests.map { "ATTENDEE:mailto:\($0)" }
          ).utf8))
      let attendees =
        method == "REPLY"
        ? ["ATTENDEE;PARTSTAT=DECLINED:MAILTO:\(answerer)"]
        : guests.map { "ATTENDEE:mailto:\($0)" }
      let text = Self.calendar(
        method,
        head + [
          "DTSTAMP:20260201T000000Z", "SEQUENCE:\(method == "REPLY" ? 0 : 1)",
          "ORGANIZER:mailto:\(named)", "DESCRIPTION:new",
        ] + attendees)
      let bytes = isMail ? Self.mail(["From: \(sender)"], text) : Array(text.utf8)
      let mail = try ReceivedMail(reading: .bytes(bytes, label: "a")) { _ in }
      let invitation = try #require(mail.messages.first.flatMap { Invitation($0, of: mail) })
      let isAllowed =
        (!isStored || named == owner)
        && (!isMail || sender == (method == "REPLY" ? answerer : isStored ? owner : named))
      var scheduled = ScheduledItem(isStored ? stored : nil, zones: zones)
      let outcomes = scheduled.apply(invitation.message, from: mail.origin).map(\.outcome)
      #expect(!scheduled.isChanged || isAllowed, "\(outcomes): \(text)")
      guard isAllowed || !scheduled.isChanged else { throw DialogueError.changed }
      // A message of the right person is applied without a question.
      let isAsked = outcomes.contains { outcome in
        if case .refused(.unconfirmed) = outcome { true } else { false }
      }
      guard isAsked != isAllowed || !isStored && method != "REQUEST" && method != "PUBLISH" else {
        throw DialogueError.asked
      }
      // Only the user answers for the user.
      let own = Set([CalendarAddress("MAILTO:Me@Example.org")])
      let found = try? invitation.attendee(as: nil, addresses: own)
      guard found.map({ $0.address == CalendarAddress("mailto:\(me)") }) ?? true,
        (found == nil) == !attendees.contains(where: { $0.hasSuffix(me) }),
        (try? invitation.attendee(as: nil, addresses: [])) == nil
      else { throw DialogueError.identity }
      guard let found, invitation.isAnswerable else { return }
      let answer = InvitationAnswer(.accepted, to: invitation, by: found, at: scene.machine.now())
      let sent = try? answer.mail(viewer: scene.viewer, machine: scene.machine)
      guard sent == nil || !isMail || sender == named, sent.map({ $0.sender.address == me }) ?? true
      else { throw DialogueError.sent }
    }
  }

  private enum DialogueError: Error { case changed, asked, identity, sent }
}

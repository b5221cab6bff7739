// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// What counts as an alteration by the server, and what as an edit of another program.
@Suite("Alterations of sent items")
struct AlterationTests {
  /// What is known of the version that the server returns.
  enum Trust: CaseIterable {
    /// Its tag is the one of the write.
    case sameTag
    /// The server returned no tag for the write.
    case noTag
    /// Its tag is another one, and no version was read since the write.
    case otherTag
    /// Its tag is another one, and the item was read back as it was sent.
    case readBefore
    /// Its tag is the one of the write, and the item was read back as it was sent.
    case sameTagLater
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let sent: [String]
    let stored: [String]
    /// Where the difference is an alteration; elsewhere it is an edit.
    let alterations: Set<Trust>
    var testDescription: String {
      "\(sent.joined(separator: " ")) as \(stored.joined(separator: " "))"
    }

    init(_ sent: String..., as stored: [String], by alterations: Trust...) {
      (self.sent, self.stored, self.alterations) = (sent, stored, Set(alterations))
    }
  }

  private static let start = "DTSTART:20260302T090000"
  private static let alarm = [
    "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT5M", "END:VALARM",
  ]
  private static let namedAlarm = [
    "BEGIN:VALARM", "UID:1", "ACTION:AUDIO", "TRIGGER:-PT5M", "END:VALARM",
  ]
  private static let place = ["BEGIN:VLOCATION", "UID:p"]
  private static let person = [
    "BEGIN:PARTICIPANT", "UID:p", "PARTICIPANT-TYPE:SPEAKER", "END:PARTICIPANT",
  ]

  private static let times = [
    Case(start, as: ["DTSTART;TZID=Europe/Berlin:20260302T090000"], by: .sameTag),
    Case(start, as: ["DTSTART;TZID=Europe/Berlin:20260302T100000"]),
    Case(start, as: ["DTSTART;X-A=1;TZID=Europe/Berlin:20260302T090000"]),
    Case(start, as: [start, "DTEND:20260302T100000"], by: .sameTag),
    Case(start, as: [start, "DURATION:PT1H"], by: .sameTag),
    Case(start, "DURATION:PT1H", as: [start, "DURATION:PT2H"]),
    Case(start, "DTEND:20260302T100000", as: [start], by: .sameTag, .noTag),
    Case(
      start, "DTEND:20260302T100000", as: [start, "DTEND:20260302T100000", "DURATION:PT1H"]),
    Case("RRULE:FREQ=DAILY;COUNT=10", as: ["RRULE:FREQ=DAILY;COUNT=1"]),
  ]

  private static let additions = [
    Case(start, as: [start, "X-SERVER:1"], by: .sameTag, .noTag),
    Case(start, as: [start, "COLOR:red"], by: .sameTag, .noTag),
    Case(start, as: [start, "STATUS:CONFIRMED"], by: .sameTag, .noTag),
    Case(start, as: [start, "STATUS:NEEDS-ACTION"], by: .sameTag, .noTag),
    Case(start, as: [start, "STATUS:CANCELLED"]),
    Case(start, "no line", as: [start, "no line", "X-SERVER:1"], by: .sameTag, .noTag),
    Case("LOCATION:a, b", as: ["LOCATION:a, b", "no line"], by: .sameTag, .noTag, .otherTag),
    Case(start, as: [start, "LOCATION:there"]),
    Case(start, "X-A:1", as: [start, "X-A:1", "X-A:2"]),
    Case(start, as: [start] + person),
    Case(
      (["BEGIN:X-A", "X-B:1", "END:X-A"]).joined(separator: "\r\n"),
      as: ["BEGIN:X-A", "X-B:1", "END:X-A", "X-SERVER:1"], by: .sameTag, .noTag),
    Case(start, as: [start, "BEGIN:X-A", "X-B:1", "END:X-A"], by: .sameTag, .noTag),
    Case(start, as: [start] + alarm),
    Case(alarm.joined(separator: "\r\n"), as: namedAlarm, by: .sameTag, .noTag),
  ]

  private static let parameters = [
    Case("LOCATION:a", as: ["LOCATION;X-B=1:a"], by: .sameTag, .noTag),
    Case("LOCATION:a", as: ["LOCATION;LANGUAGE=de:a"]),
    Case(
      "ATTENDEE:mailto:a@x", as: ["ATTENDEE;SCHEDULE-STATUS=1.1:mailto:a@x"], by: .sameTag, .noTag),
    Case("LOCATION;X-B=1:a", as: ["LOCATION:a"], by: .sameTag, .noTag, .otherTag),
    Case("LOCATION;LANGUAGE=de:a", as: ["LOCATION:a"], by: .sameTag, .noTag),
    Case("LOCATION;X-B=1:a, b", as: ["LOCATION:a"], by: .sameTag, .noTag, .otherTag),
    Case("LOCATION;X-B=1;LANGUAGE=de:a", as: ["LOCATION;LANGUAGE=de:b"]),
    Case("LOCATION;X-B=1:a\\;b", as: ["LOCATION:a\\;b"], by: .sameTag, .noTag, .otherTag),
  ]

  private static let losses = [
    Case(start, "X-A:1", as: [start], by: .sameTag, .noTag, .otherTag),
    Case(start, "LOCATION:a", as: [start], by: .sameTag, .noTag),
    Case("LOCATION:a, b", "X-A:1", as: ["LOCATION:a, b"], by: .sameTag, .noTag, .otherTag),
    Case("X-A:1", as: ["X-A"], by: .sameTag, .noTag, .otherTag),
    Case("LOCATION:a\\,b", as: ["LOCATION:a\\\\\\,b"], by: .sameTag, .noTag, .otherTag),
    Case(
      ([start] + person).joined(separator: "\r\n"), as: [start], by: .sameTag, .noTag, .otherTag),
    Case(([start] + alarm).joined(separator: "\r\n"), as: [start], by: .sameTag, .noTag),
    Case(
      "X-A;VALUE=URI:geo:1,2", as: ["X-A;VALUE=URI:geo:1\\,2"], by: .sameTag, .noTag, .otherTag),
    Case(
      "LOCATION:a,b", as: ["LOCATION:a\\,b"], by: .sameTag, .noTag, .otherTag, .readBefore,
      .sameTagLater),
    Case("LOCATION:a", as: ["LOCATION:b"]),
    Case("URL:geo:1\\,2", as: ["URL:geo:1,2"], by: .sameTag, .noTag, .otherTag),
  ]

  private static let cuts = [
    Case(
      "COMMENT:a, b", "COMMENT:c, d", as: ["COMMENT:c", "COMMENT:a"], by: .sameTag, .noTag,
      .otherTag, .readBefore, .sameTagLater),
    Case(
      "COMMENT:a, b", "COMMENT:a, b, c", as: ["COMMENT:a, b", "COMMENT:a"], by: .sameTag, .noTag,
      .otherTag, .readBefore, .sameTagLater),
    Case(
      "COMMENT:a", "COMMENT:a, b", as: ["COMMENT:a", "COMMENT:a"], by: .sameTag, .noTag, .otherTag,
      .readBefore, .sameTagLater),
    Case(
      "COMMENT:a, b", "COMMENT:a, b", as: ["COMMENT:a, b", "COMMENT:a"], by: .sameTag, .noTag,
      .otherTag, .readBefore, .sameTagLater),
    Case(
      "LOCATION:a\\\\, b", as: ["LOCATION:a\\\\"], by: .sameTag, .noTag, .otherTag, .readBefore,
      .sameTagLater),
    Case(
      "LOCATION:c:\\new, x", as: ["LOCATION:c:\\\\new"], by: .sameTag, .noTag, .otherTag,
      .readBefore, .sameTagLater),
    Case(
      "LOCATION:a, b", as: ["LOCATION:a "], by: .sameTag, .noTag, .otherTag, .readBefore,
      .sameTagLater),
    Case(
      "LOCATION:a, b", as: ["LOCATION: a"], by: .sameTag, .noTag, .otherTag, .readBefore,
      .sameTagLater),
    Case(
      "LOCATION:a\t, b", as: ["LOCATION:a"], by: .sameTag, .noTag, .otherTag, .readBefore,
      .sameTagLater),
    Case(
      "LOCATION: a, b", as: ["LOCATION:a"], by: .sameTag, .noTag, .otherTag, .readBefore,
      .sameTagLater),
    Case(
      "LOCATION:a\\n, b", as: ["LOCATION:a"], by: .sameTag, .noTag, .otherTag, .readBefore,
      .sameTagLater),
    Case(
      "LOCATION:a\\;n, b", as: ["LOCATION:a\\;n"], by: .sameTag, .noTag, .otherTag, .readBefore,
      .sameTagLater),
    Case(
      "COMMENT:a, b", "COMMENT:a, c", as: ["COMMENT:a", "COMMENT:a "], by: .sameTag, .noTag,
      .otherTag, .readBefore, .sameTagLater),
    Case("LOCATION:Lunch", as: ["LOCATION:Lun"], by: .sameTag, .noTag, .sameTagLater),
    Case("LOCATION:Lunch", as: ["LOCATION:"], by: .sameTag, .noTag),
    Case("LOCATION:Lunch", as: ["LOCATION:Lunches"]),
    Case("LOCATION:Lunch, late", as: ["LOCATION:late"]),
    Case("LOCATION:a , b", as: ["LOCATION:a  c"]),
    Case("LOCATION:a\\;b", as: ["LOCATION:a"], by: .sameTag, .noTag, .sameTagLater),
    Case("RESOURCES:a,b", as: ["RESOURCES:a"], by: .sameTag, .noTag),
    Case("RESOURCES:a,b", as: ["RESOURCES:b,c"]),
    Case("COMMENT:a", "COMMENT:b", as: ["COMMENT:a"], by: .sameTag, .noTag),
    Case("COMMENT:a", "COMMENT:b", as: ["COMMENT:a", "COMMENT:c"]),
    Case("PRIORITY:1", as: [], by: .sameTag, .noTag),
    Case("CLASS:PRIVATE", as: ["CLASS:PRIV"]),
    Case(
      "ATTENDEE;CN=Annabel:mailto:a@x", as: ["ATTENDEE;CN=Anna:mailto:a@x"], by: .sameTag, .noTag),
    Case("ATTENDEE;CN=Anna:mailto:a@x", as: ["ATTENDEE;CN=Bob:mailto:a@x"]),
    Case("LOCATION;LANGUAGE=en-US:a", as: ["LOCATION;LANGUAGE=en:a"]),
    Case("ATTACH;SIZE=100:https://x/", as: ["ATTACH;SIZE=10:https://x/"]),
    Case(
      "DTSTART;TZID=Etc/GMT+10:20260302T090000", as: ["DTSTART;TZID=Etc/GMT+1:20260302T090000"]),
    Case(
      "IMAGE;VALUE=URI;DISPLAY=GRAPHIC,FULLSIZE:https://x/",
      as: ["IMAGE;VALUE=URI;DISPLAY=GRAPHIC:https://x/"], by: .sameTag, .noTag),
    Case(
      "ATTENDEE:mailto:a@x", "ATTENDEE:mailto:b@x", as: ["ATTENDEE:mailto:a@x"], by: .sameTag,
      .noTag),
    Case(
      (place + ["LOCATION-TYPE:bar,hall", "END:VLOCATION"]).joined(separator: "\r\n"),
      as: place + ["LOCATION-TYPE:bar", "END:VLOCATION"], by: .sameTag, .noTag, .otherTag,
      .readBefore, .sameTagLater),
    Case(
      "LOCATION:a\\nb; c", as: ["LOCATION:a\\nb"], by: .sameTag, .noTag, .otherTag, .readBefore,
      .sameTagLater),
    Case("LOCATION:a, b", as: ["LOCATION;X-B=1:a"], by: .sameTag, .noTag),
  ]

  private static func item(_ lines: [String]) -> CalendarItem {
    var text = TestItem.text(uid: "a")
    if lines.contains(where: { $0.hasPrefix("DTSTART") }) {
      text = text.replacing("DTSTART:20260301T120000Z\r\n", with: "")
    }
    let more = lines.map { $0 + "\r\n" }.joined()
    return TestItem.parse(text.replacing("END:VEVENT", with: more + "END:VEVENT"))
  }

  @Test(
    "A difference is an edit where the server cannot have made it",
    arguments: times + additions + parameters + losses + cuts)
  func alteration(_ row: Case) async throws {
    let (sent, stored) = (Self.item(row.sent), Self.item(row.stored))
    for trust in Trust.allCases {
      var scene = SyncScene(quirks: trust == .noTag ? .noTagAfterWrite : [])
      scene.local.write(sent)
      if trust == .noTag { scene.remote.writeAfterNextWrite(stored) }
      try await scene.sync()
      scene.options.isVerifying = true
      switch trust {
      case .sameTag: scene.remote.replaceSilently("a", by: stored)
      case .noTag: break
      case .otherTag: scene.remote.write(stored)
      case .readBefore:
        try await scene.sync()
        scene.remote.write(stored)
      case .sameTagLater:
        try await scene.sync()
        scene.remote.replaceSilently("a", by: stored)
      }
      for _ in 1...2 { try await scene.sync() }
      let isKept = scene.local.items["a"] == sent
      #expect(isKept == row.alterations.contains(trust), "\(trust)")
      #expect(scene.remote.items["a"] == stored, "\(trust)")
    }
  }

  struct LossCase: CustomTestStringConvertible, Sendable {
    let sent: [String]
    let stored: [String]
    /// The reported losses: the path, the property and the kept line.
    let losses: [String]
    var testDescription: String {
      "\(sent.joined(separator: " ")) as \(stored.joined(separator: " "))"
    }
  }

  private static let override = [
    "END:VEVENT", "BEGIN:VEVENT", "UID:a", "DTSTAMP:20260102T030405Z",
    "RECURRENCE-ID:20260301T120000Z", "DTSTART:20260301T130000Z",
  ]

  @Test(
    "Each part that the server does not keep is reported, and nothing else",
    arguments: [
      LossCase(sent: ["X-A:1"], stored: [], losses: ["VEVENT X-A -"]),
      LossCase(
        sent: ["LOCATION;X-B=1:a"], stored: ["LOCATION:a"],
        losses: ["VEVENT LOCATION LOCATION:a"]),
      LossCase(
        sent: ["LOCATION:a, b"], stored: ["LOCATION:a"], losses: ["VEVENT LOCATION LOCATION:a"]),
      LossCase(sent: ["LOCATION:a\\,b"], stored: ["LOCATION:a\\\\\\,b"], losses: []),
      LossCase(sent: ["LOCATION:a"], stored: ["LOCATION;X-B=1:a"], losses: []),
      LossCase(sent: person, stored: [], losses: ["VEVENT PARTICIPANT -"]),
      LossCase(
        sent: override + ["X-A:1"], stored: override,
        losses: ["VEVENT 20260301T120000Z X-A -"]),
    ])
  func reported(_ row: LossCase) async throws {
    var scene = SyncScene()
    scene.local.write(Self.item(row.sent))
    try await scene.sync()
    scene.remote.replaceSilently("a", by: Self.item(row.stored))
    scene.options.isVerifying = true
    var losses: [String] = []
    for case .lost(let loss) in try await scene.sync().events {
      losses.append("\(loss.component) \(loss.property) \(loss.kept ?? "-")")
    }
    #expect(losses == row.losses)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// The text of an alarm that repeats the title.
@Suite("Alarm texts and titles") struct AlarmTextTests {
  private static func event(
    _ title: String, alarm text: String?, before trigger: String = "-PT15M",
    at place: String = "Here"
  ) -> CalendarItem {
    let alarm = text.map {
      ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\($0)", "TRIGGER:\(trigger)", "END:VALARM"]
    }
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:VEVENT", "UID:a",
      "DTSTAMP:20260102T030405Z", "DTSTART:20260301T120000Z", "SUMMARY:\(title)",
      "LOCATION:\(place)",
    ]
    return TestItem.parse(
      (lines + (alarm ?? []) + ["END:VEVENT", "END:VCALENDAR"]).map { $0 + "\r\n" }.joined())
  }

  /// The title, the alarm's text and its trigger.
  private func words(_ item: CalendarItem) -> [String] {
    let event = item.components.first
    let alarm = event?.components.first
    return [event?[.summary], alarm?[.descriptionText], alarm?[.trigger]].map {
      $0?.rawValue ?? "none"
    }
  }

  private func merge(
    _ policy: MergePolicy = .keepBoth, base: CalendarItem, _ local: CalendarItem,
    _ remote: CalendarItem
  ) -> MergeResult {
    MergeTrio.merge(policy).merge(base: base, local: local, remote: remote)
  }

  @Test("The text has the version of the side whose title is taken")
  func contestedTitle() {
    let base = Self.event("Review", alarm: "Review")
    let here = Self.event("Report", alarm: "Report")
    let there = Self.event("Meeting", alarm: "Review")
    let waits = merge(base: base, here, there)
    #expect(waits.conflicts.map(\.subject) == ["SUMMARY"])
    #expect(words(waits.item) == ["Report", "Report", "-PT15M"])
    let remote = merge(.remote, base: base, here, there)
    #expect(remote.conflicts.map(\.subject) == ["SUMMARY"])
    #expect(words(remote.item) == ["Meeting", "Review", "-PT15M"])
    let local = merge(.local, base: base, here, there)
    #expect(words(local.item) == ["Report", "Report", "-PT15M"])
    let swapped = merge(.local, base: base, there, here)
    #expect(words(swapped.item) == ["Meeting", "Review", "-PT15M"])
  }

  @Test("Two titles with their texts are one conflict")
  func bothSides() {
    let result = merge(
      base: Self.event("Review", alarm: "Review"), Self.event("Report", alarm: "Report"),
      Self.event("Meeting", alarm: "Meeting"))
    #expect(result.conflicts.map(\.subject) == ["SUMMARY"])
  }

  @Test("A title on one side and a trigger on the other go together, on whichever side")
  func titleAndTrigger() {
    let base = Self.event("Review", alarm: "Review")
    let title = Self.event("Report", alarm: "Report")
    let trigger = Self.event("Review", alarm: "Review", before: "-PT5M")
    for (here, there) in [(title, trigger), (trigger, title)] {
      let result = merge(base: base, here, there)
      #expect(result.conflicts == [])
      #expect(words(result.item) == ["Report", "Report", "-PT5M"])
    }
  }

  @Test("A title keeps no alarm that the other side deleted")
  func deletedAlarm() {
    let base = Self.event("Review", alarm: "Review")
    let result = merge(
      base: base, Self.event("Report", alarm: "Report"), Self.event("Review", alarm: nil))
    #expect(result.conflicts == [])
    #expect(words(result.item) == ["Report", "none", "none"])
  }

  @Test("A text of its own is an edit of the alarm, beside whichever title")
  func ownText() {
    let base = Self.event("Review", alarm: "Review")
    let own = Self.event("Review", alarm: "Take the slides")
    let edit = merge(base: base, own, Self.event("Review", alarm: "Review", at: "There"))
    #expect(words(edit.item) == ["Review", "Take the slides", "-PT15M"])
    let both = merge(base: base, Self.event("Report", alarm: "Report"), own)
    #expect(both.conflicts.map(\.subject) == ["VALARM"])
    let apart = merge(
      base: Self.event("Review", alarm: "Take the slides"),
      Self.event("Report", alarm: "Report"), Self.event("Meeting", alarm: "Take the slides"))
    #expect(words(apart.item) == ["Report", "Report", "-PT15M"])
  }
}

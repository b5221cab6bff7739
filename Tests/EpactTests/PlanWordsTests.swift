// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import Foundation
import TestSupport
import Testing

/// The words for the reasons of plans, in a table with their codes.
@Suite("Words for the reasons of plans") struct PlanWordsTests {
  private static let copy = FileTakeover(known: "a.ics", name: "a (1).ics")
  private static let choice = "both versions are kept and wait for a choice"

  private static let reasons: [(PlanReason, code: String, words: String)] = [
    (.unchanged, "unchanged", "nothing changed"),
    (.alike, "alike", "both sides hold the same"),
    (.added(.local), "added-local", "new here"),
    (.added(.remote), "added-remote", "new on the remote"),
    (.changed(.local), "changed-local", "changed here"),
    (.changed(.remote), "changed-remote", "changed on the remote"),
    (.deleted(.local), "deleted-local", "deleted here"),
    (.deleted(.remote), "deleted-remote", "deleted on the remote"),
    (.deletedOnBothSides, "deleted-both", "deleted on both sides"),
    (
      .editOverDeletion(on: .local, isMeeting: false), "edit-over-deletion-local",
      "deleted on the remote, but edited here since"
    ),
    (
      .editOverDeletion(on: .remote, isMeeting: true), "edit-over-deletion-remote",
      "deleted here, but edited on the remote since; its attendees are not informed"
    ),
    (.overruledEdit(.local), "overruled-edit-local", "differs here; the sync only pulls"),
    (
      .overruledEdit(.remote), "overruled-edit-remote",
      "differs on the remote; the sync only pushes"
    ),
    (.overruledDeletion(.local), "overruled-deletion-local", "deleted here; the sync only pulls"),
    (
      .overruledDeletion(.remote), "overruled-deletion-remote",
      "deleted on the remote; the sync only pushes"
    ),
    (
      .deletedOverEdit(.local), "deleted-over-edit-local",
      "deleted on the remote, and edited here; the sync only pulls"
    ),
    (
      .deletedOverEdit(.remote), "deleted-over-edit-remote",
      "deleted here, and edited on the remote; the sync only pushes"
    ),
    (.addedAgain, "added-again", "deleted here, and on the remote again"),
    (.conflict, "conflict", "edited on both sides; both are kept"),
    (.awaitsChoice, "awaits-choice", choice),
    (.runUndone, "run-undone", "a run was taken back; " + choice),
    (
      .olderFile(copy), "older-file",
      "a.ics is gone, and a (1).ics has another text that is not later; " + choice
    ),
    (.lostByRemote, "lost-by-remote", "lost by the remote"),
    (.earlierOnRemote, "earlier-on-remote", "an earlier version on the remote"),
    (.deletedBeforeRestore, "deleted-before-restore", "deleted before the remote was restored"),
    (.additionInterrupted, "addition-interrupted", "the last add was cut off"),
    (.undo(.recorded), "undo-recorded", "as the server holds it"),
    (.undo(.restored), "undo-restored", "as it was before the run"),
    (
      .undo(.restoredWithLaterEdits), "undo-restored-with-later-edits",
      "without the changes of the run; later edits stay"
    ),
    (
      .undo(.restoredApart), "undo-restored-apart",
      "as it was before the run; the sides differ then, and wait for a choice"
    ),
    (.undo(.removed(.local)), "undo-removed-local", "the run had added it here"),
    (.undo(.removed(.remote)), "undo-removed-remote", "the run had added it there"),
  ]

  private static let obstacles: [(ItemObstacle, code: String, words: String)] = [
    (.reported("status 500"), "reported", "status 500"),
    (
      .refusedMove("no", addition: "the UID is taken"), "refused-move",
      "the UID is taken; moving it from there: no"
    ),
    (
      .placeTaken, "place-taken",
      "the remote already holds an event with its UID, which cannot be compared without full access"
    ),
    (
      .noTag, "no-etag",
      "the remote returns no ETag for the item, so that it cannot be changed safely"
    ),
    (.unreadable([]), "unreadable", "one side cannot be read; the item is left alone"),
    (
      .unreadable([
        UnreadablePlace(side: .local, name: "x.ics", isGuess: true),
        UnreadablePlace(side: .remote, name: "/x"),
      ]), "unreadable",
      "x.ics here cannot be read, and may be this item, and /x on the remote cannot be read; "
        + "the item is left alone"
    ),
    (.localFile("empty"), "local-file", "the local file is not changed: empty"),
    (.remoteItem("empty"), "remote-item", "the remote item is left alone: empty"),
    (
      .notDelivered, "not-delivered",
      "the remote lists the item but does not return it; it is not changed"
    ),
    (
      .stillNotDelivered, "still-not-delivered",
      "the remote lists the item but does not return it; it is not changed until it changes"
    ),
    (
      .double(UID("a"), chosen: "/a"), "double",
      "the remote holds the UID a twice; this one is left alone and /a is synced"
    ),
    (
      .deletedBesideDouble(.local, name: "/b"), "deleted-local-beside-double",
      "deleted here, but /b holds the UID on the remote, too"
    ),
    (
      .deletedBesideDouble(.remote, name: "b.ics"), "deleted-remote-beside-double",
      "deleted on the remote, but b.ics holds the UID here, too"
    ),
    (
      .deletedBesideOlderFile(.remote, copy), "deleted-remote-beside-older-file",
      "deleted on the remote, and a.ics is gone, and a (1).ics has another text that is not later"
    ),
    (.notAnEvent(isReminder: true), "not-an-event", "reminders need full access"),
    (
      .notAnEvent(isReminder: false), "not-an-event",
      "only events can be added; this needs full access"
    ),
    (
      .changedAfterAddition, "changed-after-addition",
      "added earlier and changed here since; changing it there needs full access"
    ),
    (
      .deletedAfterAddition, "deleted-after-addition",
      "added earlier and deleted here since; deleting it there needs full access"
    ),
    (
      .deletedAfterInterruption, "deleted-after-interruption",
      "an add was cut off, and it was deleted here since; whether it is there is not known"
    ),
    (
      .heldBack(failures: 2, .reported("too large")), "held-back",
      "held back after 2 failures: too large"
    ),
    (
      .awaitsArrival, "awaits-arrival",
      "it was moved to another calendar, and is not on the remote of that one yet"
    ),
    (
      .awaitsOtherSync, "awaits-other-sync",
      "another sync was cut off while it was adding it, and goes first"
    ),
    (
      .outsideFilter(deletedOn: .local), "deleted-local-outside-filter",
      "deleted here, but outside of what is synced; it stays on the remote"
    ),
    (.onlyOn(.local), "only-local", "it is only here, and stays; the sync only pulls"),
    (
      .onlyOn(.remote), "only-remote", "it is only on the remote, and stays; the sync only pushes"
    ),
    (.notOwn(.local), "not-own-local", "this sync did not add it here; it is not changed"),
    (
      .notOwn(.remote), "not-own-remote",
      "deleted here, but this sync did not add it on the remote; it stays there"
    ),
    (
      .released, "released", "edited or deleted here; it does not follow the remote any more"
    ),
    (
      .agreedVersionLost(.remote), "agreed-version-lost-remote",
      "the remote does not hold the version that both sides agreed on any more"
    ),
    (.notUndone(.changedSince), "undo-changed-since", "it changed since; it is left alone"),
    (.notUndone(.noCalendar("/home")), "undo-no-calendar", "its calendar is not at /home"),
    (.notUndone(.readOnly), "undo-read-only", "the calendar can only be read"),
  ]

  private static let mirrored: [(PlanReason, words: String)] = [
    (.unchanged, "nothing changed"),
    (.alike, "the copy is the same"),
    (.added(.remote), "new in its calendars"),
    (.added(.local), "new here"),
    (.changed(.remote), "changed in its calendars"),
    (.changed(.local), "changed here"),
    (.deleted(.remote), "no longer shown"),
    (.deleted(.local), "deleted here"),
    (.deletedOnBothSides, "no longer shown, and deleted here"),
    (.overruledEdit(.local), "differs here; a copy follows its original"),
    (.overruledDeletion(.local), "deleted here; a copy follows its original"),
    (.deletedOverEdit(.local), "no longer shown, and edited here; a copy follows its original"),
    (
      .obstacle(.outsideFilter(deletedOn: .remote)),
      "no longer shown, but outside of what is copied; it stays here"
    ),
    (.obstacle(.outsideFilter(deletedOn: .local)), "deleted here, but outside of what is copied"),
    (.obstacle(.onlyOn(.local)), "it is only here, and stays; the mirror did not make it"),
    (.obstacle(.notOwn(.local)), "the mirror did not make it; it is not changed"),
    (.obstacle(.released), "edited or deleted here; it does not follow its original any more"),
    (.obstacle(.localFile("empty")), "the local file is not changed: empty"),
  ]

  @Test("Mirrors have their own words for what a sync would say of a remote")
  func mirrors() {
    for (reason, words) in Self.mirrored {
      #expect(reason.words(ofMirror: true) == words)
      #expect(reason.words(ofMirror: false) == reason.words)
    }
    for (obstacle, _, words) in Self.obstacles {
      #expect(obstacle.words(ofMirror: false) == words)
    }
  }

  @Test("Each reason has its code and its words")
  func table() {
    for (reason, code, words) in Self.reasons {
      #expect(reason.code == code)
      #expect(reason.words == words)
    }
    for (obstacle, code, words) in Self.obstacles {
      #expect(obstacle.code == code)
      #expect(obstacle.words == words)
      #expect(PlanReason.obstacle(obstacle).words == words)
    }
  }

  @Test("The article on JSON lists all codes")
  func article() throws {
    let text = try String(
      contentsOf: Fixture.root.deletingLastPathComponent()
        .appending(path: "Sources/Epact/Epact.docc/JSONOutput.md"), encoding: .utf8)
    let article = try #require(text.components(separatedBy: "## Reasons\n").last)
    let codes = Self.reasons.map(\.code) + Self.obstacles.map(\.code)
    for code in codes {
      let isListed =
        article.contains("`\(code)`")
        || article.contains("`\(code.replacing("remote", with: "local"))`")
      #expect(isListed, "\(code)")
    }
  }

  @Test("Occurrences that are back are named, at most three of each kind")
  func occurrences() throws {
    let times = try (3...7).map { day in
      EventTime.floating(try CivilDateTime(parsing: "2026030\(day)T120000"))
    }
    let day = EventTime.date(try CivilDate(parsing: "20260309"))
    #expect(
      PlanReason.broughtBack(excluded: times, stray: [day]).words
        == "changed on the remote; deleted here, and there again: the occurrence of "
        + "2026-03-03 12:00, 2026-03-04 12:00, 2026-03-05 12:00 and 2 more; "
        + "no longer in the series, but edited: the occurrence of 2026-03-09")
  }

  @Test("A merge has words for each conflict, which state its outcome or what to look for")
  func conflicts() {
    func words(
      _ kind: MergeConflict.Kind, _ outcome: MergeConflict.Outcome, _ subject: String
    ) -> String {
      MergeConflict(
        kind: kind, outcome: outcome, component: "VEVENT", subject: subject, base: [], local: [],
        remote: []
      ).words
    }
    let edits = "VEVENT: SUMMARY: edited on both sides; "
    #expect(words(.edits, .waits, "SUMMARY") == edits + "waits")
    #expect(
      words(.edits, .chosen(.remote), "SUMMARY") == edits + "the remote version is taken")
    #expect(
      words(.deletion, .survived(.local), "VALARM")
        == "VEVENT: VALARM: edited on one side and deleted on the other; the local edit survives")
    #expect(
      words(.end, .survived(.local), "EXDATE").hasSuffix(
        "an item that continues the series may have the occurrence"))
    #expect(
      words(.split, .survived(.local), "RRULE")
        == "VEVENT: RRULE: split on both sides; two items continue the series")
    let all = MergeConflict.Kind.allCases.map { words($0, .waits, "SUMMARY") }
    #expect(Set(all).count == all.count)
    let some: [MergeConflict] = []
    #expect(PlanReason.merged(some).words == "changed on both sides, and merged")
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Foundation
import Testing

/// The words for the errors of the engine, in tables with the lines for logs.
@Suite("Words for the errors of the engine") struct ErrorWordsTests {
  private static let policy = AccessRestriction(
    tier: .none, decidedBy: "the club", place: "/etc/epact/policy.toml:3")
  private static let remote = RemoteIdentity(kind: "folder", location: "/disk")

  private static let access: [(AccessError, log: String, words: String)] = [
    (
      .notDetermined(remote: "work", needs: .full), "not-determined (work; full)",
      "no access to work was granted yet"
    ),
    (
      .denied(remote: "work", needs: .writeOnly), "denied (work; write-only)",
      "access to work is denied"
    ),
    (
      .restricted(remote: "work", policy),
      "restricted (work; none (the club; /etc/epact/policy.toml:3))",
      "access to work is restricted: the club decided in /etc/epact/policy.toml:3 that it is never "
        + "contacted"
    ),
    (
      .noAccess(remote), "no-access (folder /disk)",
      "access to folder /disk is denied; nothing was sent"
    ),
    (
      .requestRefused(AccessRequest(.read, "list", of: "items"), .writeOnly),
      "request-refused (list items; write-only)", "list items is refused: the access is write-only"
    ),
    (.needsFull(reason: "a feed"), "needs-full (a feed)", "a feed"),
    (
      .restoreNeedsFull, "restore-needs-full",
      "a remote is restored only under full access; nothing was sent"
    ),
    (
      .undoNeedsFull, "undo-needs-full",
      "a run is taken back only under full access; nothing was sent"
    ),
    (
      .emptyPurpose, "empty-purpose",
      "expected a purpose that says what is done and why, found none"
    ),
  ]

  private static let conflicts: [(ConflictError, log: String, words: String)] = [
    (
      .gone(UID("a")), "gone (a)",
      "'a' is not in the local calendar any more; the next sync decides"
    ),
    (
      .editedSince(UID("a")), "edited-since (a)", "'a' was edited here since; the next sync decides"
    ),
    (
      .unplaced(UID("a")), "unplaced (a)",
      "it is not known where 'a' is on the remote; the next sync finds it"
    ),
    (.unreadable(UID("a")), "unreadable (a)", "a version of 'a' is missing or cannot be read"),
    (.notCopied(UID("a")), "not-copied (a)", "'a' cannot be copied"),
    (
      .otherItem(UID("b"), expected: UID("a")), "other-item (b; a)",
      "expected the UID 'a', found 'b'"
    ),
    (.notWritten(UID("a"), reason: "disk full"), "not-written (a; disk full)", "disk full"),
    (
      .notWritten(UID("a"), reason: nil), "not-written (a)",
      "'a' changed meanwhile; nothing was written"
    ),
  ]

  @Test("Each error has its line for logs and its words, which Foundation shows")
  func table() {
    for (error, log, words) in Self.access {
      #expect("\(error)" == log)
      #expect(error.words == words)
      #expect(error.localizedDescription == words)
    }
    for (error, log, words) in Self.conflicts {
      #expect("\(error)" == log)
      #expect(error.words == words)
      #expect(error.localizedDescription == words)
    }
    let undo = UndoError.otherPlaces(RunID(7))
    #expect("\(undo)" == "other-places (7)")
    #expect(undo.words == "run 7 was of other places than the sync has now; nothing was sent")
    #expect(undo.localizedDescription == undo.words)
    #expect(Self.policy.words == "restricted to none by the club (/etc/epact/policy.toml:3)")
  }

  @Test("The error of the front has the words, the code and the remedy")
  func front() {
    let open = EpactError(describing: AccessError.notDetermined(remote: "work", needs: .full))
    #expect(open.code == .noAccess && open.subject == "work")
    #expect(open.message == "no access to work was granted yet")
    #expect(open.remedy == .grant(.full, remote: "work"))
    let denied = EpactError(describing: AccessError.denied(remote: "work", needs: .full))
    #expect(denied.message == "access to work is denied, and is not asked for again")
    #expect(denied.remedy == .changeAnswer(.full, remote: "work"))
    let feed = EpactError(describing: AccessError.needsFull(reason: "a feed"))
    #expect(feed.code == .noAccess && feed.message == "a feed" && feed.remedy == nil)
    #expect(EpactError(describing: AccessError.emptyPurpose).code == .argument)
    #expect(EpactError(describing: ConflictError.gone(UID("a"))).code == .failed)
    let unwritten = EpactError(describing: ConflictError.notWritten(UID("a"), reason: nil))
    #expect(unwritten.code == .partlyFailed)
    let undone = EpactError(describing: UndoError.otherPlaces(RunID(7)))
    #expect(undone.code == .failed && undone.message.hasPrefix("run 7 was of other places"))
  }
}

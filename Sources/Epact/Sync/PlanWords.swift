// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
public import CalendarSync
import CivilTime

// The words for the reasons of plans, runs and merges.

extension PlanReason {
  /// The reason in English, for display.
  public var words: String {
    switch self {
    case .unchanged: "nothing changed"
    case .alike: "both sides hold the same"
    case .added(let side): "new \(side.place)"
    case .changed(let side): "changed \(side.place)"
    case .deleted(let side): "deleted \(side.place)"
    case .deletedOnBothSides: "deleted on both sides"
    case .editOverDeletion(let side, let isMeeting):
      "deleted \(side.other.place), but edited \(side.place) since"
        + (isMeeting ? "; its attendees are not informed" : "")
    case .overruledEdit(let side): "differs \(side.place); \(side.decision)"
    case .overruledDeletion(let side): "deleted \(side.place); \(side.decision)"
    case .deletedOverEdit(let side):
      "deleted \(side.other.place), and edited \(side.place); \(side.decision)"
    case .addedAgain: "deleted here, and on the remote again"
    case .broughtBack(let excluded, let stray):
      Self.list(
        "changed on the remote", Self.occurrences("deleted here, and there again", excluded),
        Self.occurrences("no longer in the series, but edited", stray))
    case .merged(let conflicts): Self.merge("changed on both sides, and merged", conflicts)
    case .mergedInPart(let conflicts):
      Self.merge("changed on both sides, and merged but for what waits", conflicts)
    case .conflict: "edited on both sides; both are kept"
    case .awaitsChoice: Self.awaitingChoice
    case .runUndone: "a run was taken back; \(Self.awaitingChoice)"
    case .olderFile(let takeover): "\(takeover.words); \(Self.awaitingChoice)"
    case .lostByRemote: "lost by the remote"
    case .earlierOnRemote: "an earlier version on the remote"
    case .deletedBeforeRestore: "deleted before the remote was restored"
    case .additionInterrupted: "the last add was cut off"
    case .undo(let effect): effect.words
    case .obstacle(let obstacle): obstacle.words
    }
  }

  private static let awaitingChoice = "both versions are kept and wait for a choice"

  private static func list(_ parts: String?...) -> String {
    parts.compactMap(\.self).joined(separator: "; ")
  }

  private static func merge(_ text: String, _ conflicts: [MergeConflict]) -> String {
    ([text] + conflicts.map(\.words)).joined(separator: "; ")
  }

  /// The maximum number of occurrences that are named.
  private static let occurrenceLimit = 3

  /// The occurrences with a text before them; nil for none.
  private static func occurrences(_ text: String, _ times: [EventTime]) -> String? {
    guard !times.isEmpty else { return nil }
    let named = times.prefix(occurrenceLimit).map { time in
      let date = MomentReading.iso(time.date)
      return time.isAllDay ? date : "\(date) \(MomentReading.text(time.wallTime.time))"
    }.joined(separator: ", ")
    let rest = times.count - occurrenceLimit
    return "\(text): the occurrence of \(named)" + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension PlanReason {
  /// The reason in the words of a mirror, whose remote is a set of local calendars.
  ///
  /// - Parameter isMirror: Whether the run is that of a mirror; the words are those of a sync otherwise.
  /// - Returns: The reason in English, for display.
  public func words(ofMirror isMirror: Bool) -> String {
    guard isMirror else { return words }
    return switch self {
    case .alike: "the copy is the same"
    case .added(.remote): "new in its calendars"
    case .changed(.remote): "changed in its calendars"
    case .deleted(.remote): "no longer shown"
    case .deletedOnBothSides: "no longer shown, and deleted here"
    case .overruledEdit(.local): "differs here; \(Self.follows)"
    case .overruledDeletion(.local): "deleted here; \(Self.follows)"
    case .deletedOverEdit(.local): "no longer shown, and edited here; \(Self.follows)"
    case .obstacle(let obstacle): obstacle.words(ofMirror: true)
    default: words
    }
  }

  private static let follows = "a copy follows its original"
}

extension ItemObstacle {
  /// The obstacle in the words of a mirror.
  ///
  /// - Parameter isMirror: Whether the run is that of a mirror; the words are those of a sync otherwise.
  /// - Returns: The obstacle in English, for display.
  public func words(ofMirror isMirror: Bool) -> String {
    guard isMirror else { return words }
    return switch self {
    case .outsideFilter(.local): "deleted here, but outside of what is copied"
    case .outsideFilter(.remote): "no longer shown, but outside of what is copied; it stays here"
    case .onlyOn(.local): "it is only here, and stays; the mirror did not make it"
    case .notOwn(.local): "the mirror did not make it; it is not changed"
    case .released: "edited or deleted here; it does not follow its original any more"
    case .agreedVersionLost(.remote): "its calendars do not have the copied version any more"
    default: words
    }
  }
}

extension PlanReason.UndoEffect {
  fileprivate var words: String {
    switch self {
    case .recorded: "as the server holds it"
    case .restored: "as it was before the run"
    case .restoredWithLaterEdits: "without the changes of the run; later edits stay"
    case .restoredApart:
      "as it was before the run; the sides differ then, and wait for a choice"
    case .removed(.local): "the run had added it here"
    case .removed(.remote): "the run had added it there"
    }
  }
}

extension ItemObstacle {
  /// The obstacle in English, for display.
  public var words: String {
    switch self {
    case .reported(let text): text
    case .refusedMove(let move, let addition): "\(addition); moving it from there: \(move)"
    case .placeTaken:
      "the remote already holds an event with its UID, which cannot be compared without full access"
    case .noTag: "the remote returns no ETag for the item, so that it cannot be changed safely"
    case .notHeld(let refusal): "the remote cannot hold it: \(refusal.words)"
    case .unreadable(let places):
      (places.isEmpty ? ["one side cannot be read"] : places.map(\.words))
        .joined(separator: ", and ") + "; the item is left alone"
    case .localFile(let reason): "the local file is not changed: \(reason)"
    case .remoteItem(let reason): "the remote item is left alone: \(reason)"
    case .notDelivered: Self.undelivered
    case .stillNotDelivered: "\(Self.undelivered) until it changes"
    case .double(let uid, let chosen):
      "the remote holds the UID \(uid) twice; this one is left alone and \(chosen) is synced"
    case .deletedBesideDouble(let side, let name):
      "deleted \(side.place), but \(name) holds the UID \(side.other.place), too"
    case .deletedBesideOlderFile(let side, let takeover):
      "deleted \(side.place), and \(takeover.words)"
    case .notAnEvent(let isReminder):
      (isReminder ? "reminders need" : "only events can be added; this needs") + " full access"
    case .changedAfterAddition:
      "added earlier and changed here since; changing it there needs full access"
    case .deletedAfterAddition:
      "added earlier and deleted here since; deleting it there needs full access"
    case .deletedAfterInterruption:
      "an add was cut off, and it was deleted here since; whether it is there is not known"
    case .heldBack(let failures, let cause):
      "held back after \(failures) failures: \(cause.words)"
    case .awaitsArrival:
      "it was moved to another calendar, and is not on the remote of that one yet"
    case .awaitsOtherSync: "another sync was cut off while it was adding it, and goes first"
    case .outsideFilter(.local):
      "deleted here, but outside of what is synced; it stays on the remote"
    case .outsideFilter(.remote):
      "deleted on the remote, but outside of what is synced; it stays here"
    case .onlyOn(.local): "it is only here, and stays; \(MergeSide.local.decision)"
    case .onlyOn(.remote): "it is only on the remote, and stays; \(MergeSide.remote.decision)"
    case .notOwn(.local): "this sync did not add it here; it is not changed"
    case .notOwn(.remote):
      "deleted here, but this sync did not add it on the remote; it stays there"
    case .released: "edited or deleted here; it does not follow the remote any more"
    case .agreedVersionLost(let side):
      (side == .local ? "the local calendar" : "the remote")
        + " does not hold the version that both sides agreed on any more"
    case .notUndone(let obstacle): obstacle.words
    }
  }

  private static let undelivered =
    "the remote lists the item but does not return it; it is not changed"
}

extension UndoObstacle {
  fileprivate var words: String {
    switch self {
    case .unreadableSide: "one side cannot be read; \(Self.left)"
    case .unreadableVersion: "a version of it cannot be read; \(Self.left)"
    case .changedSince: "it changed since; \(Self.left)"
    case .otherPartChanged: "another part of the change was changed since; \(Self.left)"
    case .severalFiles:
      "it is in several files of the calendar; move those away that are not wanted; \(Self.left)"
    case .lastCopy:
      "it is the last copy, because the other side does not hold it any more; \(Self.left)"
    case .noTag: "the remote returns no ETag for it; \(Self.left)"
    case .awaitsChoice: "its conflict waits for a choice; \(Self.left)"
    case .sentLater:
      "a later sync sent the chosen version, and the run of that sync can be undone; \(Self.left)"
    case .movedOnServer: "it was moved on the server, which is not taken back; \(Self.left)"
    case .appended: "what was added under write-only access cannot be taken away; \(Self.left)"
    case .unknownBefore: "it is not known what it was before; \(Self.left)"
    case .noCalendar(let path): "its calendar is not at \(path)"
    case .readOnly: "the calendar can only be read"
    }
  }

  private static let left = "it is left alone"
}

extension UnreadablePlace {
  fileprivate var words: String {
    "\(name) \(side.place) cannot be read" + (isGuess ? ", and may be this item" : "")
  }
}

extension FileTakeover {
  fileprivate var words: String {
    "\(known) is gone, and \(name) has another text that is not later"
  }
}

extension MergeSide {
  /// The place of the side in words: `here`, `on the remote`.
  fileprivate var place: String { self == .local ? "here" : "on the remote" }

  /// Why a one-way sync that writes the side decides for the other.
  fileprivate var decision: String {
    self == .local ? "the sync only pulls" : "the sync only pushes"
  }
}

extension MergeConflict {
  /// One line for display: `VEVENT: SUMMARY: edited on both sides; waits`.
  public var words: String { "\(component): \(subject): \(happening)" }

  private var happening: String {
    switch kind {
    case .edits: return "edited on both sides; \(outcome.words)"
    case .deletion: return "edited on one side and deleted on the other; \(outcome.words)"
    case .exclusion:
      return "edited on one side and taken out of the series on the other; \(outcome.words)"
    case .orphan:
      return "edited on one side, and no longer in the series of the other; \(outcome.words)"
    case .move:
      return "edited on one side, and moved to another day by the other; \(outcome.words)"
    case .invalid:
      return "what the sides did goes together in no valid component; \(outcome.words)"
    case .skip:
      return "excluded on one side and split off on the other; the later part, which is an item of "
        + "its own, still has the occurrence"
    case .part:
      return "edited on one side and split on the other; the edit does not reach the later part, "
        + "which is an item of its own"
    case .end where subject == "EXDATE":
      return "excluded on one side, and no longer in the series of the other, which ends earlier; "
        + "an item that continues the series may have the occurrence"
    case .end:
      return "edited on one side and ended earlier on the other; the edit does not reach an item "
        + "that continues the series"
    case .split: return "split on both sides; two items continue the series"
    }
  }
}

extension MergeConflict.Outcome {
  fileprivate var words: String {
    switch self {
    case .waits: "waits"
    case .chosen(let side): "the \(side.rawValue) version is taken"
    case .survived(let side): "the \(side.rawValue) edit survives"
    }
  }
}

extension PlannedOperation {
  /// The change, as the end of a sentence.
  package var phrase: String {
    switch action {
    case .createRemote, .append: "add to the remote"
    case .putBack(let planned): planned.phrase
    case .updateRemote: "update on the remote"
    case .deleteRemote: "delete on the remote"
    case .createLocal: "add here"
    case .updateLocal: "update here"
    case .merge: "merge on both sides"
    case .sendMerged: "merge into the remote"
    case .deleteLocal: "delete here"
    case .record, .forget, .conflict, .skip: verb
    }
  }
}

extension PutBack {
  fileprivate var phrase: String {
    if isRestoring { return "put back on both sides" }
    return switch verb {
    case .createRemote, .append, .moveRemote: "put back on the remote"
    case .updateRemote: "update on the remote"
    case .deleteRemote: "delete on the remote"
    case .createLocal: "put back here"
    case .updateLocal: isLast ? "update here" : "update on both sides"
    case .deleteLocal: isLast ? "delete here" : "delete on both sides"
    }
  }
}

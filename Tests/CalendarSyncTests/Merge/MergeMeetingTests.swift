// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// Checks that the generated edits meet, because laws about conflicts need conflicts.
@Suite("How often generated edits meet")
struct MergeMeetingTests {
  /// A way in which the edits of two sides meet, with its least frequency in a thousand trios.
  private struct Meeting: Sendable {
    let name: String
    let leastOfThousand: Int
    let isIn: @Sendable (MergeTrio, MergeResult) -> Bool

    init(
      _ name: String, atLeast: Int, _ isIn: @escaping @Sendable (MergeTrio, MergeResult) -> Bool
    ) {
      self.name = name
      leastOfThousand = atLeast
      self.isIn = isIn
    }

    /// A conflict of this kind whose subject has this prefix.
    init(
      _ name: String, atLeast: Int, _ kind: MergeConflict.Kind, _ subject: String = "",
      inOverride: Bool? = nil
    ) {
      self.init(name, atLeast: atLeast) { _, result in
        result.conflicts.contains { conflict in
          conflict.kind == kind && conflict.subject.hasPrefix(subject)
            && (inOverride.map { $0 == conflict.component.contains(" ") } ?? true)
        }
      }
    }
  }

  private static let texts = [
    "SUMMARY", "LOCATION", "DESCRIPTION", "COLOR", "X-ODD", "X-LOWER", "URL", "PRIORITY", "CLASS",
  ]

  private static let meetings = [
    Meeting("something waits", atLeast: 150) { !$1.isClean },
    Meeting("nothing waits, and both edited", atLeast: 300) { trio, result in
      result.isClean && trio.local != trio.base && trio.remote != trio.base
    },
    Meeting("a text", atLeast: 20) { _, result in
      result.conflicts.contains { $0.kind == .edits && texts.contains($0.subject) }
    },
    Meeting("the time", atLeast: 30, .edits, "DTSTART"),
    Meeting("the rule", atLeast: 5, .edits, "RRULE"),
    Meeting("the time with the rule", atLeast: 10) { _, result in
      result.conflicts.contains {
        $0.subject.hasPrefix("DTSTART") && $0.subject.contains("RRULE")
      }
    },
    Meeting("how far it is", atLeast: 5, .edits, "STATUS"),
    Meeting("the organizer", atLeast: 10, .edits, "ORGANIZER"),
    Meeting("an attendee", atLeast: 10, .edits, "ATTENDEE"),
    Meeting("an alarm", atLeast: 10, .edits, "VALARM"),
    Meeting("an override", atLeast: 10, .edits, inOverride: true),
    Meeting("what the other side deleted", atLeast: 10, .deletion),
    Meeting("what of an override was deleted", atLeast: 2, .deletion, inOverride: true),
    Meeting("an excluded occurrence", atLeast: 5, .exclusion),
    Meeting("an occurrence that the rule lacks", atLeast: 5, .orphan),
    Meeting("overrides on both sides", atLeast: 30) { trio, _ in
      trio.local.overrides != trio.base.overrides && trio.remote.overrides != trio.base.overrides
    },
    Meeting("a start that moves, and dates", atLeast: 30) { trio, _ in
      let (one, other) = (trio.local, trio.remote)
      return [(one, other), (other, one)].contains { mover, other in
        !mover.startsLike(trio.base)
          && (other.excluded, other.extra) != (trio.base.excluded, trio.base.extra)
      }
    },
    Meeting("an end against a duration", atLeast: 5) { trio, _ in
      trio.local.hasEnd != trio.remote.hasEnd && !trio.local.endsLike(trio.base)
        && !trio.remote.endsLike(trio.base)
    },
    Meeting("two revisions", atLeast: 20) { trio, _ in
      trio.local.revision != trio.base.revision && trio.remote.revision != trio.base.revision
    },
    Meeting("the same edit", atLeast: 50) { trio, _ in
      trio.local.sharesEdit(with: trio.remote, since: trio.base)
    },
    Meeting("a reminder", atLeast: 100) { trio, _ in trio.base.item.kind == .reminder },
  ]

  @Test("Edits meet in each way often")
  func coverage() {
    let count = 400 * iterationFactor
    var found = [Int](repeating: 0, count: Self.meetings.count)
    for seed in 0..<UInt64(count) {
      var random = SeededGenerator(seed: seed)
      let trio = MergeTrio(&random)
      let result = MergeTrio.merge().merge(
        base: trio.base.item, local: trio.local.item, remote: trio.remote.item)
      for (place, meeting) in Self.meetings.enumerated() where meeting.isIn(trio, result) {
        found[place] += 1
      }
    }
    for (meeting, found) in zip(Self.meetings, found) {
      #expect(
        found * 1000 >= meeting.leastOfThousand * count, "\(meeting.name): \(found) of \(count)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

// Worked example (scenario series-split-here-renamed-there). One side split the series at 16 March,
// and the other side, which does not know the later part, renamed the series:
//
//     base    RRULE:FREQ=WEEKLY                                         SUMMARY:Team
//     local   RRULE:FREQ=WEEKLY;COUNT=2  RELATED-TO;RELTYPE=NEXT:later  SUMMARY:Team
//     remote  RRULE:FREQ=WEEKLY                                         SUMMARY:Staff
//     merged  RRULE:FREQ=WEEKLY;COUNT=2  RELATED-TO;RELTYPE=NEXT:later  SUMMARY:Staff
//
// The later part is another item, which keeps the old title. The merge reports that.
//
// Most programs split without the relation, so that the split looks like an earlier end. The merge
// reports that the edit does not reach an item that continues the series, if there is one
// (scenario series-ended-there-renamed-here).

/// The splits of a series since the bases: another item continues the series (RFC 9253 §4.3).
struct SeriesSplits {
  /// The number of occurrences of a series in which its end is looked for.
  private static let limit = 10_000

  /// The identifiers of the later parts that each side split off.
  private let local: Set<String>
  private let remote: Set<String>
  private let versions: AlignedSeries

  init(_ versions: AlignedSeries) {
    func parts(_ main: Component?, since base: Component?) -> Set<String> {
      (main?.laterParts ?? []).subtracting(base?.laterParts ?? [])
    }
    local = parts(versions.local[.main], since: versions.localBase[.main])
    remote = parts(versions.remote[.main], since: versions.remoteBase[.main])
    self.versions = versions
  }

  /// The conflict to report, with the side whose edit applies to the first part only.
  var finding: (kind: MergeConflict.Kind, side: MergeSide)? {
    switch (local.isEmpty, remote.isEmpty) {
    case (true, true): edit(endedBy: .remote) ?? edit(endedBy: .local)
    // The sides are equal, so that the order of the identifiers decides.
    case (false, false) where local.isDisjoint(with: remote):
      (.split, (local.min() ?? "") < (remote.min() ?? "") ? .local : .remote)
    case (false, false): nil
    case (false, true): isEdited(by: .remote) ? (.part, .remote) : edit(endedBy: .remote)
    case (true, false): isEdited(by: .local) ? (.part, .local) : edit(endedBy: .local)
    }
  }

  /// Whether a side ended the rule earlier, and names no item that continues it.
  func isEnded(by side: MergeSide) -> Bool {
    guard (side == .local ? local : remote).isEmpty, let main = now(side), let base = base(side),
      let occurrences = MergedOccurrences(main.without([.rDate]), versions.clock),
      let before = MergedOccurrences(base.without([.rDate]), versions.clock)
    else { return false }
    return occurrences.ends(before: before, limit: Self.limit)
  }

  /// The edit or the split of the other side, if only this side ended the series earlier.
  private func edit(endedBy side: MergeSide) -> (MergeConflict.Kind, MergeSide)? {
    let isSplit = !(side == .local ? remote : local).isEmpty
    guard isSplit || isEdited(by: side.other), isEnded(by: side), !isEnded(by: side.other) else {
      return nil
    }
    return (.end, side.other)
  }

  private func now(_ side: MergeSide) -> Component? {
    side == .local ? versions.local[.main] : versions.remote[.main]
  }

  private func base(_ side: MergeSide) -> Component? {
    side == .local ? versions.localBase[.main] : versions.remoteBase[.main]
  }

  /// Whether a side changed the values of the series.
  private func isEdited(by side: MergeSide) -> Bool {
    guard let main = now(side)?.values, let before = base(side)?.values else { return false }
    return versions.clock.meaning(of: main) != versions.clock.meaning(of: before)
  }
}

extension Component {
  /// The identifiers of the items that continue the series.
  var laterParts: Set<String> {
    Set(
      properties(named: .relatedTo).filter { relation in
        relation[.relationshipType]?.isEqualIgnoringASCIICase(to: "NEXT") == true
      }.map(\.rawValue))
  }

  /// The component without its recurrence, its relations and its bookkeeping.
  fileprivate var values: Component? {
    MergeVersions.withoutRecurrence(withoutBookkeeping)?.without([.relatedTo])
  }
}

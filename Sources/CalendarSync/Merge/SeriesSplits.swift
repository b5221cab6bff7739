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

/// The splits of a series since the bases: another item continues the series (RFC 9253 §4.3).
struct SeriesSplits {
  /// The identifiers of the later parts that each side split off.
  private let local: Set<String>
  private let remote: Set<String>
  /// The sides that changed the values of the series.
  private let edited: Set<MergeSide>

  init(_ versions: AlignedSeries) {
    func parts(_ main: Component?, since base: Component?) -> Set<String> {
      (main?.laterParts ?? []).subtracting(base?.laterParts ?? [])
    }
    local = parts(versions.local[.main], since: versions.localBase[.main])
    remote = parts(versions.remote[.main], since: versions.remoteBase[.main])
    var edited: Set<MergeSide> = []
    func isEdited(_ main: Component?, _ base: Component?) -> Bool {
      guard let main = main?.values, let base = base?.values else { return false }
      return versions.clock.meaning(of: main) != versions.clock.meaning(of: base)
    }
    if isEdited(versions.local[.main], versions.localBase[.main]) { edited.insert(.local) }
    if isEdited(versions.remote[.main], versions.remoteBase[.main]) { edited.insert(.remote) }
    self.edited = edited
  }

  /// The conflict to report, with the side whose edit applies to the first part only.
  var finding: (kind: MergeConflict.Kind, side: MergeSide)? {
    switch (local.isEmpty, remote.isEmpty) {
    case (true, true): nil
    // Either side has the same right; the order of the identifiers is that of both.
    case (false, false) where local.isDisjoint(with: remote):
      (.split, (local.min() ?? "") < (remote.min() ?? "") ? .local : .remote)
    case (false, false): nil
    case (false, true): edited.contains(.remote) ? (.part, .remote) : nil
    case (true, false): edited.contains(.local) ? (.part, .local) : nil
    }
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

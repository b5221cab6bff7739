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
    case (true, true): nil
    // The sides are equal, so that the order of the identifiers decides.
    case (false, false) where local.isDisjoint(with: remote):
      (.split, (local.min() ?? "") < (remote.min() ?? "") ? .local : .remote)
    case (false, false): nil
    case (false, true): isEdited(by: .remote) ? (.part, .remote) : nil
    case (true, false): isEdited(by: .local) ? (.part, .local) : nil
    }
  }

  /// Whether a side changed the values of the series.
  private func isEdited(by side: MergeSide) -> Bool {
    let (now, base) =
      side == .local
      ? (versions.local, versions.localBase) : (versions.remote, versions.remoteBase)
    guard let main = now[.main]?.values, let before = base[.main]?.values else { return false }
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

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The versions of one component in a merge: the current ones and the bases of both sides.
///
/// Each side has its own base, because the base of a server includes its alterations.
struct MergeVersions {
  var localBase: Component?
  var remoteBase: Component?
  var local: Component
  var remote: Component

  /// The existing versions, the current ones first.
  var all: [Component] { [local, remote] + [localBase, remoteBase].compactMap(\.self) }

  /// The side that was modified last, or nil if it is unknown.
  var newest: MergeSide? {
    for name in [PropertyName.lastModified, .dtStamp] {
      guard let here = local[name]?.rawValue, let there = remote[name]?.rawValue else { continue }
      // UTC times have a fixed format, so that their text order is their time order.
      if here != there { return here > there ? .local : .remote }
    }
    return nil
  }
}

/// The settings of a merge.
struct MergeSettings {
  /// The kind of the result.
  enum Purpose {
    /// The combination of both sides' changes.
    case union
    /// The local version, with the base of the conflicting parts instead of their edits.
    case undecided
  }

  let policies: MergePolicies
  var purpose = Purpose.union
  /// The path of the component, for display: `VEVENT 20260302T090000`.
  var path: String
  /// The outcome for the time of an override that depends on the start of the series.
  var outcomeOfTime: MergeConflict.Outcome?
  /// The side whose start applies to an override, if the sides have different starts.
  var sideOfStart: MergeSide?

  /// The outcome of a conflict about a part with these names.
  func outcome(for names: [String], _ versions: MergeVersions) -> MergeConflict.Outcome {
    switch policies.policy(for: names) {
    case .keepBoth: .waits
    case .local: .chosen(.local)
    case .remote: .chosen(.remote)
    case .newest: versions.newest.map { .chosen($0) } ?? .waits
    }
  }
}

extension MergeConflict.Outcome {
  /// The side whose version is in the merged item.
  var side: MergeSide {
    switch self {
    case .waits: .local
    case .chosen(let side), .survived(let side): side
    }
  }
}

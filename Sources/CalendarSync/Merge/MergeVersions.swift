// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The versions of one component that are merged: what each side holds, and what each held.
///
/// Two bases, one a side: what a server rewrote of what it was sent is what it held since.
struct MergeVersions {
  var localBase: Component?
  var remoteBase: Component?
  var local: Component
  var remote: Component

  /// The versions that there are, those of now first.
  var all: [Component] { [local, remote] + [localBase, remoteBase].compactMap(\.self) }

  /// The side that was modified last, or nil if that cannot be told.
  var newest: MergeSide? {
    for name in [PropertyName.lastModified, .dtStamp] {
      guard let here = local[name]?.rawValue, let there = remote[name]?.rawValue else { continue }
      // Times in UTC are of one form: the order of their letters is the order of time.
      if here != there { return here > there ? .local : .remote }
    }
    return nil
  }
}

/// What a merge is told beside the versions.
struct MergeSettings {
  /// What is made of the versions.
  enum Purpose {
    /// What both sides did, put together.
    case union
    /// The local version, but with the base of what waits for a choice: as if nobody had edited it.
    case undecided
  }

  let policies: MergePolicies
  var purpose = Purpose.union
  /// The component for people: `VEVENT 20260302T090000`.
  var path: String
  /// What becomes of the time of an override that goes with the start of the series.
  var outcomeOfTime: MergeConflict.Outcome?
  /// The side whose start an override is reckoned from, if the sides start at different times.
  var sideOfStart: MergeSide?

  /// What becomes of a conflict about something with these names.
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

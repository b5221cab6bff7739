// SPDX-License-Identifier: Apache-2.0

import CalendarSync

extension MergeConflict {
  /// What two conflicts share that are told of the same.
  struct Key: Hashable {
    let kind: Kind
    let component: String
    let subject: String
    let outcome: Outcome
    /// The lines; of dates that move with a start, as the side has them whose start is taken.
    let local: Set<String>
    let remote: Set<String>
  }

  /// What is compared of the conflict; the order of lines does not count.
  var key: Key {
    Key(
      kind: kind, component: component, subject: subject, outcome: outcome, local: Set(local),
      remote: Set(remote))
  }

  /// What is in conflict and what became of it, without the lines.
  var verdict: String { "\(self)" }

  /// The conflict with the sides exchanged.
  var swapped: MergeConflict {
    // Of two kinds of items, the local one is named first.
    let areKinds = kind == .invalid && local.first != remote.first && !component.contains(" ")
    return MergeConflict(
      kind: kind, outcome: outcome.swapped, component: areKinds ? subject : component,
      subject: areKinds ? component : subject, base: base,
      local: remote, remote: local)
  }
}

extension MergeConflict.Outcome {
  /// The outcome with the sides exchanged.
  var swapped: MergeConflict.Outcome {
    switch self {
    case .waits: .waits
    case .chosen(let side): .chosen(side.other)
    case .survived(let side): .survived(side.other)
    }
  }
}

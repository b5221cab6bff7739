// SPDX-License-Identifier: Apache-2.0

import CalendarSync

extension MergeConflict {
  /// What two conflicts share that are told of the same.
  struct Key: Hashable {
    let kind: Kind
    let subject: String
    let outcome: Outcome
    /// The component; nil if each side has another name for it.
    let component: String?
    /// The lines, of each side as it has them; nil if they name what each side names differently.
    let lines: [Set<String>]?
  }

  /// Whether it is about when a series starts.
  var isOfStart: Bool { subject.hasPrefix("DTSTART") && !component.contains(" ") }

  /// What is compared of the conflict; the order of lines does not count.
  func key(withPlace: Bool) -> Key {
    Key(
      kind: kind, subject: subject, outcome: outcome, component: withPlace ? component : nil,
      lines: withPlace ? [Set(local), Set(remote)] : nil)
  }

  /// What is in conflict and what became of it, without the lines.
  func verdict(withPlace: Bool) -> String {
    withPlace ? "\(self)" : "\(kind) \(subject) \(outcome)"
  }

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

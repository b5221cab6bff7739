// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport

/// A generated base with the edits of two people.
///
/// In every other trio, the remote edits are at the places of the local ones, so that they meet.
struct MergeTrio {
  /// A broken law.
  private struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  var base: ItemDraft
  var local: ItemDraft
  var remote: ItemDraft

  static let form = NormalForm(
    zones: ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders)))
  static let policies = [MergePolicy.keepBoth, .local, .remote, .newest]

  init(_ random: inout SeededGenerator) {
    base = ItemDraft.random(&random)
    local = base.edited(&random)
    remote =
      Bool.random(using: &random)
      ? base.edited(meeting: local, &random) : base.edited(&random)
  }

  /// The trio in another notation.
  func spelled(_ random: inout SeededGenerator) -> MergeTrio {
    var copy = self
    copy.base = base.spelled(&random)
    copy.local = local.spelled(&random)
    copy.remote = remote.spelled(&random)
    return copy
  }

  static func merge(_ policy: MergePolicy = .keepBoth) -> ThreeWayMerge {
    ThreeWayMerge(policies: MergePolicies(policy), normalForm: form)
  }

  static func promise(_ holds: Bool, _ words: @autoclosure () -> String) throws {
    if !holds { throw Broken(description: words()) }
  }

  static func text(_ item: CalendarItem) -> String {
    String(decoding: item.serialized(), as: UTF8.self)
  }

  /// The differences between two versions of an item.
  static func rows(_ one: CalendarItem, _ other: CalendarItem) -> [ItemComparison.Row] {
    ItemComparison([one, other], normalForm: form).rows
  }

  /// Both items and their differences, for a message.
  static func difference(_ one: CalendarItem, _ other: CalendarItem) -> String {
    "\(rows(one, other))\n\(text(one))\n\(text(other))"
  }
}

extension ItemDraft {
  /// The item, compared with the time zones of the machine.
  var normal: CalendarItem { item.normalized(by: MergeTrio.form) }
}

extension MergeConflict {
  /// The key of a conflict, for comparing the conflicts of two merges.
  struct Key: Hashable {
    let kind: Kind
    let subject: String
    let outcome: Outcome
    /// The component; nil if the sides identify it differently.
    let component: String?
    /// The lines of each side; nil if they contain names that differ between the sides.
    let lines: [Set<String>]?
  }

  /// Whether the conflict is about the start of a series.
  var isOfStart: Bool { subject.hasPrefix("DTSTART") && !component.contains(" ") }

  /// The key, regardless of the order of lines.
  func key(withPlace: Bool) -> Key {
    Key(
      kind: kind, subject: subject, outcome: outcome, component: withPlace ? component : nil,
      lines: withPlace ? [Set(local), Set(remote)] : nil)
  }

  /// The subject and the outcome, without the lines.
  func verdict(withPlace: Bool) -> String {
    withPlace ? "\(self)" : "\(kind) \(subject) \(outcome)"
  }

  /// The conflict with the sides exchanged.
  var swapped: MergeConflict {
    // A conflict of two kinds of items names the local one first.
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

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport

/// A base and what two people made of it, to try what holds for every merge.
///
/// In every other trio the remote edits are made where the local ones are, so that they meet.
struct MergeTrio {
  /// What does not hold.
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

  /// The same in other words.
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

  /// What two versions of an item say differently.
  static func rows(_ one: CalendarItem, _ other: CalendarItem) -> [ItemComparison.Row] {
    ItemComparison([one, other], normalForm: form).rows
  }

  /// Both items and what they say differently, for a message.
  static func difference(_ one: CalendarItem, _ other: CalendarItem) -> String {
    "\(rows(one, other))\n\(text(one))\n\(text(other))"
  }
}

extension ItemDraft {
  /// The item, compared with the time zones of the machine.
  var normal: CalendarItem { item.normalized(by: MergeTrio.form) }
}

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

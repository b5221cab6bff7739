// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// The laws of every merge, checked with generated items; `forAll` describes how to replay a seed.
@Suite("Properties of the merge")
struct MergePropertyTests {
  private typealias Trio = MergeTrio

  private static let policies = MergeTrio.policies

  private func merge(_ policy: MergePolicy = .keepBoth) -> ThreeWayMerge {
    MergeTrio.merge(policy)
  }

  private func promise(_ holds: Bool, _ words: @autoclosure () -> String) throws {
    try MergeTrio.promise(holds, words())
  }

  private func text(_ item: CalendarItem) -> String { MergeTrio.text(item) }

  @Test("If one side alone edited the item, the result is its version, byte for byte")
  func oneSide() {
    forAll(13) { random in
      let trio = Trio(&random)
      let (base, edit) = (trio.base.item, trio.local.item)
      for policy in Self.policies {
        let here = merge(policy).merge(base: base, local: edit, remote: base)
        try promise(here.item == edit && here.conflicts == [], "merge(b, x, b) is not x")
        let there = merge(policy).merge(base: base, local: base, remote: edit)
        try promise(
          there.item.fingerprint == edit.fingerprint && there.conflicts == [],
          "merge(b, b, x) is not x")
        let both = merge(policy).merge(base: base, local: edit, remote: edit)
        try promise(both.item == edit && both.conflicts == [], "merge(b, x, x) is not x")
      }
    }
  }

  @Test(
    "Exchanging the sides keeps the result and exchanges the conflicts under every policy"
  )
  func swapped() {
    forAll(13) { random in
      let trio = Trio(&random)
      let (base, local, remote) = (trio.base.item, trio.local.item, trio.remote.item)
      for policy in Self.policies {
        let there = merge(policy).merge(base: base, local: local, remote: remote)
        let back = merge(policy.swapped).merge(base: base, local: remote, remote: local)
        if there.isClean {
          try promise(
            there.item.fingerprint == back.item.fingerprint,
            "\(policy) differs:\n\(text(there.item))\n\(text(back.item))")
        }
        // While a start waits, each side identifies the occurrences by its own start.
        let isStarted = !there.conflicts.contains { $0.isWaiting && $0.isOfStart }
        try promise(
          Set(there.conflicts.map { $0.key(withPlace: isStarted) })
            == Set(back.conflicts.map { $0.swapped.key(withPlace: isStarted) }),
          "\(policy) has other conflicts: \(there.conflicts) \(back.conflicts)")
        // Without their places, two conflicts may have equal descriptions, and one of them may exist
        // in one direction only.
        try promise(
          there.conflicts.count == back.conflicts.count,
          "\(policy) has more conflicts one way: \(there.conflicts) \(back.conflicts)")
        try promise(there.isClean == back.isClean, "\(policy) waits only one way")
      }
    }
  }

  @Test("Valid versions have a valid result")
  func valid() {
    let checker = ComponentChecker()
    func errors(_ item: CalendarItem) -> [Diagnostic] {
      item.components.flatMap { checker.diagnostics(for: $0, in: .calendar) }
        .filter { $0.severity == .error }
    }
    forAll(13) { random in
      let trio = Trio(&random)
      for draft in [trio.base, trio.local, trio.remote] {
        try promise(errors(draft.item) == [], "the draft is not valid: \(text(draft.item))")
      }
      for policy in Self.policies {
        for base in [trio.base.item, nil] {
          let result = merge(policy).merge(
            base: base, local: trio.local.item, remote: trio.remote.item)
          try promise(errors(result.item) == [], "invalid:\n\(text(result.item))")
          try promise(isWhole(result.item), "the parts do not go together:\n\(text(result.item))")
          let again = try CalendarItem(
            parsing: result.item.serialized(), normalForm: MergeTrio.form)
          try promise(again.fingerprint == result.item.fingerprint, "it reads as something else")
        }
      }
    }
  }

  /// Whether each occurrence is described once, and all dates have the type of the start.
  ///
  /// A series of days has days, and a series of times has times (RFC 5545 §3.8.4.4, §3.8.5.1,
  /// §3.8.5.2).
  private func isWhole(_ item: CalendarItem) -> Bool {
    func isDay(_ line: Property) -> Bool { line[.value] == ValueType.date.rawValue }
    let names = item.overrides.compactMap { $0[.recurrenceID]?.contentLine }
    guard Set(names).count == item.overrides.count, let main = item.main, let start = main[.dtStart]
    else { return false }
    let dates =
      main.properties(named: .exDate) + main.properties(named: .rDate)
      + item.overrides.compactMap { $0[.recurrenceID] }
    return dates.allSatisfy { isDay($0) == isDay(start) }
  }

  @Test("Merging twice changes nothing")
  func twice() {
    forAll(13) { random in
      let trio = Trio(&random)
      for policy in [MergePolicy.local, .remote] {
        let merge = merge(policy)
        let once = merge.merge(
          base: trio.base.item, local: trio.local.item, remote: trio.remote.item)
        let settled = merge.merge(
          base: trio.remote.item, local: once.item, remote: trio.remote.item)
        try promise(settled.item == once.item, "the remote version was merged before")
        let other = merge.merge(base: trio.local.item, local: trio.local.item, remote: once.item)
        try promise(
          other.item.fingerprint == once.item.fingerprint, "the local version was merged before")
      }
      let waiting = merge().merge(
        base: trio.base.item, local: trio.local.item, remote: trio.remote.item)
      let again = merge().merge(
        base: trio.base.item, local: trio.local.item, remote: trio.remote.item)
      try promise(waiting == again, "two merges of the same give different results")
    }
  }

  @Test("The result has every property that one side alone edited")
  func survival() {
    forAll(20) { random in
      let trio = Trio(&random)
      let result = merge().merge(
        base: trio.base.item, local: trio.local.item, remote: trio.remote.item)
      try promise(result.item.main != nil, "there is no main component")
      guard let main = result.item.main else { return }
      let lines = Set(main.properties.map(\.contentLine))
      for (edit, other) in [(trio.local, trio.remote), (trio.remote, trio.local)] {
        for line in expected(of: edit, alone: other, since: trio.base) {
          try promise(lines.contains(line), "\(line) is lost in\n\(text(result.item))")
        }
        for line in unwanted(of: edit, alone: other, since: trio.base) {
          try promise(!lines.contains(line), "\(line) is still in\n\(text(result.item))")
        }
      }
      try expectLists(trio, in: main)
      guard trio.local.startsLike(trio.base), trio.remote.startsLike(trio.base) else { return }
      try expectOccurrences(trio, in: result.item)
    }
  }

  private func expected(
    of edit: ItemDraft, alone other: ItemDraft, since base: ItemDraft
  ) -> [String] {
    var lines: [String] = []
    for (name, value) in edit.texts
    where base.texts[name] != value && other.texts[name] == base.texts[name] {
      lines.append(ItemDraft.line(name, value))
    }
    for address in edit.addresses {
      let line = edit.attendeeLine(address)
      guard line != base.attendeeLine(address),
        other.attendeeLine(address) == base.attendeeLine(address)
      else { continue }
      lines += line.map { [$0] } ?? []
    }
    return lines
  }

  private func unwanted(
    of edit: ItemDraft, alone other: ItemDraft, since base: ItemDraft
  ) -> [String] {
    base.texts.compactMap { name, value in
      edit.texts[name] == nil && other.texts[name] == value ? ItemDraft.line(name, value) : nil
    }
  }

  /// A set with the additions and removals of both sides.
  private static func united<Element>(
    _ base: Set<Element>, _ local: Set<Element>, _ remote: Set<Element>
  ) -> Set<Element> {
    base.intersection(local).intersection(remote)
      .union(local.subtracting(base)).union(remote.subtracting(base))
  }

  /// Checks that added dates and the overrides that one side alone edited are in the result.
  private func expectOccurrences(_ trio: Trio, in item: CalendarItem) throws {
    let extra = Self.united(trio.base.extra, trio.local.extra, trio.remote.extra)
    let dates = item.main?.properties(named: .rDate).map(\.contentLine) ?? []
    try promise(
      Set(dates) == Set(extra.map { "RDATE" + trio.base.extraTime($0) }), "RDATE is \(dates)")
    for (edit, other) in [(trio.local, trio.remote), (trio.remote, trio.local)] {
      for (week, override) in edit.overrides where override != trio.base.overrides[week] {
        guard other.overrides[week] == trio.base.overrides[week] else { continue }
        let id = "RECURRENCE-ID" + trio.base.recurrenceID(week)
        let found = item.overrides.filter { $0[.recurrenceID]?.contentLine == id }
        try promise(found.count == 1, "\(found.count) overrides of week \(week)")
        let own = edit.item.overrides.first { $0[.recurrenceID]?.contentLine == id }
        try promise(
          found.first?[.summary]?.rawValue == own?[.summary]?.rawValue,
          "the override of \(week) is lost")
      }
    }
  }

  /// Checks that a list has the additions of both sides, and lacks the removals.
  private func expectLists(_ trio: Trio, in main: Component) throws {
    let names = Set(trio.base.lists.keys).union(trio.local.lists.keys).union(trio.remote.lists.keys)
    for name in names {
      let (base, local, remote) = (
        trio.base.lists[name] ?? [], trio.local.lists[name] ?? [], trio.remote.lists[name] ?? []
      )
      var wanted = Self.united(base, local, remote)
      if name == ItemDraft.tag { wanted.insert("always") }
      let properties = main.properties(named: PropertyName(name))
      let found = properties.flatMap { property in
        name == "CATEGORIES"
          ? property.typedValues.values.map { ItemDraft.written($0) } : [property.rawValue]
      }
      try promise(Set(found) == wanted, "\(name) is \(found), not \(wanted)")
      try promise(found.count == wanted.count, "\(name) has a value twice: \(found)")
    }
  }
}

extension ItemDraft {
  fileprivate static func written(_ value: Value) -> String {
    guard case .text(let text) = value else { return "" }
    return TextEscaping.escape(text.string)
  }
}

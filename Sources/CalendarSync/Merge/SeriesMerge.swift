// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

// Worked examples. All events recur weekly with the start 20260302T090000; "ID" is RECURRENCE-ID,
// and "=" is the version of the base.
//
// 1. Each component is merged on its own, with its counterpart of the same occurrence:
//
//        base    VEVENT SUMMARY:Team    VEVENT ID:20260309T090000 LOCATION:Room 1
//        local   VEVENT SUMMARY:Staff   VEVENT =
//        remote  VEVENT =               VEVENT ID:20260309T090000 LOCATION:Room 2
//        merged  VEVENT SUMMARY:Staff   VEVENT ID:20260309T090000 LOCATION:Room 2
//
// 2. An edited override survives its deletion and the exclusion of its occurrence. Both conflicts
//    are reported, and none waits (scenario occurrence-excluded-here-override-edited-there):
//
//        base    VEVENT                 VEVENT ID:20260309T090000 LOCATION:Room 1
//        local   VEVENT EXDATE:20260309T090000
//        remote  VEVENT =               VEVENT ID:20260309T090000 LOCATION:Room 2
//        merged  VEVENT                 VEVENT ID:20260309T090000 LOCATION:Room 2
//
// 3. An edited override is kept and reported as an orphan if the new rule of the other side lacks
//    its occurrence (scenario rule-shortened-here-late-override-edited-there):
//
//        base    VEVENT RRULE:FREQ=WEEKLY;COUNT=10   VEVENT ID:20260316T090000 LOCATION:Room 1
//        local   VEVENT RRULE:FREQ=WEEKLY;COUNT=2    VEVENT =
//        remote  VEVENT =                            VEVENT ID:20260316T090000 LOCATION:Room 2
//        merged  VEVENT RRULE:FREQ=WEEKLY;COUNT=2    VEVENT ID:20260316T090000 LOCATION:Room 2
//
// 4. A part that both sides changed differently waits. `undecided` is the local version with the
//    base of that part, and without the changes of the other side:
//
//        base       VEVENT SUMMARY:Team
//        local      VEVENT SUMMARY:Staff   VEVENT ID:20260309T090000 LOCATION:Room 1
//        remote     VEVENT SUMMARY:Crew    VEVENT ID:20260316T090000 LOCATION:Room 2
//        merged     VEVENT SUMMARY:Staff   and both overrides
//        undecided  VEVENT SUMMARY:Team    VEVENT ID:20260309T090000 LOCATION:Room 1
//
// If a side moved the start of the series, its occurrences have other names than before.
// `AlignedSeries` matches them.

/// The merge of one item: its main component, its overrides, and the relations between them.
///
/// The initializer decides about each component. `merged()` and `undecided` write an item from the
/// decisions.
struct SeriesMerge {
  /// The decision about one component.
  private enum Decision {
    /// Both sides have the component; `merged` is valid, or the version of one side.
    case both(ComponentMerge, merged: Component)
    /// Only the local side has the component.
    case localOnly(Component, isKept: Bool)
    /// Only the remote side has the component, and it is kept.
    case remoteOnly(Component)
  }

  /// The versions of a component in a conflict; nil for those that are not shown.
  private struct Shown {
    var base: Component?
    var local: Component?
    var remote: Component?

    init(base: Component? = nil, local: Component? = nil, remote: Component? = nil) {
      (self.base, self.local, self.remote) = (base, local, remote)
    }

    /// Shows the version of one side.
    init(_ component: Component?, of side: MergeSide, base: Component? = nil) {
      self.init(
        base: base, local: side == .local ? component : nil,
        remote: side == .remote ? component : nil)
    }
  }

  private typealias Merged = [(key: ComponentIdentity, component: Component)]

  private let local: CalendarItem
  private let output: MergedItem
  private let policies: MergePolicies
  /// The components of each version, aligned to the start of the merged series.
  private let versions: AlignedSeries
  /// The main components of both bases, without their recurrence properties.
  private let baseMains: (local: Component?, remote: Component?)
  private let checker = ComponentChecker()
  private var decisions: [(key: ComponentIdentity, decision: Decision)] = []
  /// The overrides that only one side edited or added.
  private var edited: [ComponentIdentity: MergeSide] = [:]
  private var conflicts: [MergeConflict] = []

  private var clock: MergeClock { versions.clock }

  init(
    _ localBase: CalendarItem?, _ remoteBase: CalendarItem?, _ local: CalendarItem,
    _ remote: CalendarItem, by merge: ThreeWayMerge
  ) {
    self.local = local
    output = MergedItem(
      local: local, remote: remote, localBase: localBase, remoteBase: remoteBase)
    policies = merge.policies
    let items = [local, remote] + [localBase, remoteBase].compactMap(\.self)
    versions = AlignedSeries(
      StartAlignment(
        localBase: localBase?.components ?? [], remoteBase: remoteBase?.components ?? [],
        local: local.components, remote: remote.components),
      policies: policies, clock: MergeClock(merge.normalForm, items: items))
    baseMains = (
      MergeVersions.withoutRecurrence(versions.localBase[.main]),
      MergeVersions.withoutRecurrence(versions.remoteBase[.main])
    )
    for key in versions.local.keys + versions.remote.keys.filter({ versions.local[$0] == nil }) {
      note(key)
      if let decision = decide(key) { decisions.append((key, decision)) }
    }
  }

  /// The merged item with the conflicts.
  mutating func merged() -> MergeResult {
    var merged: Merged = decisions.compactMap { key, decision in
      switch decision {
      case .both(_, let component), .localOnly(let component, isKept: true),
        .remoteOnly(let component):
        (key, component)
      case .localOnly(_, isKept: false): nil
      }
    }
    followSeries(in: &merged)
    settleExclusions(in: &merged)
    reportOrphans(in: merged)
    reportMoves(in: merged)
    reportSplits()
    guard let item = output.item(of: merged.map(\.component)) else {
      report(.invalid, .waits, subject: local.kind.rawValue, Shown())
      return MergeResult(item: local, conflicts: conflicts)
    }
    return MergeResult(item: item, conflicts: conflicts)
  }

  /// The local version with the base of the parts that wait for the user.
  var undecided: CalendarItem {
    let components = decisions.compactMap { _, decision -> Component? in
      switch decision {
      case .both(let merge, _): undecided(merge)
      case .localOnly(let component, _): component
      case .remoteOnly: nil
      }
    }
    return output.item(of: versions.withOwnStart(components)) ?? local
  }

  // MARK: Components

  private mutating func decide(_ key: ComponentIdentity) -> Decision? {
    let localBase = versions.localBase[key]
    let remoteBase = versions.remoteBase[key]
    switch (versions.local[key], versions.remote[key]) {
    case (let here?, let there?): return merged(key, here, there)
    case (let here?, nil):
      let isKept = stays(key, here, localBase, wasOnOtherSide: remoteBase != nil, .local)
      return .localOnly(here, isKept: isKept)
    case (nil, let there?):
      let isKept = stays(key, there, remoteBase, wasOnOtherSide: localBase != nil, .remote)
      return isKept ? .remoteOnly(there) : nil
    case (nil, nil): return nil
    }
  }

  /// Whether a component that is missing on one side is kept: an edit overrides a deletion.
  private mutating func stays(
    _ key: ComponentIdentity, _ component: Component, _ base: Component?, wasOnOtherSide: Bool,
    _ side: MergeSide
  ) -> Bool {
    guard wasOnOtherSide, let base else { return true }
    guard isEdited(component, base, key, side) else { return false }
    report(
      .deletion, .survived(side), subject: component.name.canonicalName,
      Shown(component, of: side, base: base))
    return true
  }

  private mutating func merged(
    _ key: ComponentIdentity, _ here: Component, _ there: Component
  ) -> Decision {
    var parts = MergeVersions(
      localBase: versions.localBase[key], remoteBase: versions.remoteBase[key], local: here,
      remote: there)
    parts.implyBases(baseMains.local, baseMains.remote, clock)
    let layout = MergeLayout(
      of: parts.all, component: here.name, isFused: key == .main && versions.isFused, clock: clock)
    let settings = MergeSettings(
      policies: policies, path: path(of: here), outcomeOfTime: versions.outcomeOfTime(key),
      sideOfStart: key == .main ? nil : versions.sideOfStart)
    let merge = ComponentMerge(parts, layout, settings)
    let result = named(merge.merged, as: there)
    guard isPossible(result, parts) else {
      let outcome = settings.outcome(for: [here.name.canonicalName], parts)
      report(
        .invalid, outcome, subject: here.name.canonicalName,
        Shown(base: parts.localBase, local: here, remote: there))
      return .both(merge, merged: outcome.side == .local ? here : there)
    }
    conflicts += merge.conflicts
    return .both(merge, merged: result)
  }

  /// The local component with the base of its waiting parts, or its base if the parts do not fit.
  private func undecided(_ merge: ComponentMerge) -> Component {
    let parts = merge.versions
    let result = named(merge.undecided, as: parts.remote)
    guard !isPossible(result, parts) else { return result }
    let outcome = merge.settings.outcome(for: [parts.local.name.canonicalName], parts)
    return outcome == .waits ? parts.localBase ?? parts.local : parts.local
  }

  /// Whether a merged component is valid, or a side is invalid as well.
  private func isPossible(_ component: Component, _ parts: MergeVersions) -> Bool {
    isValid(component) || !isValid(parts.local) || !isValid(parts.remote)
  }

  /// The override with the RECURRENCE-ID of the other side, if only that has the type of DTSTART.
  ///
  /// In a series of dates, a side may identify an occurrence by a time (RFC 5545 §3.8.4.4).
  private func named(_ override: Component, as other: Component) -> Component {
    guard let start = clock.time(of: override[.dtStart]),
      let own = clock.time(of: override[.recurrenceID]),
      let id = other[.recurrenceID], let theirs = clock.time(of: id),
      own.isAllDay != start.isAllDay, theirs.isAllDay == start.isAllDay
    else { return override }
    var result = override
    result[.recurrenceID] = id
    return result
  }

  private func isValid(_ component: Component) -> Bool {
    !checker.diagnostics(for: component, in: .calendar).contains { $0.severity == .error }
  }

  // MARK: Occurrences

  /// Records the side that edited or added an override.
  private mutating func note(_ key: ComponentIdentity) {
    guard key != .main else { return }
    let isEditedHere = isEdited(versions.local[key], versions.localBase[key], key, .local)
    let isEditedThere = isEdited(versions.remote[key], versions.remoteBase[key], key, .remote)
    if isEditedHere != isEditedThere { edited[key] = isEditedHere ? .local : .remote }
  }

  private func isEdited(
    _ override: Component?, _ base: Component?, _ key: ComponentIdentity, _ side: MergeSide
  ) -> Bool {
    guard let override else { return false }
    return meaning(override) != base.map(meaning) || versions.isEdited(key, by: side)
  }

  /// Lets overrides that only one side added follow the other side's edit of the series.
  private func followSeries(in merged: inout Merged) {
    guard conflicts.allSatisfy({ $0.kind != .edits }), versions.haveStartsOfOneKind else { return }
    // A server that drops overrides had them in the base of this side only.
    let added = merged.indices.filter { place in
      let key = merged[place].key
      return key != .main && (versions.local[key] == nil) != (versions.remote[key] == nil)
        && versions.localBase[key] == nil && versions.remoteBase[key] == nil
    }
    guard !added.isEmpty else { return }
    let edits = (
      local: FollowingOverride(
        base: baseMains.local, before: baseMains.remote, after: versions.remote[.main], clock),
      remote: FollowingOverride(
        base: baseMains.remote, before: baseMains.local, after: versions.local[.main], clock)
    )
    for place in added {
      let edit = versions.local[merged[place].key] == nil ? edits.remote : edits.local
      guard let followed = edit?.followed(merged[place].component), isValid(followed) else {
        continue
      }
      merged[place].component = followed
    }
  }

  /// Removes the EXDATE of one side for an occurrence that the other side edited.
  private mutating func settleExclusions(in merged: inout Merged) {
    guard let place = merged.firstIndex(where: { $0.key == .main }) else { return }
    let here = versions.exclusions(by: .local)
    let there = versions.exclusions(by: .remote)
    var takenBack: Set<OccurrenceKey> = []
    for key in merged.map(\.key) {
      guard let side = edited[key] else { continue }
      let (own, other) = side == .local ? (here, there) : (there, here)
      guard other.contains(key.occurrence), !own.contains(key.occurrence) else { continue }
      takenBack.insert(key.occurrence)
      reportOverride(key, of: side, .exclusion, subject: "EXDATE")
    }
    guard !takenBack.isEmpty else { return }
    merged[place].component = versions.main(merged[place].component, without: takenBack)
  }

  /// Reports edited overrides whose occurrences are missing in the other side's rule, and
  /// exclusions beyond the end of a series that the other side split.
  private mutating func reportOrphans(in merged: Merged) {
    guard let main = merged.first(where: { $0.key == .main })?.component,
      let side = versions.sideOfRule
    else { return }
    let overrides = merged.filter { edited[$0.key] == side.other }
    let isSplit = !main.laterParts.isEmpty
    var excluded = versions.exclusions(by: side.other)
    if !excluded.isEmpty, !isSplit, !SeriesSplits(versions).isEnded(by: side) { excluded = [] }
    guard !overrides.isEmpty || !excluded.isEmpty, let series = MergedOccurrences(main, clock)
    else { return }
    for (key, override) in overrides where series.lacks(override) {
      reportOverride(key, of: side.other, .orphan, subject: "RRULE")
    }
    // The item that continues the series has the occurrence. Without a relation it is not known.
    let isLost = main.properties(named: .exDate).contains { line in
      line.listValues.contains { value in
        guard let time = clock.time(of: line.with(rawValue: value)) else { return false }
        return excluded.contains(clock.occurrence(at: time)) && series.lacks(time)
      }
    }
    guard isLost else { return }
    let own = side.other == .local ? versions.local[.main] : versions.remote[.main]
    let kind: MergeConflict.Kind = isSplit ? .skip : .end
    report(kind, .survived(side.other), subject: "EXDATE", Shown(own, of: side.other))
  }

  /// Reports edited overrides that moved with their series to another day.
  private mutating func reportMoves(in merged: Merged) {
    guard conflicts.allSatisfy({ !$0.isWaiting }), versions.isFused,
      let side = versions.sideOfStart?.other
    else { return }
    let moved = versions.movedToOtherDay(of: side)
    for key in merged.map(\.key) where edited[key] == side && moved.contains(key) {
      reportOverride(key, of: side, .move, subject: "RECURRENCE-ID")
    }
  }

  /// Reports an edit that does not reach the later part of a split series, and two splits.
  private mutating func reportSplits() {
    guard let (kind, side) = SeriesSplits(versions).finding else { return }
    // A contested rule is reported already.
    let isRuleContested = conflicts.contains { $0.kind == .edits && $0.subject.contains("RRULE") }
    guard kind != .end || !isRuleContested else { return }
    let own = side == .local ? versions.local[.main] : versions.remote[.main]
    let base = side == .local ? versions.localBase[.main] : versions.remoteBase[.main]
    report(kind, .survived(side), subject: "RRULE", Shown(own, of: side, base: base))
  }

  // MARK: Conflicts

  /// Reports an override of one side that conflicts with a change of the other side.
  private mutating func reportOverride(
    _ key: ComponentIdentity, of side: MergeSide, _ kind: MergeConflict.Kind, subject: String
  ) {
    let override = side == .local ? versions.local[key] : versions.remote[key]
    report(kind, .survived(side), subject: subject, Shown(override, of: side))
  }

  private mutating func report(
    _ kind: MergeConflict.Kind, _ outcome: MergeConflict.Outcome, subject: String, _ shown: Shown
  ) {
    conflicts.append(
      MergeConflict(
        kind: kind, outcome: outcome, component: path(of: shown.local ?? shown.remote),
        subject: subject, base: shown.base?.contentLines ?? [],
        local: shown.local?.contentLines ?? [], remote: shown.remote?.contentLines ?? []))
  }

  /// The path of a component, for display.
  private func path(of component: Component?) -> String {
    guard let id = component?[.recurrenceID] else { return local.kind.rawValue }
    return "\(local.kind.rawValue) \(id.rawValue)"
  }

  /// The meaning of a component without its bookkeeping properties.
  private func meaning(_ component: Component) -> SHA256.Digest {
    clock.meaning(of: component.withoutBookkeeping)
  }
}

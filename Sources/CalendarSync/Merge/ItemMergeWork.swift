// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax

/// The merge of one item: its components, and the relations between them.
struct ItemMergeWork {
  typealias Components = KeyedComponents<ComponentKey>

  let local: CalendarItem
  let remote: CalendarItem
  private let localBaseItem: CalendarItem?
  private let remoteBaseItem: CalendarItem?
  let policies: MergePolicies
  private let purpose: MergeSettings.Purpose
  /// The components of each version, adjusted to the start of the merged series.
  let versions: SeriesVersions
  private var clock: MergeClock { versions.clock }
  /// The main components of both bases, without their recurrence properties.
  private let baseMains: (local: Component?, remote: Component?)
  private let checker = ComponentChecker()
  var conflicts: [MergeConflict] = []
  /// The overrides that only one side edited or added.
  private var edited: [ComponentKey: MergeSide] = [:]

  init(
    localBase: CalendarItem?, remoteBase: CalendarItem?, local: CalendarItem, remote: CalendarItem,
    policies: MergePolicies, purpose: MergeSettings.Purpose, form: NormalForm
  ) {
    self.local = local
    self.remote = remote
    localBaseItem = localBase
    remoteBaseItem = remoteBase
    self.policies = policies
    self.purpose = purpose
    versions = SeriesVersions(
      localBase: localBase?.components, remoteBase: remoteBase?.components,
      local: local.components, remote: remote.components, policies: policies,
      clock: MergeClock(
        form, items: [local, remote] + [localBase, remoteBase].compactMap(\.self)))
    baseMains = (
      MergeVersions.withoutRecurrence(versions.localBase[.main]),
      MergeVersions.withoutRecurrence(versions.remoteBase[.main])
    )
  }

  /// The merged item.
  mutating func result() -> MergeResult {
    var keys = versions.local.keys
    if purpose == .union { keys += versions.remote.keys.filter { versions.local[$0] == nil } }
    var merged: [(key: ComponentKey, component: Component)] = []
    for key in keys {
      if let component = component(key) { merged.append((key, component)) }
    }
    if purpose == .union {
      settleExclusions(in: &merged)
      reportOrphans(in: merged)
    }
    var components = merged.map(\.component)
    if purpose == .undecided { components = versions.reckonedFromOwnStart(components) }
    guard !components.isEmpty, let item = item(of: components) else {
      report(.main, "\(local.kind.rawValue)", .invalid, .waits, nil, nil, nil)
      return MergeResult(item: local, conflicts: conflicts)
    }
    return MergeResult(item: item, conflicts: conflicts)
  }

  // MARK: Components

  private mutating func component(_ key: ComponentKey) -> Component? {
    let localBase = versions.localBase[key]
    let remoteBase = versions.remoteBase[key]
    switch (versions.local[key], versions.remote[key]) {
    case (let here?, let there?):
      note(key, here, localBase, there, remoteBase)
      return merged(key, here, there)
    case (let here?, nil):
      if purpose == .undecided { return here }
      note(key, here, localBase, nil, nil)
      return stays(key, here, localBase, wasOnOtherSide: remoteBase != nil, .local) ? here : nil
    case (nil, let there?):
      note(key, nil, nil, there, remoteBase)
      return stays(key, there, remoteBase, wasOnOtherSide: localBase != nil, .remote) ? there : nil
    case (nil, nil): return nil
    }
  }

  /// Whether a component that is missing on one side is kept: an edit overrides a deletion.
  private mutating func stays(
    _ key: ComponentKey, _ component: Component, _ base: Component?, wasOnOtherSide: Bool,
    _ side: MergeSide
  ) -> Bool {
    guard wasOnOtherSide, let base else { return true }
    guard meaning(component) != meaning(base) || versions.isEdited(key, by: side) else {
      return false
    }
    report(
      key, component.name.canonicalName, .deletion, .survived(side), base,
      side == .local ? component : nil, side == .remote ? component : nil)
    return true
  }

  private mutating func merged(
    _ key: ComponentKey, _ here: Component, _ there: Component
  ) -> Component {
    var parts = MergeVersions(
      localBase: versions.localBase[key], remoteBase: versions.remoteBase[key], local: here,
      remote: there)
    parts.implyBases(baseMains.local, baseMains.remote, clock)
    let layout = MergeLayout(
      of: parts.all, component: here.name, isFused: key == .main && versions.isFused, clock: clock)
    let settings = MergeSettings(
      policies: policies, purpose: purpose, path: path(of: key, here),
      outcomeOfTime: versions.outcomeOfTime(key),
      sideOfStart: key == .main ? nil : versions.sideOfStart)
    var merge = ComponentMerge(parts, layout, settings)
    let result = named(merge.merged(), as: there)
    guard isValid(result) || !isValid(here) || !isValid(there) else {
      let outcome = settings.outcome(for: [here.name.canonicalName], parts)
      report(key, here.name.canonicalName, .invalid, outcome, parts.localBase, here, there)
      if purpose == .undecided { return outcome == .waits ? parts.localBase ?? here : here }
      return outcome.side == .local ? here : there
    }
    conflicts += merge.conflicts
    return result
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
  private mutating func note(
    _ key: ComponentKey, _ here: Component?, _ localBase: Component?, _ there: Component?,
    _ remoteBase: Component?
  ) {
    guard key != .main else { return }
    let isEditedHere =
      here.map { meaning($0) != localBase.map(meaning) || versions.isEdited(key, by: .local) }
      ?? false
    let isEditedThere =
      there.map { meaning($0) != remoteBase.map(meaning) || versions.isEdited(key, by: .remote) }
      ?? false
    if isEditedHere != isEditedThere { edited[key] = isEditedHere ? .local : .remote }
  }

  /// Removes the EXDATE of one side for an occurrence that the other side edited.
  private mutating func settleExclusions(
    in merged: inout [(key: ComponentKey, component: Component)]
  ) {
    guard let place = merged.firstIndex(where: { $0.key == .main }) else { return }
    let here = versions.exclusions(by: .local)
    let there = versions.exclusions(by: .remote)
    var takenBack: Set<OccurrenceKey> = []
    for key in merged.map(\.key) {
      guard let side = edited[key] else { continue }
      let (own, other) = side == .local ? (here, there) : (there, here)
      guard other.contains(key.occurrence), !own.contains(key.occurrence) else { continue }
      takenBack.insert(key.occurrence)
      report(key, "EXDATE", .exclusion, of: side)
    }
    guard !takenBack.isEmpty else { return }
    merged[place].component = versions.main(merged[place].component, without: takenBack)
  }

  /// Reports edited overrides whose occurrences are missing in the other side's rule.
  private mutating func reportOrphans(
    in merged: [(key: ComponentKey, component: Component)]
  ) {
    guard let main = merged.first(where: { $0.key == .main })?.component,
      let side = versions.sideOfRule
    else { return }
    let overrides = merged.filter { edited[$0.key] == side.other }
    guard !overrides.isEmpty, let series = MergedSeries(main, clock) else { return }
    for (key, override) in overrides where series.lacks(override) {
      report(key, "RRULE", .orphan, of: side.other)
    }
  }

  // MARK: Results

  private func item(of components: [Component]) -> CalendarItem? {
    let zones = timeZones(usedBy: components)
    if components == local.components, zones == local.timeZones { return local }
    do throws(ItemError) {
      return try local.replacing(components: components, timeZones: zones)
    } catch {
      return nil
    }
  }

  /// The definitions of both sides; a changed definition takes precedence, and then the local one.
  private func timeZones(usedBy components: [Component]) -> [Component] {
    let used = components.reduce(into: Set()) { $0.formUnion($1.usedTimeZones) }
    var zones = local.timeZones
    var places = Self.placesByName(in: zones)
    let localBases = (localBaseItem?.timeZones).map(ZoneDefinitions.init) ?? ZoneDefinitions([])
    let remoteBases = (remoteBaseItem?.timeZones).map(ZoneDefinitions.init) ?? ZoneDefinitions([])
    for zone in remote.timeZones {
      guard let name = zone[.tzID]?.text else { continue }
      guard let place = places[name] else {
        guard used.contains(name) else { continue }
        places[name] = zones.count
        zones.append(zone)
        continue
      }
      if zones[place] == localBases[name], zone != remoteBases[name] { zones[place] = zone }
    }
    return zones
  }

  /// The index of the first definition of each name.
  private static func placesByName(in zones: [Component]) -> [String: Int] {
    var places: [String: Int] = [:]
    for (place, zone) in zones.enumerated() {
      guard let name = zone[.tzID]?.text, places[name] == nil else { continue }
      places[name] = place
    }
    return places
  }

  /// Reports an override of one side that conflicts with a change of the other side.
  private mutating func report(
    _ key: ComponentKey, _ subject: String, _ kind: MergeConflict.Kind, of side: MergeSide
  ) {
    report(
      key, subject, kind, .survived(side), nil, side == .local ? versions.local[key] : nil,
      side == .remote ? versions.remote[key] : nil)
  }

  private mutating func report(
    _ key: ComponentKey, _ subject: String, _ kind: MergeConflict.Kind,
    _ outcome: MergeConflict.Outcome, _ base: Component?, _ local: Component?, _ remote: Component?
  ) {
    conflicts.append(
      MergeConflict(
        kind: kind, outcome: outcome, component: path(of: key, local ?? remote), subject: subject,
        base: base?.contentLines ?? [], local: local?.contentLines ?? [],
        remote: remote?.contentLines ?? []))
  }

  private func path(of key: ComponentKey, _ component: Component?) -> String {
    guard let id = component?[.recurrenceID] else { return local.kind.rawValue }
    return "\(local.kind.rawValue) \(id.rawValue)"
  }

  /// The meaning of a component without its bookkeeping properties.
  private func meaning(_ component: Component) -> SHA256.Digest {
    clock.meaning(of: component.withoutBookkeeping)
  }
}

extension EventTime {
  /// The same kind of time in the same zone, with another local time.
  func moved(to wall: CivilDateTime) -> EventTime {
    switch self {
    case .date: .date(wall.date)
    case .floating: .floating(wall)
    case .utc: .utc(wall)
    case .zoned(_, let tzID): .zoned(wall, tzID: tzID)
    }
  }
}

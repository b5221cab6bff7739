// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Merges the versions of one component, property by property.
///
/// The merge has two passes. The first one decides about each part; a part that both sides changed
/// differently waits for the user, unless a policy decides. The second one writes a component from
/// these decisions:
///
/// - `merged` is the local version with the decisions. Properties without local changes keep their
///   positions byte for byte. Remote properties replace their local counterparts, or follow their
///   remote predecessors. Waiting parts have the local version.
/// - `undecided` is the local version with the base of the waiting parts.
///
/// ```
/// base      SUMMARY:Review     LOCATION:Room 1    PRIORITY:5
/// local     SUMMARY:Report     LOCATION:Room 1    PRIORITY:3
/// remote    SUMMARY:Meeting    LOCATION:Room 2    PRIORITY:5
/// decision  waits              remote             local
/// merged    SUMMARY:Report     LOCATION:Room 2    PRIORITY:3
/// undecided SUMMARY:Review     LOCATION:Room 1    PRIORITY:3
/// ```
struct ComponentMerge {
  /// The properties of a part in a written component.
  enum Choice {
    /// Keep the local properties.
    case local
    /// Use the remote properties.
    case remote
    /// Remove the properties.
    case neither
    /// Use these properties: merged from both sides, or those of the base.
    case made([Property])
    /// Keep this number of equal values.
    case count(Int)
  }

  let versions: MergeVersions
  let settings: MergeSettings
  private let changes: ComponentChanges
  private var nested: (merged: [Component], undecided: [Component]) = ([], [])
  /// The decision for each part.
  private var choices: [MergeKey: Choice] = [:]
  /// The parts that wait for the user, with their base.
  private var waiting: [MergeKey: Choice] = [:]
  private(set) var conflicts: [MergeConflict] = []

  private var local: MergeParts { changes.local }
  private var remote: MergeParts { changes.remote }
  private var localBase: MergeParts { changes.localBase }
  private var remoteBase: MergeParts { changes.remoteBase }

  init(_ versions: MergeVersions, _ layout: MergeLayout, _ settings: MergeSettings) {
    self.versions = versions
    self.settings = settings
    changes = ComponentChanges(versions, layout)
    for key in local.keys + remote.keys where choices[key] == nil {
      choices[key] = decide(key)
    }
    let nested = NestedMerge(versions, layout.clock, settings, title: outcomeOfTitle)
    self.nested = (nested.merged, nested.undecided)
    conflicts += nested.conflicts
  }

  /// The outcome for the title.
  private var outcomeOfTitle: MergeConflict.Outcome {
    let key = MergeKey.single(.summary)
    if waiting[key] != nil { return .waits }
    if case .remote? = choices[key] { return .chosen(.remote) }
    return .chosen(.local)
  }

  /// The local version with the decisions.
  var merged: Component { component(choices, nested.merged) }

  /// The local version with the base of the waiting parts.
  var undecided: Component {
    var own: [MergeKey: Choice] = [:]
    for key in local.keys {
      own[key] = waiting[key] ?? (key.isElement ? .count(local[key].count) : .local)
    }
    return component(own, nested.undecided)
  }

  private func component(_ choices: [MergeKey: Choice], _ nested: [Component]) -> Component {
    var result = versions.local
    let properties = MergeAssembly(local: local, remote: remote, choices: choices).properties
    if let properties { result.properties = PropertyList(properties) }
    if nested != Array(result.components) { result.components = ComponentList(nested) }
    return result
  }

  // MARK: Decisions

  private mutating func decide(_ key: MergeKey) -> Choice {
    switch key {
    case .bookkeeping(let name): return bookkeeping(name)
    case .moment, .element: return .count(count(of: key))
    case .group, .single, .person: break
    }
    // The conflict is reported for the start of the series.
    if settings.outcomeOfTime == .waits, key == .group(.time) {
      if !localBase[key].isEmpty { waiting[key] = .made(localBase[key]) }
      return .local
    }
    guard local.meaning(of: key) != remote.meaning(of: key) else { return .local }
    if key == .group(.progress), let side = changes.sideThatAdvanced {
      return progress(ofSeriesAdvancedBy: side)
    }
    switch (changes.isChanged(key, by: .local), changes.isChanged(key, by: .remote)) {
    case (false, false):
      // A server's alteration is not copied; a time follows the start of the series.
      let side = settings.outcomeOfTime?.side ?? settings.sideOfStart
      return key == .group(.time) && side == .remote && !remote[key].isEmpty ? .remote : .local
    case (true, false): return .local
    case (false, true): return remote[key].isEmpty ? .neither : taken(key)
    case (true, true): return contest(key)
    }
  }

  /// The progress of a recurring reminder whose series one side advanced.
  ///
  /// That of the other side is of the occurrence that is done: the next occurrence is open. If the
  /// other side changed the times or the rule as well, the progress belongs to them.
  private mutating func progress(ofSeriesAdvancedBy side: MergeSide) -> Choice {
    let key = MergeKey.group(.progress)
    guard changes.isChanged(key, by: side.other) else {
      return side == .local ? .local : remote[key].isEmpty ? .neither : .remote
    }
    guard [MergeGroup.time, .rule, .series].contains(where: { changes.isContested($0) }) else {
      report(key, .edits, .survived(side))
      return side == .local ? .local : remote[key].isEmpty ? .neither : .remote
    }
    let outcome = settings.outcome(for: changes.names(of: key), versions)
    report(key, .edits, outcome)
    if outcome == .waits { waiting[key] = .made(localBase[key]) }
    return outcome.side == .local ? .local : .remote
  }

  /// The remote version of a part that only the remote changed.
  ///
  /// The parameters of an attendee that the remote never had stay.
  private func taken(_ key: MergeKey) -> Choice {
    guard localBase.meaning(of: key) != remoteBase.meaning(of: key),
      let person = person(key), person.isClean
    else { return .remote }
    return .made([person.merged(.local)])
  }

  private func person(_ key: MergeKey) -> PersonMerge? {
    PersonMerge(
      local: local[key], remote: remote[key], localBase: localBase[key],
      remoteBase: remoteBase[key], clock: changes.layout.clock)
  }

  /// Resolves different changes of both sides to the same part.
  private mutating func contest(_ key: MergeKey) -> Choice {
    // An implied value equals a missing one, so that writing it counts as a deletion.
    if local.meaning(of: key).isEmpty {
      report(key, .deletion, .survived(.remote))
      return .remote
    }
    if remote.meaning(of: key).isEmpty {
      report(key, .deletion, .survived(.local))
      return .local
    }
    let side = firstCompletion(of: key) ?? changes.furtherAdvance(of: key)
    if let side { return side == .local ? .local : .remote }
    let person = person(key)
    if let person, person.isClean { return .made([person.merged(.local)]) }
    let outcome = settings.outcome(for: changes.names(of: key), versions)
    report(key, .edits, outcome)
    if outcome == .waits {
      let base = person.map { [$0.undecided] } ?? localBase[key]
      waiting[key] = base.isEmpty ? .neither : .made(base)
    }
    if let person { return .made([person.merged(outcome.side)]) }
    return outcome.side == .local ? .local : .remote
  }

  /// The side that completed a reminder first, if both sides completed it and nothing else differs.
  ///
  /// A base with COMPLETED is none: the time of a completion was edited on both sides.
  private func firstCompletion(of key: MergeKey) -> MergeSide? {
    guard key == .group(.progress) else { return nil }
    func completion(_ parts: MergeParts) -> Property? {
      parts[key].first { $0.name == .completed }
    }
    guard completion(localBase) == nil, completion(remoteBase) == nil,
      let here = completion(local), let there = completion(remote),
      case .dateTime(let first, isUTC: true)? = here.typedValues.first,
      case .dateTime(let second, isUTC: true)? = there.typedValues.first,
      // Servers write the properties in their own order.
      Set(local[key].filter { $0.name != .completed })
        == Set(remote[key].filter { $0.name != .completed })
    else { return nil }
    return first <= second ? .local : .remote
  }

  /// The merged number of a repeated value, which applies the additions and removals of both sides.
  private func count(of key: MergeKey) -> Int {
    let here = local[key].count
    let there = remote[key].count
    let localStep = here - localBase[key].count
    let remoteStep = there - remoteBase[key].count
    if remoteStep == 0 { return here }
    // A value that one side added and the other side always had is not duplicated.
    if localStep >= 0, remoteStep > 0 { return max(here, there) }
    if localStep < 0, remoteStep < 0 { return min(here, there) }
    return max(0, here + remoteStep)
  }

  private func bookkeeping(_ name: PropertyName) -> Choice {
    let key = MergeKey.bookkeeping(name)
    guard let here = local[key].first else {
      // A value that the server added long ago is not copied.
      let isKnown = localBase[key].isEmpty && remote[key] == remoteBase[key]
      return isKnown ? .local : .remote
    }
    guard let there = remote[key].first, let rule = MergeBookkeeping.rule(for: name) else {
      return .local
    }
    // A new organizer starts a new numbering, so that the number follows the organizer (RFC 5546
    // §2.1.4).
    if name == .sequence, let side = changes.sideThatChanged(.organizer),
      isRenumbered(by: side)
    {
      return side == .local ? .local : .remote
    }
    return rule.prefersRemote(there, to: here) ? .remote : .local
  }

  private func isRenumbered(by side: MergeSide) -> Bool {
    let key = MergeKey.bookkeeping(.sequence)
    switch side {
    case .local: return number(local[key]) != number(localBase[key])
    case .remote: return number(remote[key]) != number(remoteBase[key])
    }
  }

  /// The revision number; a missing SEQUENCE is 0 (RFC 5545 §3.8.7.4), which some servers write.
  private func number(_ properties: [Property]) -> Int {
    properties.first.map(MergeBookkeeping.number) ?? 0
  }

  // MARK: Reports

  private mutating func report(
    _ key: MergeKey, _ kind: MergeConflict.Kind, _ outcome: MergeConflict.Outcome
  ) {
    let base = localBase[key].isEmpty ? remoteBase[key] : localBase[key]
    conflicts.append(
      MergeConflict(
        kind: kind, outcome: outcome, component: settings.path,
        subject: changes.subject(of: key), base: base.map(\.contentLine),
        local: local[key].map(\.contentLine), remote: remote[key].map(\.contentLine)))
  }
}

/// The parts of one component that each side changed since its base.
struct ComponentChanges {
  let layout: MergeLayout
  let local: MergeParts
  let remote: MergeParts
  let localBase: MergeParts
  let remoteBase: MergeParts
  private let versions: MergeVersions

  init(_ versions: MergeVersions, _ layout: MergeLayout) {
    self.versions = versions
    self.layout = layout
    local = MergeParts(of: versions.local, layout)
    remote = MergeParts(of: versions.remote, layout)
    localBase = MergeParts(of: versions.localBase, layout)
    remoteBase = MergeParts(of: versions.remoteBase, layout)
  }

  init(_ versions: MergeVersions, isFused: Bool, _ clock: MergeClock) {
    self.init(
      versions,
      MergeLayout(
        of: versions.all, component: versions.local.name, isFused: isFused, clock: clock))
  }

  /// Whether a side changed a part.
  func isChanged(_ key: MergeKey, by side: MergeSide) -> Bool {
    switch side {
    case .local: local.meaning(of: key) != localBase.meaning(of: key)
    case .remote: remote.meaning(of: key) != remoteBase.meaning(of: key)
    }
  }

  /// The side that alone changed a group; nil if neither or both did.
  func sideThatChanged(_ group: MergeGroup) -> MergeSide? {
    switch (isChanged(.group(group), by: .local), isChanged(.group(group), by: .remote)) {
    case (true, false): .local
    case (false, true): .remote
    default: nil
    }
  }

  /// Whether both sides changed a group differently.
  func isContested(_ group: MergeGroup) -> Bool {
    let key = MergeKey.group(group)
    return local.meaning(of: key) != remote.meaning(of: key)
      && isChanged(key, by: .local) && isChanged(key, by: .remote)
  }

  /// The outcome of a changed group; nil if neither side changed it, or both made the same change.
  func outcome(
    of group: MergeGroup, contested: MergeConflict.Outcome
  ) -> MergeConflict.Outcome? {
    if let side = sideThatChanged(group) { return .chosen(side) }
    guard isContested(group) else { return nil }
    return furtherAdvance(of: .group(group)).map { .chosen($0) } ?? contested
  }

  /// The side that alone completed occurrences of a recurring reminder; nil for none.
  var sideThatAdvanced: MergeSide? {
    func isAdvance(_ base: Component?, _ side: Component) -> Bool {
      SeriesAdvance.isAdvance(from: base, to: side, layout.clock)
    }
    let isHere = isAdvance(versions.localBase, versions.local)
    let isThere = isAdvance(versions.remoteBase, versions.remote)
    return isHere == isThere ? nil : isHere ? .local : .remote
  }

  /// The side that completed more occurrences of a recurring reminder, if both sides changed its
  /// time or rule, and only by that.
  func furtherAdvance(of key: MergeKey) -> MergeSide? {
    guard [.group(.time), .group(.rule), .group(.series)].contains(key) else { return nil }
    return SeriesAdvance(versions, layout.clock)?.further
  }

  /// The property names of a part, for policies.
  func names(of key: MergeKey) -> [String] {
    switch key {
    case .group(let group):
      group.names.map(\.canonicalName).filter { name in
        (local[key] + remote[key]).contains { $0.name.canonicalName == name }
      }
    case .single(let name), .bookkeeping(let name), .person(let name, _), .moment(let name, _),
      .element(let name, _):
      [name.canonicalName]
    }
  }

  /// The subject of a conflict about a part, for display.
  func subject(of key: MergeKey) -> String {
    if case .person(let name, let address) = key { return "\(name.canonicalName) \(address)" }
    return names(of: key).joined(separator: ", ")
  }
}

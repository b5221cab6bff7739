// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Merges the versions of one component, property by property.
///
/// The result is based on the local version: properties without local changes keep their positions
/// byte for byte. Remote properties replace their local counterparts, or follow their remote
/// predecessors.
struct ComponentMerge {
  /// The result for a part.
  enum Choice {
    /// Keep the local properties.
    case local
    /// Use the remote properties.
    case remote
    /// Remove the properties.
    case neither
    /// Use properties that were merged from both sides.
    case made([Property])
    /// Keep this number of equal values.
    case count(Int)
  }

  let versions: MergeVersions
  let layout: MergeLayout
  let settings: MergeSettings
  private let local: MergeParts
  private let remote: MergeParts
  private let localBase: MergeParts
  private let remoteBase: MergeParts
  private(set) var conflicts: [MergeConflict] = []

  init(_ versions: MergeVersions, _ layout: MergeLayout, _ settings: MergeSettings) {
    self.versions = versions
    self.layout = layout
    self.settings = settings
    local = MergeParts(of: versions.local, layout)
    remote = MergeParts(of: versions.remote, layout)
    localBase = MergeParts(of: versions.localBase, layout)
    remoteBase = MergeParts(of: versions.remoteBase, layout)
  }

  /// Creates a merge for determining the changes of the sides.
  init(_ versions: MergeVersions, isFused: Bool, _ clock: MergeClock) {
    let layout = MergeLayout(
      of: versions.all, component: versions.local.name, isFused: isFused, clock: clock)
    self.init(versions, layout, MergeSettings(policies: MergePolicies(), path: ""))
  }

  /// The merged component.
  mutating func merged() -> Component {
    var choices: [MergeKey: Choice] = [:]
    for key in local.keys + remote.keys where choices[key] == nil {
      let known = conflicts.count
      let choice = choice(of: key)
      choices[key] = choice
      guard settings.purpose == .undecided, !isTimeWaiting(key) else { continue }
      choices[key] =
        conflicts.dropFirst(known).contains(where: \.isWaiting) ? choice : own(key)
    }
    var result = versions.local
    let properties = MergeAssembly(local: local, remote: remote, choices: choices).properties
    if let properties { result.properties = PropertyList(properties) }
    var nesting = NestedMerge(versions, layout.clock, settings)
    let nested = nesting.merged()
    conflicts += nesting.conflicts
    if let nested { result.components = ComponentList(nested) }
    return result
  }

  /// The side that alone changed a group; nil if neither or both did.
  func sideThatChanged(_ group: MergeGroup) -> MergeSide? {
    switch (isChanged(.group(group), .local), isChanged(.group(group), .remote)) {
    case (true, false): .local
    case (false, true): .remote
    default: nil
    }
  }

  /// The outcome of a changed group; nil if neither side changed it, or both made the same change.
  func outcome(
    of group: MergeGroup, contested: MergeConflict.Outcome
  ) -> MergeConflict.Outcome? {
    sideThatChanged(group).map { .chosen($0) } ?? (isContested(group) ? contested : nil)
  }

  /// Whether both sides changed a group differently.
  func isContested(_ group: MergeGroup) -> Bool {
    let key = MergeKey.group(group)
    return local.meaning(of: key) != remote.meaning(of: key)
      && isChanged(key, .local) && isChanged(key, .remote)
  }

  // MARK: Choices

  /// The choice that keeps a part of the local version unchanged.
  private func own(_ key: MergeKey) -> Choice {
    key.isElement ? .count(local[key].count) : .local
  }

  private mutating func choice(of key: MergeKey) -> Choice {
    switch key {
    case .bookkeeping(let name): return bookkeeping(name)
    case .moment, .element: return .count(count(of: key))
    case .group, .single, .person: break
    }
    if isTimeWaiting(key) {
      let before = localBase[key]
      return settings.purpose == .undecided && !before.isEmpty ? .made(before) : .local
    }
    guard local.meaning(of: key) != remote.meaning(of: key) else { return .local }
    switch (isChanged(key, .local), isChanged(key, .remote)) {
    case (false, false):
      // A server's alteration is not copied; a time follows the start of the series.
      let side = settings.outcomeOfTime?.side ?? settings.sideOfStart
      return key == .group(.time) && side == .remote && !remote[key].isEmpty ? .remote : .local
    case (true, false): return .local
    case (false, true): return remote[key].isEmpty ? .neither : .remote
    case (true, true): return contest(key)
    }
  }

  private func isChanged(_ key: MergeKey, _ side: MergeSide) -> Bool {
    switch side {
    case .local: local.meaning(of: key) != localBase.meaning(of: key)
    case .remote: remote.meaning(of: key) != remoteBase.meaning(of: key)
    }
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
    if let person = PersonMerge(
      local: local[key], remote: remote[key], localBase: localBase[key],
      remoteBase: remoteBase[key], clock: layout.clock)
    {
      if person.isClean { return .made([person.merged(.local)]) }
      let outcome = settings.outcome(for: names(of: key), versions)
      report(key, .edits, outcome)
      if settings.purpose == .undecided { return .made([person.undecided]) }
      return .made([person.merged(outcome.side)])
    }
    let outcome = settings.outcome(for: names(of: key), versions)
    report(key, .edits, outcome)
    if settings.purpose == .undecided {
      return localBase[key].isEmpty ? .neither : .made(localBase[key])
    }
    return outcome.side == .local ? .local : .remote
  }

  private func isTimeWaiting(_ key: MergeKey) -> Bool {
    settings.outcomeOfTime == .waits && key == .group(.time)
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
    if name == .sequence, let side = sideThatChanged(.organizer),
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
        subject: subject(of: key), base: base.map(\.contentLine),
        local: local[key].map(\.contentLine), remote: remote[key].map(\.contentLine)))
  }

  /// The property names of a part, for policies.
  private func names(of key: MergeKey) -> [String] {
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

  private func subject(of key: MergeKey) -> String {
    if case .person(let name, let address) = key { return "\(name.canonicalName) \(address)" }
    return names(of: key).joined(separator: ", ")
  }
}

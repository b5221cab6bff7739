// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Merges nested components: alarms as a whole, others with a UID property by property.
struct NestedMerge {
  private let versions: MergeVersions
  private let clock: MergeClock
  private let settings: MergeSettings
  private let local: KeyedComponents<NestedKey>
  private let remote: KeyedComponents<NestedKey>
  private let localBase: KeyedComponents<NestedKey>
  private let remoteBase: KeyedComponents<NestedKey>
  private(set) var conflicts: [MergeConflict] = []

  init(_ versions: MergeVersions, _ clock: MergeClock, _ settings: MergeSettings) {
    self.versions = versions
    self.clock = clock
    self.settings = settings
    let all = [versions.local, versions.remote, versions.localBase, versions.remoteBase]
    let keys = NestedKey.keys(of: all, clock)
    let lists = zip(all, keys).map { component, keys in
      KeyedComponents(keys: keys, components: component.map { Array($0.components) } ?? [])
    }
    (local, remote, localBase, remoteBase) = (lists[0], lists[1], lists[2], lists[3])
  }

  /// The merged components, or nil if they equal those of the local version.
  mutating func merged() -> [Component]? {
    guard !local.keys.isEmpty || !remote.keys.isEmpty else { return nil }
    var result: [Component] = []
    for key in local.keys {
      guard let here = local[key] else { continue }
      if let there = remote[key] {
        if let merged = merge(here, there, key) { result.append(merged) }
      } else if settings.purpose == .undecided {
        result.append(here)
      } else if stays(here, localBase[key], wasOnOtherSide: remoteBase[key] != nil, .local) {
        result.append(here)
      }
    }
    for key in remote.keys where local[key] == nil && settings.purpose == .union {
      guard let there = remote[key], !isDropped(there, key) else { continue }
      if stays(there, remoteBase[key], wasOnOtherSide: localBase[key] != nil, .remote) {
        result.append(there)
      }
    }
    return result == Array(versions.local.components) ? nil : result
  }

  /// Whether the local side never held a component that the remote always had.
  ///
  /// The local side then drops unknown components like some servers. Alarms are excluded, because
  /// no server drops them in this way and some servers add them.
  private func isDropped(_ there: Component, _ key: NestedKey) -> Bool {
    guard there.name != .alarm, localBase[key] == nil, let base = remoteBase[key] else {
      return false
    }
    return meaning(of: there) == meaning(of: base)
  }

  /// Whether a component that exists on one side only is kept.
  ///
  /// It is kept unless the other side deleted it. An edited component is kept in any case.
  private mutating func stays(
    _ component: Component, _ base: Component?, wasOnOtherSide: Bool, _ side: MergeSide
  ) -> Bool {
    guard wasOnOtherSide else { return true }
    guard let base else { return true }
    guard meaning(of: component) != meaning(of: base) else { return false }
    let lines = component.contentLines
    report(
      component, .deletion, .survived(side), base: base.contentLines,
      local: side == .local ? lines : [], remote: side == .remote ? lines : [])
    return true
  }

  private mutating func merge(
    _ here: Component, _ there: Component, _ key: NestedKey
  ) -> Component? {
    let parts = MergeVersions(
      localBase: localBase[key], remoteBase: remoteBase[key], local: here, remote: there)
    guard here.name == .alarm else { return mergeParts(parts) }
    let own = meaning(of: here)
    let other = meaning(of: there)
    let isChangedHere = parts.localBase.map(meaning) != own
    let isChangedThere = parts.remoteBase.map(meaning) != other
    if settings.purpose == .undecided, own == other || !isChangedThere || !isChangedHere {
      return here
    }
    guard own != other, isChangedThere else {
      return acknowledged(here, there, knownAs: parts.remoteBase)
    }
    guard isChangedHere else { return acknowledged(there, here) }
    let outcome = settings.outcome(for: [here.name.canonicalName], versions)
    report(
      here, .edits, outcome, base: (parts.localBase ?? parts.remoteBase)?.contentLines ?? [],
      local: here.contentLines, remote: there.contentLines)
    if settings.purpose == .undecided { return outcome == .waits ? parts.localBase : here }
    return outcome.side == .local ? acknowledged(here, there) : acknowledged(there, here)
  }

  private mutating func mergeParts(_ parts: MergeVersions) -> Component {
    let layout = MergeLayout(
      of: parts.all, component: parts.local.name, isFused: false, clock: clock)
    var inner = settings
    inner.path += " / \(parts.local.name.canonicalName)"
    var merge = ComponentMerge(parts, layout, inner)
    let result = merge.merged()
    conflicts += merge.conflicts
    return result
  }

  /// The alarm with the identifiers and the bookkeeping of both sides.
  ///
  /// An acknowledgement on one device thereby applies to all devices. Values of the other side that
  /// were present at the last agreement are not copied. Otherwise a run would repeatedly send an
  /// identifier to a server that drops it.
  private func acknowledged(
    _ alarm: Component, _ other: Component, knownAs base: Component? = nil
  ) -> Component {
    var result = alarm
    for name in Self.names where alarm[name] == nil && base?[name] == nil {
      if let theirs = other[name] { result[name] = theirs }
    }
    for (name, rule) in MergeBookkeeping.rules {
      guard let theirs = other[name], theirs != base?[name] else { continue }
      guard let own = alarm[name] else {
        result[name] = theirs
        continue
      }
      if rule.prefersRemote(theirs, to: own) { result[name] = theirs }
    }
    return result
  }

  /// The identifiers of an alarm, which are not content; servers add and drop them (RFC 9074 §4).
  private static let names: [PropertyName] = [.uid, "X-WR-ALARMUID"]

  /// The meaning of a component without its bookkeeping properties.
  private func meaning(of component: Component) -> SHA256.Digest {
    var plain = component.withoutBookkeeping
    if component.name == .alarm { for name in Self.names { plain[name] = nil } }
    return clock.meaning(of: plain)
  }

  private mutating func report(
    _ component: Component, _ kind: MergeConflict.Kind, _ outcome: MergeConflict.Outcome,
    base: [String], local: [String], remote: [String]
  ) {
    conflicts.append(
      MergeConflict(
        kind: kind, outcome: outcome, component: settings.path,
        subject: component.name.canonicalName, base: base, local: local, remote: remote))
  }
}

/// Ordered components with a lookup by key.
struct KeyedComponents<Key: Hashable> {
  let keys: [Key]
  private let components: [Key: Component]

  init(keys: [Key], components: [Component]) {
    self.components = Dictionary(zip(keys, components)) { first, _ in first }
    self.keys = keys
  }

  subscript(key: Key) -> Component? { components[key] }
}

extension Component {
  /// The component and its nested components without bookkeeping properties.
  var withoutBookkeeping: Component {
    var result = self
    if properties.contains(where: { MergeBookkeeping.rule(for: $0.name) != nil }) {
      result.properties = PropertyList(
        properties.filter { MergeBookkeeping.rule(for: $0.name) == nil })
    }
    if !components.isEmpty {
      result.components = ComponentList(components.map(\.withoutBookkeeping))
    }
    return result
  }

  /// The unfolded content lines of the component and its nested components.
  package var contentLines: [String] {
    ["BEGIN:\(name.canonicalName)"] + properties.map(\.contentLine)
      + components.flatMap(\.contentLines) + ["END:\(name.canonicalName)"]
  }
}

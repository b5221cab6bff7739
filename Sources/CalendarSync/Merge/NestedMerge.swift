// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Merges nested components: alarms as a whole, others with a UID property by property.
///
/// The text of an alarm that repeats the title is merged with the title; see `AlarmText`.
///
/// ```
/// base      VALARM 1 TRIGGER:-PT15M    VALARM 2 TRIGGER:-PT1H
/// local     VALARM 1 TRIGGER:-PT10M    VALARM 2 TRIGGER:-PT1H   VALARM 3 (new)
/// remote    VALARM 1 TRIGGER:-PT5M     (deleted)
/// decision  waits                      deleted                  added
/// merged    VALARM 1 TRIGGER:-PT10M                             VALARM 3
/// undecided VALARM 1 TRIGGER:-PT15M    VALARM 2 TRIGGER:-PT1H   VALARM 3
/// ```
struct NestedMerge {
  /// The versions of one nested component in each result; nil if it is missing there.
  private struct Decision {
    var merged: Component?
    /// The local version, or the base if the component waits for the user.
    var undecided: Component?
  }

  private let versions: MergeVersions
  private let clock: MergeClock
  private let settings: MergeSettings
  private let text: AlarmText
  private let local: KeyedComponents<NestedIdentity>
  private let remote: KeyedComponents<NestedIdentity>
  private let localBase: KeyedComponents<NestedIdentity>
  private let remoteBase: KeyedComponents<NestedIdentity>
  private var decisions: [Decision] = []
  private(set) var conflicts: [MergeConflict] = []

  init(
    _ versions: MergeVersions, _ clock: MergeClock, _ settings: MergeSettings,
    title: MergeConflict.Outcome
  ) {
    self.versions = versions
    text = AlarmText(of: versions, title: title)
    self.clock = clock
    self.settings = settings
    let all = [versions.local, versions.remote, versions.localBase, versions.remoteBase]
    let keys = NestedIdentity.keys(of: all, clock)
    let lists = zip(all, keys).map { component, keys in
      KeyedComponents(keys: keys, components: component.map { Array($0.components) } ?? [])
    }
    (local, remote, localBase, remoteBase) = (lists[0], lists[1], lists[2], lists[3])
    for key in local.keys {
      guard let here = local[key] else { continue }
      decisions.append(decide(here, remote[key], key))
    }
    for key in remote.keys where local[key] == nil {
      guard let there = remote[key], !isDropped(there, key),
        stays(there, remoteBase[key], wasOnOtherSide: localBase[key] != nil, .remote)
      else { continue }
      decisions.append(Decision(merged: there, undecided: nil))
    }
  }

  /// The nested components of the merged component.
  var merged: [Component] { decisions.compactMap(\.merged) }

  /// The nested components of the local version, with the base of the waiting ones.
  var undecided: [Component] { decisions.compactMap(\.undecided) }

  // MARK: Decisions

  private mutating func decide(
    _ here: Component, _ there: Component?, _ key: NestedIdentity
  ) -> Decision {
    guard let there else {
      let isKept = stays(here, localBase[key], wasOnOtherSide: remoteBase[key] != nil, .local)
      return Decision(merged: isKept ? here : nil, undecided: here)
    }
    let parts = MergeVersions(
      localBase: localBase[key], remoteBase: remoteBase[key], local: here, remote: there)
    return here.name == .alarm ? mergeAlarm(parts) : mergeParts(parts)
  }

  /// Whether the local side never held a component that the remote always had.
  ///
  /// The local side then drops such components like some servers.
  private func isDropped(_ there: Component, _ key: NestedIdentity) -> Bool {
    guard localBase[key] == nil, let base = remoteBase[key] else { return false }
    return meaning(of: there) == meaning(of: base)
  }

  /// Whether a component that exists on one side only is kept.
  ///
  /// It is kept unless the other side deleted it. An edited component is kept in any case.
  private mutating func stays(
    _ component: Component, _ base: Component?, wasOnOtherSide: Bool, _ side: MergeSide
  ) -> Bool {
    guard wasOnOtherSide, let base else { return true }
    let followsTitle = text.followsTitle(component, since: base, on: side)
    guard
      meaning(of: component, withoutText: followsTitle)
        != meaning(of: base, withoutText: followsTitle)
    else { return false }
    let lines = component.contentLines
    report(
      component, .deletion, .survived(side),
      (base.contentLines, side == .local ? lines : [], side == .remote ? lines : []))
    return true
  }

  private mutating func mergeAlarm(_ alarm: MergeVersions) -> Decision {
    let followsTitle = text.followsTitle(in: alarm)
    var decision = mergeAlarm(alarm, withoutText: followsTitle)
    guard followsTitle else { return decision }
    decision.merged?[.descriptionText] = text.merged(of: alarm)
    decision.undecided?[.descriptionText] = text.undecided(of: alarm)
    return decision
  }

  /// Merges an alarm, or the rest of one whose text is merged with the title.
  private mutating func mergeAlarm(
    _ alarm: MergeVersions, withoutText isTextless: Bool
  ) -> Decision {
    let (here, there) = (alarm.local, alarm.remote)
    let own = meaning(of: here, withoutText: isTextless)
    let other = meaning(of: there, withoutText: isTextless)
    let isChangedHere = alarm.localBase.map { meaning(of: $0, withoutText: isTextless) } != own
    let isChangedThere = alarm.remoteBase.map { meaning(of: $0, withoutText: isTextless) } != other
    guard own != other, isChangedThere else {
      let merged = acknowledged(here, there, knownAs: alarm.remoteBase)
      return Decision(merged: merged, undecided: here)
    }
    guard isChangedHere else {
      return Decision(merged: acknowledged(there, here), undecided: here)
    }
    let outcome = settings.outcome(for: [here.name.canonicalName], versions)
    let base = alarm.localBase ?? alarm.remoteBase
    report(
      here, .edits, outcome,
      (base?.contentLines ?? [], here.contentLines, there.contentLines))
    return Decision(
      merged: outcome.side == .local ? acknowledged(here, there) : acknowledged(there, here),
      undecided: outcome == .waits ? alarm.localBase : here)
  }

  private mutating func mergeParts(_ parts: MergeVersions) -> Decision {
    let layout = MergeLayout(
      of: parts.all, component: parts.local.name, isFused: false, clock: clock)
    var inner = settings
    inner.path += " / \(parts.local.name.canonicalName)"
    let merge = ComponentMerge(parts, layout, inner)
    conflicts += merge.conflicts
    return Decision(merged: merge.merged, undecided: merge.undecided)
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

  /// The meaning of a component without its bookkeeping properties, and without its text if that is
  /// merged with the title.
  private func meaning(
    of component: Component, withoutText isTextless: Bool = false
  ) -> SHA256.Digest {
    var plain = component.withoutBookkeeping
    if component.name == .alarm { for name in Self.names { plain[name] = nil } }
    if isTextless { plain[.descriptionText] = nil }
    return clock.meaning(of: plain)
  }

  private mutating func report(
    _ component: Component, _ kind: MergeConflict.Kind, _ outcome: MergeConflict.Outcome,
    _ lines: (base: [String], local: [String], remote: [String])
  ) {
    conflicts.append(
      MergeConflict(
        kind: kind, outcome: outcome, component: settings.path,
        subject: component.name.canonicalName, base: lines.base, local: lines.local,
        remote: lines.remote))
  }
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

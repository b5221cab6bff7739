// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A write of an interrupted run to a remote that takes several requests for an item, of which some may
/// have succeeded.
///
/// A part of the item that is as before was not reached, and one that is as written was: neither is an
/// edit. The base of both sides therefore has these parts as the remote has them. The local version
/// differs in the parts that were not reached, so that the next run writes them.
struct UnfinishedWrite {
  /// The version before the write, or what its first request adds.
  private let before: CalendarItem?
  /// The version that was written; nil for a deletion.
  private let written: CalendarItem?
  private let isAddition: Bool
  private let form: NormalForm

  /// Creates the write of an intent; nil if the intent does not write to the remote.
  ///
  /// - Parameters:
  ///   - intent: The intent.
  ///   - known: The agreed version of the remote.
  ///   - form: The normal form for comparing items.
  init?(_ intent: Intent, over known: CalendarItem?, _ form: NormalForm) {
    func item(_ bytes: [UInt8]?) -> CalendarItem? {
      bytes.flatMap { try? CalendarItem(parsing: $0, normalForm: form) }
    }
    self.form = form
    isAddition = intent.action == .createRemote
    switch intent.action {
    case .createRemote:
      guard let written = item(intent.content) else { return nil }
      (before, self.written) = (Self.begun(written), written)
    case .updateRemote:
      // With an unresolved conflict, the written version is not the agreed one.
      guard intent.mergedWith == nil, let written = item(intent.content),
        let before = item(intent.before) ?? known
      else { return nil }
      (self.before, self.written) = (before, written)
    case .deleteRemote:
      guard let before = item(intent.before) ?? known else { return nil }
      (self.before, written) = (before, nil)
    case .append, .moveRemote, .createLocal, .updateLocal, .deleteLocal: return nil
    }
  }

  /// The smallest result of the first request of an addition: the series without its occurrences.
  private static func begun(_ item: CalendarItem) -> CalendarItem? {
    guard var main = item.main else { return nil }
    main.properties = PropertyList(main.properties.filter { !$0.isNamed(.exDate) })
    return try? item.replacing(components: [main], timeZones: item.timeZones)
  }

  /// The base of both sides, if a remote version results from some requests of the write.
  ///
  /// - Parameter item: The remote version.
  /// - Returns: The base, which is the version itself unless it was edited since; nil if no request
  ///   succeeded.
  func base(of item: CalendarItem) -> CalendarItem? {
    guard isAddition || item.fingerprint != before?.fingerprint else { return nil }
    let versions = [item, before, written]
    guard versions.allSatisfy({ $0 == nil || $0?.kind == item.kind }) else { return nil }
    let clock = MergeClock(form, items: versions.compactMap(\.self))
    let keyed = versions.map { ComponentIdentity.keyed($0?.components ?? [], clock) }
    var (components, isEdited): ([Component], Bool) = ([], false)
    for key in keyed[0].keys {
      guard let there = keyed[0][key] else { continue }
      let series = key == .main ? nil : keyed[0][.main]
      let part = base(
        of: ComponentVersions(
          there: there, before: keyed[1][key], written: keyed[2][key], series: series), clock)
      if let part { components.append(part.component) }
      if part?.isEdited ?? true { isEdited = true }
    }
    guard isEdited else { return item }
    let known = Set(item.timeZones.compactMap { $0[.tzID]?.text })
    let others = (written ?? before)?.timeZones ?? []
    let zones = item.timeZones + others.filter { !known.contains($0[.tzID]?.text ?? "") }
    return try? item.replacing(components: components, timeZones: zones)
  }

  /// The base of a component; nil if another program added it.
  private func base(
    of versions: ComponentVersions, _ clock: MergeClock
  ) -> (component: Component, isEdited: Bool)? {
    guard let edits = ComponentEdits(versions, clock) else { return nil }
    return edits.isEmpty ? (versions.there, false) : (edits.undone, true)
  }
}

/// The versions of a component around an interrupted write.
private struct ComponentVersions {
  /// The version on the remote.
  let there: Component
  let before: Component?
  let written: Component?
  /// The series on the remote, if the component is an override.
  let series: Component?
}

/// The parts of a component that are neither as before a write nor as written.
private struct ComponentEdits {
  private let there: Component
  /// The version that the edits were made on.
  private let source: Component
  private let parts: (there: MergeParts, source: MergeParts)
  private var choices: [MergeKey: ComponentMerge.Choice] = [:]
  private var hasEdits = false
  private let hasNestedEdits: Bool

  /// Compares versions; nil if the component exists on the remote only.
  init?(_ versions: ComponentVersions, _ clock: MergeClock) {
    let there = versions.there
    guard let known = versions.before ?? versions.written else { return nil }
    let (before, written) = (versions.before ?? known, versions.written ?? known)
    let series = versions.series
    let layout = MergeLayout(
      of: [there, before, written] + (series.map { [$0] } ?? []), component: there.name,
      isFused: false, clock: clock)
    func parts(_ component: Component?) -> MergeParts { MergeParts(of: component, layout) }
    let (now, old, new, main) = (parts(there), parts(before), parts(written), parts(series))
    let keys = Set(now.keys + old.keys + new.keys).filter { !$0.isBookkeeping }
    func isSame(_ one: MergeParts, _ other: MergeParts, _ key: MergeKey) -> Bool {
      key.isElement
        ? one[key].count == other[key].count : one.meaning(of: key) == other.meaning(of: key)
    }
    // One request writes a component.
    let isReached = keys.contains { isSame(now, new, $0) && !isSame(old, new, $0) }
    source = isReached ? written : before
    self.parts = (now, isReached ? new : old)
    self.there = there
    for key in keys {
      // Servers drop exclusions and overrides if a request changes the rule, and give overrides the new
      // values of their series.
      let isDropped = key.isExclusion && now[key].isEmpty
      let isInherited = series != nil && isSame(now, main, key)
      let isKnown = isSame(now, old, key) || isSame(now, new, key)
      let isEdited = !isKnown && !isDropped && !isInherited
      if isEdited { hasEdits = true }
      if key.isElement {
        choices[key] = .count((isEdited ? self.parts.source : now)[key].count)
      } else {
        choices[key] = isEdited ? .remote : .local
      }
    }
    let nested = Self.meanings(there, clock)
    hasNestedEdits = ![before, written, series].contains { version in
      version.map { Self.meanings($0, clock) == nested } ?? false
    }
  }

  var isEmpty: Bool { !hasEdits && !hasNestedEdits }

  /// The component without the edits.
  var undone: Component {
    var result = there
    let assembly = MergeAssembly(local: parts.there, remote: parts.source, choices: choices)
    if let properties = assembly.properties { result.properties = PropertyList(properties) }
    if hasNestedEdits { result.components = source.components }
    return result
  }

  private static func meanings(_ component: Component, _ clock: MergeClock) -> Set<SHA256.Digest> {
    Set(component.components.map { clock.meaning(of: $0) })
  }
}

extension MergeKey {
  fileprivate var isExclusion: Bool {
    if case .moment(.exDate, _) = self { true } else { false }
  }

  fileprivate var isBookkeeping: Bool {
    if case .bookkeeping = self { true } else { false }
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
package import ICalSyntax

/// Merges two versions of an item and their common ancestor, property by property.
///
/// ```swift
/// let merge = ThreeWayMerge(normalForm: NormalForm(zones: resolver))
/// let result = merge.merge(base: base, local: mine, remote: theirs)
/// ```
///
/// It is a pure function of values. The result is based on the local version: unchanged parts are
/// preserved byte for byte, including their order, unknown properties and parameters.
/// <doc:HowTheMergeDecides> describes the identities, the groups and the bookkeeping rules.
///
/// ## Topics
///
/// ### Merging
/// - ``merge(base:local:remote:)``
/// - ``merge(localBase:remoteBase:local:remote:)``
/// - ``policies``
/// - ``normalForm``
///
/// ### Results
/// - ``MergeResult``
/// - ``MergeConflict``
public struct ThreeWayMerge: Sendable {
  /// The policy for different edits of both sides.
  public let policies: MergePolicies
  /// The normal form for comparing versions.
  public let normalForm: NormalForm

  /// Creates a merge.
  ///
  /// - Parameters:
  ///   - policies: The policy for different edits of both sides.
  ///   - normalForm: The normal form for comparing versions. With time zones, it recognizes equal
  ///     instants in different zones.
  public init(
    policies: MergePolicies = MergePolicies(), normalForm: NormalForm = NormalForm()
  ) {
    self.policies = policies
    self.normalForm = normalForm
  }

  /// Merges two versions of an item.
  ///
  /// - Parameters:
  ///   - base: The last agreed version; nil if the sides never agreed, so that nothing was deleted.
  ///   - local: The local version.
  ///   - remote: The remote version, with the same UID.
  /// - Returns: The merged item and the conflicts.
  public func merge(
    base: CalendarItem?, local: CalendarItem, remote: CalendarItem
  ) -> MergeResult {
    merge(localBase: base, remoteBase: base, local: local, remote: remote)
  }

  /// Merges two versions of an item whose bases differ between the sides.
  ///
  /// The base of a server includes its alterations of the sent content, which are not edits. A side
  /// does not delete a part that it never had.
  ///
  /// - Parameters:
  ///   - localBase: The last agreed version of the local side.
  ///   - remoteBase: The last agreed version of the remote side.
  ///   - local: The local version.
  ///   - remote: The remote version, with the same UID.
  /// - Returns: The merged item and the conflicts.
  public func merge(
    localBase: CalendarItem?, remoteBase: CalendarItem?, local: CalendarItem, remote: CalendarItem
  ) -> MergeResult {
    let localBase = localBase?.normalized(by: normalForm)
    let remoteBase = remoteBase?.normalized(by: normalForm)
    let local = local.normalized(by: normalForm)
    let remote = remote.normalized(by: normalForm)
    if let known = Self.trivial(localBase, remoteBase, local, remote) { return known }
    guard local.kind == remote.kind else { return unlike(localBase ?? remoteBase, local, remote) }
    let (base, other) = Self.named(localBase, remoteBase, local, remote)
    var series = SeriesMerge(localBase, base, local, other, by: self)
    return series.merged()
  }

  /// The local version with the base of the conflicting parts; both items are of one kind.
  func undecided(
    localBase: CalendarItem?, remoteBase: CalendarItem?, local: CalendarItem, remote: CalendarItem
  ) -> CalendarItem {
    let localBase = localBase?.normalized(by: normalForm)
    let local = local.normalized(by: normalForm)
    let (base, other) = Self.named(
      localBase, remoteBase?.normalized(by: normalForm), local, remote.normalized(by: normalForm))
    return SeriesMerge(localBase, base, local, other, by: self).undecided
  }

  /// The remote versions with TZIDs that do not contradict those of the local ones.
  ///
  /// Each version defines its own TZIDs (RFC 5545 §3.2.19). If one side changed the definition of a
  /// TZID since its base, that is an edit of the definition, which `MergedItem` takes over.
  private static func named(
    _ localBase: CalendarItem?, _ remoteBase: CalendarItem?, _ local: CalendarItem,
    _ remote: CalendarItem
  ) -> (remoteBase: CalendarItem?, remote: CalendarItem) {
    let (ours, theirs) = (ZoneDefinitions(local.timeZones), ZoneDefinitions(remote.timeZones))
    let names = remote.timeZones.compactMap { $0[.tzID]?.text }.filter { name in
      ours[name] != nil && ours[name] != theirs[name]
    }
    guard !names.isEmpty else { return (remoteBase, remote) }
    if let localBase, let remoteBase {
      let ourBase = ZoneDefinitions(localBase.timeZones)
      let theirBase = ZoneDefinitions(remoteBase.timeZones)
      let isEdited = names.contains { name in
        (ours[name] == ourBase[name]) != (theirs[name] == theirBase[name])
      }
      if isEdited { return (remoteBase, remote) }
    }
    var scope = ZoneScope(
      zones: local.normalForm.zones ?? ZoneResolver(),
      definitions: local.timeZones + (localBase?.timeZones ?? []))
    for component in local.components { scope.use(component.usedTimeZones) }
    let named = remote.namingTimeZones(in: &scope)
    return (remoteBase?.namingTimeZones(in: &scope), named)
  }

  /// The result if at most one side changed, or both made the same change; nil otherwise.
  private static func trivial(
    _ localBase: CalendarItem?, _ remoteBase: CalendarItem?, _ local: CalendarItem,
    _ remote: CalendarItem
  ) -> MergeResult? {
    if local.fingerprint == remote.fingerprint { return MergeResult(item: local, conflicts: []) }
    guard let localBase, let remoteBase, localBase.fingerprint == remoteBase.fingerprint else {
      return nil
    }
    if local.fingerprint == localBase.fingerprint {
      return MergeResult(item: remote, conflicts: [])
    }
    if remote.fingerprint == remoteBase.fingerprint {
      return MergeResult(item: local, conflicts: [])
    }
    return nil
  }

  /// The merge with the sides exchanged.
  var swapped: ThreeWayMerge {
    ThreeWayMerge(policies: policies.swapped, normalForm: normalForm)
  }

  /// The result for two items of different kinds with the same UID, which cannot be merged.
  private func unlike(
    _ base: CalendarItem?, _ local: CalendarItem, _ remote: CalendarItem
  ) -> MergeResult {
    let outcome: MergeConflict.Outcome =
      switch policies.standard {
      case .keepBoth, .newest: .waits
      case .local: .chosen(.local)
      case .remote: .chosen(.remote)
      }
    let conflict = MergeConflict(
      kind: .invalid, outcome: outcome, component: local.kind.rawValue,
      subject: remote.kind.rawValue, base: base?.components.flatMap(\.contentLines) ?? [],
      local: local.components.flatMap(\.contentLines),
      remote: remote.components.flatMap(\.contentLines))
    return MergeResult(item: outcome.side == .local ? local : remote, conflicts: [conflict])
  }
}

extension ThreeWayMerge {
  /// Merges the calendar properties of two files and their components that are not items.
  ///
  /// VERSION, CALSCALE, METHOD and PRODID (RFC 5545 §3.7) are the remote ones if only the remote
  /// version changed them, and otherwise the local ones, because they define the kind of the file.
  ///
  /// - Parameters:
  ///   - base: The common ancestor, without its items and time zones; nil if there is none.
  ///   - local: The local version.
  ///   - remote: The remote version.
  /// - Returns: The merged calendar, which equals the local one if the remote one adds nothing, and
  ///   the conflicts.
  package func merge(
    calendar base: Component?, local: Component, remote: Component
  ) -> (calendar: Component, conflicts: [MergeConflict]) {
    let clock = MergeClock(normalForm, items: [])
    let ancestor = base.map(Self.withoutKind)
    let versions = MergeVersions(
      localBase: ancestor, remoteBase: ancestor, local: local,
      remote: Self.withoutKind(of: remote))
    let layout = MergeLayout(
      of: versions.all, component: .calendar, isFused: false, clock: clock)
    let merge = ComponentMerge(
      versions, layout, MergeSettings(policies: policies, path: local.name.canonicalName))
    var merged = merge.merged
    guard let base else { return (merged, merge.conflicts) }
    for name in Self.kindNames + [.productID]
    where local[name] == base[name] && remote[name] != base[name] {
      merged[name] = remote[name] ?? (Self.requiredNames.contains(name) ? local[name] : nil)
    }
    return (merged, merge.conflicts)
  }

  private static let kindNames: [PropertyName] = [.version, .calscale, .method]
  /// The properties that a calendar must have (RFC 5545 §3.6).
  private static let requiredNames: [PropertyName] = [.version, .productID]

  private static func withoutKind(of calendar: Component) -> Component {
    var copy = calendar
    for name in kindNames { copy[name] = nil }
    return copy
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import ICalSyntax

/// Merges what two sides made of one item since they last agreed, property by property.
///
/// ```swift
/// let merge = ThreeWayMerge(policies: MergePolicies(.keepBoth), zones: resolver)
/// let result = merge.merge(base: base, local: mine, remote: theirs)
/// ```
///
/// It is a pure function of values. The local version is the canvas: what nobody changed stays there
/// byte for byte, with its order, its unknown properties and their parameters. What is identified by
/// what, what is taken whole, and which rules bookkeeping has, tells <doc:HowTheMergeDecides>.
///
/// ## Topics
///
/// ### Merging
/// - ``merge(base:local:remote:)``
/// - ``merge(localBase:remoteBase:local:remote:)``
/// - ``MergePolicies``
///
/// ### What comes of it
/// - ``MergeResult``
/// - ``MergeConflict``
public struct ThreeWayMerge: Sendable {
  private let policies: MergePolicies
  private let zones: ZoneResolver?

  /// Creates a merge.
  ///
  /// - Parameters:
  ///   - policies: What is done where both sides edited the same thing differently.
  ///   - zones: Knows the rules of time zones, so that times in different zones can be the same moment.
  public init(policies: MergePolicies = MergePolicies(), zones: ZoneResolver? = nil) {
    self.policies = policies
    self.zones = zones
  }

  /// Merges two versions of an item.
  ///
  /// - Parameters:
  ///   - base: What both sides last agreed on, or nil if they never did: then nothing was deleted.
  ///   - local: The local version.
  ///   - remote: The remote version, with the same UID.
  /// - Returns: The merged item and the conflicts.
  public func merge(
    base: CalendarItem?, local: CalendarItem, remote: CalendarItem
  ) -> MergeResult {
    merge(localBase: base, remoteBase: base, local: local, remote: remote)
  }

  /// Merges two versions of an item that each side held in a wording of its own.
  ///
  /// A server that drops or rewrites what it is sent makes no edit by that: what it held since is its
  /// base. What one side never had is not deleted by that side.
  ///
  /// - Parameters:
  ///   - localBase: What the local side held when the sides last agreed.
  ///   - remoteBase: What the remote side held then.
  ///   - local: The local version.
  ///   - remote: The remote version, with the same UID.
  /// - Returns: The merged item and the conflicts.
  public func merge(
    localBase: CalendarItem?, remoteBase: CalendarItem?, local: CalendarItem, remote: CalendarItem
  ) -> MergeResult {
    if local.fingerprint == remote.fingerprint { return MergeResult(item: local, conflicts: []) }
    if let localBase, let remoteBase, localBase.fingerprint == remoteBase.fingerprint {
      if local.fingerprint == localBase.fingerprint {
        return MergeResult(item: remote, conflicts: [])
      }
      if remote.fingerprint == remoteBase.fingerprint {
        return MergeResult(item: local, conflicts: [])
      }
    }
    guard local.kind == remote.kind else { return unlike(localBase ?? remoteBase, local, remote) }
    var work = ItemMergeWork(
      localBase: localBase, remoteBase: remoteBase, local: local, remote: remote,
      policies: policies, zones: zones)
    return work.result()
  }

  /// One UID for an event here and a reminder there: neither is a version of the other.
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

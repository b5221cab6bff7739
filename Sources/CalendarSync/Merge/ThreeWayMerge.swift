// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import ICalSyntax

/// Merges what two sides made of one item since they last agreed, property by property.
///
/// ```swift
/// let merge = ThreeWayMerge(normalForm: NormalForm(zones: resolver))
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
/// - ``policies``
/// - ``normalForm``
///
/// ### What comes of it
/// - ``MergeResult``
/// - ``MergeConflict``
public struct ThreeWayMerge: Sendable {
  /// What is done where both sides edited the same thing differently.
  public let policies: MergePolicies
  /// The form in which versions are compared.
  public let normalForm: NormalForm

  /// Creates a merge.
  ///
  /// - Parameters:
  ///   - policies: What is done where both sides edited the same thing differently.
  ///   - normalForm: The form in which versions are compared. One that knows the time zones takes times
  ///     in different zones for the same moment.
  public init(
    policies: MergePolicies = MergePolicies(), normalForm: NormalForm = NormalForm()
  ) {
    self.policies = policies
    self.normalForm = normalForm
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
    merge(localBase, remoteBase, local, remote, .union)
  }

  /// The local version as if nobody had edited what waits for a choice.
  func undecided(
    localBase: CalendarItem?, remoteBase: CalendarItem?, local: CalendarItem, remote: CalendarItem
  ) -> CalendarItem {
    merge(localBase, remoteBase, local, remote, .undecided).item
  }

  private func merge(
    _ localBase: CalendarItem?, _ remoteBase: CalendarItem?, _ local: CalendarItem,
    _ remote: CalendarItem, _ purpose: MergeSettings.Purpose
  ) -> MergeResult {
    let localBase = localBase?.normalized(by: normalForm)
    let remoteBase = remoteBase?.normalized(by: normalForm)
    let local = local.normalized(by: normalForm)
    let remote = remote.normalized(by: normalForm)
    if purpose == .union, let known = Self.trivial(localBase, remoteBase, local, remote) {
      return known
    }
    guard local.kind == remote.kind else { return unlike(localBase ?? remoteBase, local, remote) }
    var work = ItemMergeWork(
      localBase: localBase, remoteBase: remoteBase, local: local, remote: remote,
      policies: policies, purpose: purpose, form: normalForm)
    return work.result()
  }

  /// The result where nothing has to be looked at closely, if it is so.
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

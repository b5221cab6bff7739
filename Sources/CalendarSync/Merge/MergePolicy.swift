// SPDX-License-Identifier: Apache-2.0

/// The policy for different edits of both sides.
public enum MergePolicy: String, Hashable, Sendable, CaseIterable {
  /// Keep both versions: the conflict is stored until the user chooses.
  case keepBoth = "keep-both"
  /// Use the version that was modified last, by LAST-MODIFIED and then DTSTAMP.
  ///
  /// Without these properties it behaves as `keepBoth`.
  case newest
  /// Use the local version.
  case local
  /// Use the remote version.
  case remote

  /// The policy with the sides exchanged.
  public var swapped: MergePolicy {
    switch self {
    case .keepBoth, .newest: self
    case .local: .remote
    case .remote: .local
    }
  }
}

/// The policy of a sync, with exceptions for single properties.
public struct MergePolicies: Hashable, Sendable {
  /// The default policy.
  public var standard: MergePolicy
  /// The exceptions by upper-case name of a property or component: `SUMMARY`, `VALARM`.
  public var named: [String: MergePolicy]

  /// Creates policies.
  public init(_ standard: MergePolicy = .keepBoth, named: [String: MergePolicy] = [:]) {
    self.standard = standard
    self.named = named
  }

  /// The policy for a part with these names; the first name with an exception applies.
  public func policy(for names: [String]) -> MergePolicy {
    names.lazy.compactMap { named[$0] }.first ?? standard
  }

  /// The policies with the sides exchanged.
  public var swapped: MergePolicies {
    MergePolicies(standard.swapped, named: named.mapValues(\.swapped))
  }
}

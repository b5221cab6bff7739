// SPDX-License-Identifier: Apache-2.0

/// What is done where both sides edited the same thing differently.
public enum MergePolicy: String, Hashable, Sendable, CaseIterable {
  /// Neither version is lost: the conflict waits until somebody chooses.
  case keepBoth = "keep-both"
  /// The version of the side that was modified last, by LAST-MODIFIED and then DTSTAMP; where they do
  /// not tell, as `keepBoth`.
  case newest
  /// The local version.
  case local
  /// The remote version.
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

/// The policy of a sync, and those of single properties that differ from it.
public struct MergePolicies: Hashable, Sendable {
  /// The policy of everything that has none of its own.
  public var standard: MergePolicy
  /// The policies of properties and of nested components, by name in upper case: `SUMMARY`, `VALARM`.
  public var named: [String: MergePolicy]

  /// Creates policies.
  public init(_ standard: MergePolicy = .keepBoth, named: [String: MergePolicy] = [:]) {
    self.standard = standard
    self.named = named
  }

  /// The policy for what bears these names; the first name that has one of its own decides.
  public func policy(for names: [String]) -> MergePolicy {
    names.lazy.compactMap { named[$0] }.first ?? standard
  }

  /// The policies with the sides exchanged.
  public var swapped: MergePolicies {
    MergePolicies(standard.swapped, named: named.mapValues(\.swapped))
  }
}

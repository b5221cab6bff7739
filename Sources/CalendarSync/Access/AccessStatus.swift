// SPDX-License-Identifier: Apache-2.0

/// The state of the access to a remote, in the terms of Apple's EventKit.
public enum AccessStatus: String, Hashable, Sendable, CaseIterable {
  /// The user has not decided yet.
  case notDetermined = "not-determined"
  /// An administrator forbade access, regardless of the user's decision.
  case restricted
  /// The user denied access.
  case denied
  /// Events may be added.
  case writeOnly = "write-only"
  /// All operations are allowed.
  case full

  /// Creates the status of a stored grant under a restriction.
  public init(_ grant: AccessGrant?, under restriction: AccessRestriction? = nil) {
    guard restriction?.tier != AccessTier.none else {
      self = .restricted
      return
    }
    guard let grant else {
      self = .notDetermined
      return
    }
    switch min(grant.tier, restriction?.tier ?? .full) {
    case .none: self = .denied
    case .writeOnly: self = .writeOnly
    case .full: self = .full
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Where the question for access stands, in the words of Apple's EventKit.
public enum AccessStatus: String, Hashable, Sendable, CaseIterable {
  /// Nobody was asked.
  case notDetermined = "not-determined"
  /// An administrator decided that there is no access, whatever is answered.
  case restricted
  /// The answer was no.
  case denied
  /// Events may be added.
  case writeOnly = "write-only"
  /// Everything.
  case full

  /// The status that a stored answer stands for, under what an administrator decided.
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

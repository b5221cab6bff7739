// SPDX-License-Identifier: Apache-2.0

/// Where the question for access stands, in the words of Apple's EventKit.
public enum AccessStatus: String, Hashable, Sendable, CaseIterable {
  /// Nobody was asked.
  case notDetermined = "not-determined"
  /// The answer was no.
  case denied
  /// Events may be added.
  case writeOnly = "write-only"
  /// Everything.
  case full

  /// The status that a stored answer stands for.
  public init(_ grant: AccessGrant?) {
    switch grant?.tier {
    case nil: self = .notDetermined
    case AccessTier.none?: self = .denied
    case .writeOnly?: self = .writeOnly
    case .full?: self = .full
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// How settled an event is (RFC 5545 §3.8.1.11).
public enum EventStatus: String, Hashable, Sendable, CaseIterable {
  /// It may take place.
  case tentative = "TENTATIVE"
  /// It takes place.
  case confirmed = "CONFIRMED"
  /// It does not take place.
  case cancelled = "CANCELLED"
}

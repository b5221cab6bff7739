// SPDX-License-Identifier: Apache-2.0

/// The status of an event (RFC 5545 §3.8.1.11).
public enum EventStatus: String, Hashable, Sendable, CaseIterable {
  /// Tentative.
  case tentative = "TENTATIVE"
  /// Confirmed.
  case confirmed = "CONFIRMED"
  /// Cancelled.
  case cancelled = "CANCELLED"
}

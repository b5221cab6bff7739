// SPDX-License-Identifier: Apache-2.0

/// Whether an event takes up time (RFC 5545 §3.8.2.7).
public enum Transparency: String, Hashable, Sendable, CaseIterable {
  /// It does, and shows as busy; so it is where nothing is said.
  case opaque = "OPAQUE"
  /// It does not.
  case transparent = "TRANSPARENT"
}

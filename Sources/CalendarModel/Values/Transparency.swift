// SPDX-License-Identifier: Apache-2.0

/// The transparency of an event to free/busy searches (RFC 5545 §3.8.2.7).
public enum Transparency: String, Hashable, Sendable, CaseIterable {
  /// The event counts as busy time; the default.
  case opaque = "OPAQUE"
  /// The event does not count as busy time.
  case transparent = "TRANSPARENT"
}

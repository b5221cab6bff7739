// SPDX-License-Identifier: Apache-2.0

/// The status of a journal entry (RFC 5545 §3.8.1.11).
public enum JournalStatus: String, Hashable, Sendable, CaseIterable {
  /// Draft.
  case draft = "DRAFT"
  /// Final.
  case final = "FINAL"
  /// Withdrawn.
  case cancelled = "CANCELLED"
}

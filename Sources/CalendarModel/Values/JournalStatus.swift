// SPDX-License-Identifier: Apache-2.0

/// How far a journal entry is (RFC 5545 §3.8.1.11).
public enum JournalStatus: String, Hashable, Sendable, CaseIterable {
  /// It is being written.
  case draft = "DRAFT"
  /// It is finished.
  case final = "FINAL"
  /// It was withdrawn.
  case cancelled = "CANCELLED"
}

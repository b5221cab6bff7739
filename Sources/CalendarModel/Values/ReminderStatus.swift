// SPDX-License-Identifier: Apache-2.0

/// The status of a reminder (RFC 5545 §3.8.1.11).
public enum ReminderStatus: String, Hashable, Sendable, CaseIterable {
  /// Not started.
  case needsAction = "NEEDS-ACTION"
  /// Completed.
  case completed = "COMPLETED"
  /// In process.
  case inProcess = "IN-PROCESS"
  /// Cancelled.
  case cancelled = "CANCELLED"
}

// SPDX-License-Identifier: Apache-2.0

/// How far a reminder is (RFC 5545 §3.8.1.11).
public enum ReminderStatus: String, Hashable, Sendable, CaseIterable {
  /// It is to be done.
  case needsAction = "NEEDS-ACTION"
  /// It is done.
  case completed = "COMPLETED"
  /// It is being done.
  case inProcess = "IN-PROCESS"
  /// It need not be done any more.
  case cancelled = "CANCELLED"
}

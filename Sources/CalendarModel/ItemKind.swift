// SPDX-License-Identifier: Apache-2.0

/// What a calendar item is: the kind of its components (RFC 5545 §3.6).
public enum ItemKind: String, Hashable, Sendable, CaseIterable {
  /// A VEVENT (RFC 5545 §3.6.1).
  case event = "VEVENT"
  /// A VTODO (RFC 5545 §3.6.2); always called a reminder here.
  case reminder = "VTODO"
  /// A VJOURNAL (RFC 5545 §3.6.3).
  case journal = "VJOURNAL"
  /// A VFREEBUSY (RFC 5545 §3.6.4).
  case freeBusy = "VFREEBUSY"
  /// A VAVAILABILITY (RFC 7953 §3.1).
  case availability = "VAVAILABILITY"
}

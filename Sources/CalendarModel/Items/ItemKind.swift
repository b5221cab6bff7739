// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// The kind of a calendar item: that of its components (RFC 5545 §3.6).
public enum ItemKind: String, Hashable, Sendable, CaseIterable, Comparable {
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

  /// Returns the kind of a component, or nil for a VTIMEZONE or an unknown component.
  public init?(_ name: ComponentName) {
    self.init(rawValue: name.canonicalName)
  }

  /// Orders kinds as in the RFC.
  public static func < (left: ItemKind, right: ItemKind) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// What a calendar item is: the kind of its components (RFC 5545 §3.6).
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

  /// The kind of a component, or nil for one that is no item: a VTIMEZONE, or one that no RFC knows.
  public init?(_ name: ComponentName) {
    self.init(rawValue: name.canonicalName)
  }

  /// Orders kinds as the RFC does, so that one always comes before another.
  public static func < (left: ItemKind, right: ItemKind) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

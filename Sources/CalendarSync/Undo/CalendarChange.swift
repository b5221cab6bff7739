// SPDX-License-Identifier: Apache-2.0

/// The user's own change of a calendar as a whole, which the history notes and no undo takes back.
///
/// An undo of the last own change stops at it once, so that it never reaches behind it silently.
public struct CalendarChange: Hashable, Sendable {
  /// The kind of the change.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The calendar was created.
    case created
    /// The calendar got another title.
    case renamed
    /// The calendar got another color.
    case colored
    /// The calendar was removed, with its items.
    case removed
    /// The calendar was forgotten, so that the next sync creates it again.
    case recreated
  }

  /// The kind.
  public let kind: Kind
  /// The name of the calendar.
  public let calendar: String

  /// Creates a change.
  public init(_ kind: Kind, of calendar: String) {
    (self.kind, self.calendar) = (kind, calendar)
  }
}

extension SyncBinding {
  /// The kind of the remote identity of changes of calendars.
  private static let calendarKind = "calendar"

  /// The binding of the run that notes a change of a calendar.
  public static func change(_ change: CalendarChange) -> SyncBinding {
    let location = "\(change.kind.rawValue):\(change.calendar)"
    return SyncBinding(
      name: "\(calendarKind):\(location)", local: "",
      remote: RemoteIdentity(kind: calendarKind, location: location))
  }

  /// The noted change of a calendar; nil for another run.
  public var calendarChange: CalendarChange? {
    guard remote.kind == Self.calendarKind, let end = remote.location.firstIndex(of: ":"),
      let kind = CalendarChange.Kind(rawValue: String(remote.location[..<end]))
    else { return nil }
    return CalendarChange(kind, of: String(remote.location[remote.location.index(after: end)...]))
  }
}

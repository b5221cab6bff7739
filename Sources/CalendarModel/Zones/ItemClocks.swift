// SPDX-License-Identifier: Apache-2.0

package import CivilTime
package import ICalSyntax

/// The clocks of an item's times: those of their zones, and the viewer's for dates and floating times.
package struct ItemClocks: Sendable {
  /// The resolver of time zones.
  package let zones: ZoneResolver
  /// The definitions of the item's time zones.
  private let definitions: [Component]
  /// The rules of the viewer's zone.
  package let viewer: ZoneRules

  /// Creates the clocks of an item with these definitions of time zones.
  package init(zones: ZoneResolver, definitions: [Component], viewer: ZoneRules) {
    (self.zones, self.definitions, self.viewer) = (zones, definitions, viewer)
  }

  /// The rules of a TZID of the item; nil if it has none.
  package func rules(of tzID: String) -> ZoneRules? {
    try? zones.rules(of: zones.resolve(tzID, definitions: definitions))
  }

  /// The rules of a time's clock; those of the viewer if the zone of the time is unknown.
  package func rules(of time: EventTime) -> ZoneRules {
    switch time {
    case .utc: .utc
    case .zoned(_, let tzID): rules(of: tzID) ?? viewer
    case .date, .floating: viewer
    }
  }

  /// The instant of a time.
  package func instant(of time: EventTime) -> Instant {
    rules(of: time).instant(of: time.wallTime)
  }

  /// An instant that moves with a time on its clock: by days if one of the times is a date.
  ///
  /// - Parameters:
  ///   - instant: The instant, such as that of an alarm.
  ///   - old: The time before the move.
  ///   - new: The time after it.
  /// - Returns: The instant after the move; nil if it is out of range.
  package func moved(_ instant: Instant, from old: EventTime, to new: EventTime) -> Instant? {
    let seconds =
      old.isAllDay || new.isAllDay
      ? Int64(new.date.dayNumber - old.date.dayNumber) * 86_400
      : new.wallTime.wallSeconds - old.wallTime.wallSeconds
    return rules(of: old).civil(at: instant)?.adding(seconds: seconds).map {
      rules(of: new).instant(of: $0)
    }
  }
}

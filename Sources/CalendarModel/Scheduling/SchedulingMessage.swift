// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// A scheduling message (iTIP, RFC 5546): a method, and components with the same UID.
public struct SchedulingMessage: Hashable, Sendable {
  /// The purpose of the message.
  public let method: SchedulingMethod
  /// The components of the message, in a calendar that may still have its METHOD.
  public let item: CalendarItem

  /// Creates a message.
  public init(_ method: SchedulingMethod, _ item: CalendarItem) {
    self.method = method
    self.item = item
  }

  /// Reads an item as a message; nil if its calendar has no METHOD (RFC 5545 §3.7.2).
  public init?(_ item: CalendarItem) {
    guard let method = item.calendar[.method] else { return nil }
    self.init(SchedulingMethod(rawValue: method.text), item)
  }

  /// The properties that the calendar of a stored item takes over from the message.
  var calendarProperties: [Property] {
    item.calendar.properties.filter { !$0.isNamed(.method) }
  }

  /// Whether the message changes items by its components.
  ///
  /// A VFREEBUSY in a REPLY holds the busy time that was asked for, and is kept like a published
  /// one (RFC 5546 §3.3.3).
  var bringsItem: Bool {
    method.bringsItem && !isQuestion || method == .reply && item.kind == .freeBusy
  }

  /// Whether the message only asks for busy time (RFC 5546 §3.3.2).
  var isQuestion: Bool { method == .request && item.kind == .freeBusy }
}

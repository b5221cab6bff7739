// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import Recurrence

/// A typed value of a property (RFC 5545 §3.3).
public enum Value: Hashable, Sendable {
  /// Decoded binary data.
  case binary([UInt8])
  /// A Boolean.
  case boolean(Bool)
  /// The unmodified address of a calendar user.
  case calendarAddress(ValueText)
  /// A date.
  case date(CivilDate)
  /// A date-time: in UTC, in the zone of the TZID parameter, or floating.
  case dateTime(CivilDateTime, isUTC: Bool)
  /// A duration.
  case duration(CivilDuration)
  /// A floating-point number.
  case float(Double)
  /// An integer.
  case integer(Int)
  /// A period of time.
  indirect case period(Period)
  /// A recurrence rule, parsed leniently.
  indirect case recurrence(RecurrenceRule)
  /// A text, without escapes.
  case text(ValueText)
  /// A time of day, in UTC or local.
  case time(TimeOfDay, isUTC: Bool)
  /// The unmodified URI of a resource.
  case uri(ValueText)
  /// An offset from UTC.
  case utcOffset(UTCOffset)
  /// The unmodified text of an invalid value, or of one whose type is unknown.
  case unknown(ValueText)
}

// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import Recurrence

/// One typed value of a property (RFC 5545 §3.3).
public enum Value: Hashable, Sendable {
  /// Decoded binary data.
  case binary([UInt8])
  /// A truth value.
  case boolean(Bool)
  /// The address of a calendar user, as it is written.
  case calendarAddress(ValueText)
  /// A date.
  case date(CivilDate)
  /// A date and time: in UTC, or local to the zone of a TZID parameter or to whoever reads it.
  case dateTime(CivilDateTime, isUTC: Bool)
  /// A duration.
  case duration(CivilDuration)
  /// A number with a fraction.
  case float(Double)
  /// A whole number.
  case integer(Int)
  /// A period of time.
  indirect case period(Period)
  /// A recurrence rule, as far as it can be understood.
  indirect case recurrence(RecurrenceRule)
  /// A text, without its escapes.
  case text(ValueText)
  /// A time of day, in UTC or local.
  case time(TimeOfDay, isUTC: Bool)
  /// An identifier of a resource, as it is written.
  case uri(ValueText)
  /// An offset from UTC.
  case utcOffset(UTCOffset)
  /// A value of a type that is not known, or one that is not what its type wants, as it is written.
  case unknown(ValueText)
}

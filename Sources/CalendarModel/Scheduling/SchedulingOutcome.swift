// SPDX-License-Identifier: Apache-2.0

/// The effect of one component of a scheduling message on the stored item.
public enum SchedulingOutcome: Hashable, Sendable {
  /// There was no item; the component is one now, or a part of one.
  case added
  /// The stored item changed.
  case updated(SchedulingChange)
  /// The stored item holds the message already.
  case unchanged
  /// The stored item has this later revision (RFC 5546 §2.1.5).
  case stale(stored: SchedulingRevision, incoming: SchedulingRevision)
  /// The message asks for a decision of a person and changes no item.
  case informative
  /// The message cannot be applied.
  case refused(SchedulingRefusal)

  var isStale: Bool {
    if case .stale = self { true } else { false }
  }
}

/// The change of a stored item by a component of a scheduling message.
public enum SchedulingChange: Hashable, Sendable {
  /// The organizer's new version of the item or the occurrence is stored.
  case revised
  /// An attendee answered.
  case answered(CalendarAddress, ParticipationStatus)
  /// The item or the occurrence is cancelled.
  case cancelled
  /// The occurrence and all later ones are cancelled.
  case cancelledFuture
  /// These attendees are no longer invited.
  case uninvited([CalendarAddress])
  /// An occurrence was added; some earlier revisions never arrived if `isComplete` is false.
  case occurrenceAdded(isComplete: Bool)
}

/// The reason why a component of a scheduling message cannot be applied.
public enum SchedulingRefusal: Hashable, Sendable {
  /// No RFC defines the method.
  case unknownMethod
  /// The method is not defined for this kind of item (RFC 5546 §3).
  case otherMethod(ItemKind)
  /// There is no item with this UID.
  case noItem
  /// The item with this UID is of another kind.
  case otherKind(stored: ItemKind)
  /// The item has no such occurrence.
  case noOccurrence
  /// The component names no attendee.
  case noAttendee
  /// The attendee is not invited, and no invited attendee delegated to this one.
  case unknownAttendee(CalendarAddress)
  /// The component has no start that can be read.
  case noStart
  /// The series recurs in a way that cannot be divided, for this reason.
  case unsupported(String)
}

/// The effect of one component of a scheduling message.
public struct SchedulingResult: Hashable, Sendable {
  /// The place of the component among those of the message.
  public let place: Int
  /// The value of its RECURRENCE-ID, or nil for the item as a whole.
  public let recurrenceID: String?
  /// The effect.
  public let outcome: SchedulingOutcome
}

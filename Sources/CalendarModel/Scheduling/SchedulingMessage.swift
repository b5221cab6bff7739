// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// A scheduling message (iTIP, RFC 5546): a method, and components with the same UID.
public struct SchedulingMessage: Hashable, Sendable {
  /// The purpose of the message.
  public let method: SchedulingMethod
  /// The components of the message, in a calendar that may still have its METHOD.
  public let item: CalendarItem

  /// The only attendees to whom the message is sent; nil for all of its attendees.
  private(set) var audience: Set<CalendarAddress>?

  /// Creates a message.
  public init(_ method: SchedulingMethod, _ item: CalendarItem) {
    self.method = method
    self.item = item
  }

  /// The message for some of its attendees only.
  func restricted(to audience: Set<CalendarAddress>) -> SchedulingMessage {
    var message = self
    message.audience = audience
    return message
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

/// The purpose of a scheduling message (METHOD, RFC 5546 §1.4).
///
/// Other words than those named here are kept; case does not count.
public struct SchedulingMethod: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a method from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// The organizer publishes an item, to no one in particular (RFC 5546 §3.2.1).
  public static let publish = SchedulingMethod(rawValue: "PUBLISH")
  /// The organizer invites, reschedules or updates (RFC 5546 §3.2.2).
  public static let request = SchedulingMethod(rawValue: "REQUEST")
  /// An attendee answers (RFC 5546 §3.2.3).
  public static let reply = SchedulingMethod(rawValue: "REPLY")
  /// The organizer adds an occurrence (RFC 5546 §3.2.4).
  public static let add = SchedulingMethod(rawValue: "ADD")
  /// The organizer cancels an item or an occurrence, or uninvites attendees (RFC 5546 §3.2.5).
  public static let cancel = SchedulingMethod(rawValue: "CANCEL")
  /// An attendee asks for the latest version (RFC 5546 §3.2.6).
  public static let refresh = SchedulingMethod(rawValue: "REFRESH")
  /// An attendee proposes a change (RFC 5546 §3.2.7).
  public static let counter = SchedulingMethod(rawValue: "COUNTER")
  /// The organizer declines a proposed change (RFC 5546 §3.2.8).
  public static let declineCounter = SchedulingMethod(rawValue: "DECLINECOUNTER")

  /// Whether RFC 5546 defines the method for items of a kind (RFC 5546 §3).
  ///
  /// Whole components are taken of any kind: programs publish and send journals and availability,
  /// too.
  func isDefined(for kind: ItemKind) -> Bool {
    if bringsItem { return true }
    switch kind {
    case .event, .reminder: return isKnown
    case .journal: return self == .add || self == .cancel
    case .freeBusy: return self == .reply
    case .availability: return false
    }
  }

  /// Whether RFC 5546 defines the method.
  var isKnown: Bool {
    bringsItem || isInformative || [.reply, .add, .cancel].contains(self)
  }

  /// Whether a message with this method never changes an item: a person decides on an answer.
  package var isInformative: Bool { [.refresh, .counter, .declineCounter].contains(self) }

  /// Whether a message with this method brings whole components of the organizer's item.
  var bringsItem: Bool { self == .publish || self == .request }
}

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
public enum SchedulingRefusal: Error, Hashable, Sendable, CustomStringConvertible {
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
  /// The component names no organizer, who could receive an answer.
  case noOrganizer
  /// The attendee is not invited, and no invited attendee delegated to this one.
  case unknownAttendee(CalendarAddress)
  /// The component has no start that can be read.
  case noStart
  /// The user did not confirm the message in spite of these concerns.
  case unconfirmed([SchedulingConcern])
  /// The series recurs in a way that cannot be divided, for this reason.
  case unsupported(String)

  /// The reason in words, in lower case and without a full stop.
  public var description: String {
    switch self {
    case .unknownMethod: "RFC 5546 defines no such method"
    case .otherMethod(let kind): "RFC 5546 defines no such method for a \(kind.rawValue)"
    case .noItem: "the calendar has no item with this UID"
    case .otherKind(let stored): "this is the UID of a \(stored.rawValue)"
    case .noOccurrence: "the item has no such occurrence"
    case .noAttendee: "expected an ATTENDEE, found none"
    case .noOrganizer: "expected an ORGANIZER, found none"
    case .unknownAttendee(let attendee): "\(attendee.shortName) is not invited"
    case .unconfirmed(let concerns): concerns.map(\.description).joined(separator: "; ")
    case .noStart: "expected a DTSTART that can be read"
    case .unsupported(let reason): reason
    }
  }
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

/// The revision by which scheduling messages are ordered (RFC 5546 §2.1.5): SEQUENCE, then DTSTAMP.
///
/// Unlike `ComponentRevision` it ignores LAST-MODIFIED, which no message is ordered by. Two
/// revisions of which one has no DTSTAMP are ordered by SEQUENCE alone.
public struct SchedulingRevision: Hashable, Sendable, CustomStringConvertible {
  /// The number of significant changes by the organizer (RFC 5545 §3.8.7.4).
  public let sequence: Int
  /// The time of the message in the form of RFC 5545 §3.3.5; empty if there is none.
  public let stamp: String

  /// Creates a revision.
  public init(sequence: Int, stamp: String) {
    self.sequence = sequence
    self.stamp = stamp
  }

  /// Reads the revision of a component; a SEQUENCE that is missing or unreadable is 0.
  init(of component: Component) {
    self.init(sequence: component[.sequence], stamp: component[.dtStamp])
  }

  init(sequence: Property?, stamp: Property?) {
    self.sequence = sequence.flatMap { $0.usualInteger ?? Int($0.rawValue) } ?? 0
    self.stamp = stamp?.rawValue ?? ""
  }

  /// Reads the description of a revision.
  init?(parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let sequence = Int(parts[0]) else { return nil }
    self.init(sequence: sequence, stamp: String(parts[1]))
  }

  /// The SEQUENCE and the DTSTAMP, with a slash between them.
  public var description: String { "\(sequence)/\(stamp)" }

  /// Whether this revision came before another one.
  public func isEarlier(than other: SchedulingRevision) -> Bool {
    guard sequence == other.sequence else { return sequence < other.sequence }
    // UTC values of one form: the order of their letters is the order of time.
    return !stamp.isEmpty && !other.stamp.isEmpty && stamp < other.stamp
  }

  /// Whether both have the same SEQUENCE and the same DTSTAMP.
  func isSame(as other: SchedulingRevision) -> Bool { self == other && !stamp.isEmpty }
}

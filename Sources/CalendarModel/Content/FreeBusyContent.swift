// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// The contents of a VFREEBUSY: a request, a reply or published time (RFC 5545 §3.6.4).
///
/// `FreeBusy` computes the busy periods that others may see.
public struct FreeBusyContent: ComponentModel {
  /// The UID, or nil if none is assigned yet (RFC 5545 §3.8.4.7).
  public var uid: UID?
  /// The time at which the component was written (DTSTAMP, RFC 5545 §3.8.7.2).
  public var stamp: Instant?
  /// The start of the period that it covers (RFC 5545 §3.8.2.4).
  public var start: EventTime?
  /// The end of the period that it covers (RFC 5545 §3.8.2.2).
  public var end: EventTime?
  /// The busy and free periods (RFC 5545 §3.8.2.6).
  public var periods: [BusyPeriod] = []
  /// The requester, or the owner of published busy time (RFC 5545 §3.8.4.3).
  public var organizer: Organizer?
  /// The attendees whose busy time is requested or reported (RFC 5545 §3.8.4.1).
  public var attendees: [Attendee] = []
  /// The contact information (RFC 5545 §3.8.4.2).
  public var contact: String?
  /// The comments (RFC 5545 §3.8.1.4).
  public var comments: [String] = []
  /// The URI at which it is published (RFC 5545 §3.8.4.6).
  public var url: String?
  /// The results of the request (RFC 5545 §3.8.8.3).
  public var requestStatuses: [RequestStatus] = []

  /// Creates an empty value.
  public init() {}
}

extension FreeBusyContent {
  /// The name of the component.
  public static let componentName = ComponentName.freeBusy

  /// The mapping of the fields to the component's properties.
  public static let mapping = ComponentMapping<FreeBusyContent>([
    .one(.uid, .uid) { swap(&$0.uid, &$1) },
    .one(.dtStamp, .instant) { swap(&$0.stamp, &$1) },
    .one(.dtStart, .time) { swap(&$0.start, &$1) },
    .one(.dtEnd, .time) { swap(&$0.end, &$1) },
    .list(.freeBusy, .busyPeriods) { swap(&$0.periods, &$1) },
    .one(.organizer, .organizer) { swap(&$0.organizer, &$1) },
    .many(.attendee, .attendee, by: { $0.address }) { swap(&$0.attendees, &$1) },
    .one(.contact, .text) { swap(&$0.contact, &$1) },
    .many(.comment, .text) { swap(&$0.comments, &$1) },
    .one(.url, .uri) { swap(&$0.url, &$1) },
    .many(.requestStatus, .requestStatus) { swap(&$0.requestStatuses, &$1) },
  ])
}

/// A busy or free period (RFC 5545 §3.8.2.6).
public struct BusyPeriod: Hashable, Sendable {
  /// The start, in UTC.
  public var start: EventTime
  /// The end or the duration.
  public var end: EventEnd
  /// The type of busy time.
  public var type: BusyType

  /// Creates a period.
  public init(start: EventTime, end: EventEnd, type: BusyType = .busy) {
    self.start = start
    self.end = end
    self.type = type
  }
}

/// The type of busy time (RFC 5545 §3.2.9).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct BusyType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Free.
  public static let free = BusyType(rawValue: "FREE")
  /// Busy because of an event; the default.
  public static let busy = BusyType(rawValue: "BUSY")
  /// Unavailable, for example out of office.
  public static let unavailable = BusyType(rawValue: "BUSY-UNAVAILABLE")
  /// Busy because of a tentative event.
  public static let tentative = BusyType(rawValue: "BUSY-TENTATIVE")
}

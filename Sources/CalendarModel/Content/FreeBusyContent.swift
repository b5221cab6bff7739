// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// What a VFREEBUSY says: a request, an answer, or what is published (RFC 5545 §3.6.4).
///
/// `FreeBusy` finds out what somebody else is told.
public struct FreeBusyContent: ComponentModel {
  /// The UID, or nil if there is none yet (RFC 5545 §3.8.4.7).
  public var uid: UID?
  /// When the component was written (DTSTAMP, RFC 5545 §3.8.7.2).
  public var stamp: Instant?
  /// From when it tells (RFC 5545 §3.8.2.4).
  public var start: EventTime?
  /// Until when it tells (RFC 5545 §3.8.2.2).
  public var end: EventTime?
  /// When somebody is taken up, or is not (RFC 5545 §3.8.2.6).
  public var periods: [BusyPeriod] = []
  /// Who asks, or whose time it is that is published (RFC 5545 §3.8.4.3).
  public var organizer: Organizer?
  /// Whose time is asked for, or told (RFC 5545 §3.8.4.1).
  public var attendees: [Attendee] = []
  /// Whom to ask (RFC 5545 §3.8.4.2).
  public var contact: String?
  /// Remarks (RFC 5545 §3.8.1.4).
  public var comments: [String] = []
  /// Where it is published (RFC 5545 §3.8.4.6).
  public var url: String?
  /// What became of the request (RFC 5545 §3.8.8.3).
  public var requestStatuses: [RequestStatus] = []

  /// Creates a value that says nothing.
  public init() {}
}

extension FreeBusyContent {
  /// The name of the component.
  public static let componentName = ComponentName.freeBusy

  /// How its fields stand in the properties of the component.
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

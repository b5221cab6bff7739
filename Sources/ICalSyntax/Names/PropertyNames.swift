// SPDX-License-Identifier: Apache-2.0

extension Name where Vocabulary == PropertyVocabulary {
  /// The CALSCALE property (RFC 5545 §3.7.1).
  public static var calscale: Self { "CALSCALE" }
  /// The METHOD property (RFC 5545 §3.7.2).
  public static var method: Self { "METHOD" }
  /// The PRODID property (RFC 5545 §3.7.3).
  public static var productID: Self { "PRODID" }
  /// The VERSION property (RFC 5545 §3.7.4).
  public static var version: Self { "VERSION" }
  /// The ATTACH property (RFC 5545 §3.8.1.1).
  public static var attach: Self { "ATTACH" }
  /// The CATEGORIES property (RFC 5545 §3.8.1.2).
  public static var categories: Self { "CATEGORIES" }
  /// The CLASS property (RFC 5545 §3.8.1.3).
  public static var classification: Self { "CLASS" }
  /// The COMMENT property (RFC 5545 §3.8.1.4).
  public static var comment: Self { "COMMENT" }
  /// The DESCRIPTION property (RFC 5545 §3.8.1.5).
  public static var descriptionText: Self { "DESCRIPTION" }
  /// The GEO property (RFC 5545 §3.8.1.6).
  public static var geo: Self { "GEO" }
  /// The LOCATION property (RFC 5545 §3.8.1.7).
  public static var location: Self { "LOCATION" }
  /// The PERCENT-COMPLETE property (RFC 5545 §3.8.1.8).
  public static var percentComplete: Self { "PERCENT-COMPLETE" }
  /// The PRIORITY property (RFC 5545 §3.8.1.9).
  public static var priority: Self { "PRIORITY" }
  /// The RESOURCES property (RFC 5545 §3.8.1.10).
  public static var resources: Self { "RESOURCES" }
  /// The STATUS property (RFC 5545 §3.8.1.11).
  public static var status: Self { "STATUS" }
  /// The SUMMARY property (RFC 5545 §3.8.1.12).
  public static var summary: Self { "SUMMARY" }
  /// The COMPLETED property (RFC 5545 §3.8.2.1).
  public static var completed: Self { "COMPLETED" }
  /// The DTEND property (RFC 5545 §3.8.2.2).
  public static var dtEnd: Self { "DTEND" }
  /// The DUE property (RFC 5545 §3.8.2.3).
  public static var due: Self { "DUE" }
  /// The DTSTART property (RFC 5545 §3.8.2.4).
  public static var dtStart: Self { "DTSTART" }
  /// The DURATION property (RFC 5545 §3.8.2.5).
  public static var duration: Self { "DURATION" }
  /// The FREEBUSY property (RFC 5545 §3.8.2.6).
  public static var freeBusy: Self { "FREEBUSY" }
  /// The TRANSP property (RFC 5545 §3.8.2.7).
  public static var transparency: Self { "TRANSP" }
  /// The TZID property (RFC 5545 §3.8.3.1).
  public static var tzID: Self { "TZID" }
  /// The TZNAME property (RFC 5545 §3.8.3.2).
  public static var tzName: Self { "TZNAME" }
  /// The TZOFFSETFROM property (RFC 5545 §3.8.3.3).
  public static var tzOffsetFrom: Self { "TZOFFSETFROM" }
  /// The TZOFFSETTO property (RFC 5545 §3.8.3.4).
  public static var tzOffsetTo: Self { "TZOFFSETTO" }
  /// The TZURL property (RFC 5545 §3.8.3.5).
  public static var tzURL: Self { "TZURL" }
  /// The EXDATE property (RFC 5545 §3.8.5.1).
  public static var exDate: Self { "EXDATE" }
  /// The RDATE property (RFC 5545 §3.8.5.2).
  public static var rDate: Self { "RDATE" }
  /// The RRULE property (RFC 5545 §3.8.5.3).
  public static var rRule: Self { "RRULE" }
  /// The EXRULE property (RFC 2445 §4.8.5.2).
  public static var exRule: Self { "EXRULE" }
  /// The ACTION property (RFC 5545 §3.8.6.1).
  public static var action: Self { "ACTION" }
  /// The REPEAT property (RFC 5545 §3.8.6.2).
  public static var repeatCount: Self { "REPEAT" }
  /// The TRIGGER property (RFC 5545 §3.8.6.3).
  public static var trigger: Self { "TRIGGER" }
  /// The CREATED property (RFC 5545 §3.8.7.1).
  public static var created: Self { "CREATED" }
  /// The DTSTAMP property (RFC 5545 §3.8.7.2).
  public static var dtStamp: Self { "DTSTAMP" }
  /// The LAST-MODIFIED property (RFC 5545 §3.8.7.3).
  public static var lastModified: Self { "LAST-MODIFIED" }
  /// The SEQUENCE property (RFC 5545 §3.8.7.4).
  public static var sequence: Self { "SEQUENCE" }
  /// The ATTENDEE property (RFC 5545 §3.8.4.1).
  public static var attendee: Self { "ATTENDEE" }
  /// The CONTACT property (RFC 5545 §3.8.4.2).
  public static var contact: Self { "CONTACT" }
  /// The ORGANIZER property (RFC 5545 §3.8.4.3).
  public static var organizer: Self { "ORGANIZER" }
  /// The RECURRENCE-ID property (RFC 5545 §3.8.4.4).
  public static var recurrenceID: Self { "RECURRENCE-ID" }
  /// The RELATED-TO property (RFC 5545 §3.8.4.5).
  public static var relatedTo: Self { "RELATED-TO" }
  /// The URL property (RFC 5545 §3.8.4.6).
  public static var url: Self { "URL" }
  /// The UID property (RFC 5545 §3.8.4.7).
  public static var uid: Self { "UID" }
  /// The REQUEST-STATUS property (RFC 5545 §3.8.8.3).
  public static var requestStatus: Self { "REQUEST-STATUS" }
  /// The BUSYTYPE property (RFC 7953 §3.2).
  public static var busyType: Self { "BUSYTYPE" }
  /// The NAME property (RFC 7986 §5.1).
  public static var name: Self { "NAME" }
  /// The REFRESH-INTERVAL property (RFC 7986 §5.7).
  public static var refreshInterval: Self { "REFRESH-INTERVAL" }
  /// The SOURCE property (RFC 7986 §5.8).
  public static var source: Self { "SOURCE" }
  /// The COLOR property (RFC 7986 §5.9).
  public static var color: Self { "COLOR" }
  /// The IMAGE property (RFC 7986 §5.10).
  public static var image: Self { "IMAGE" }
  /// The CONFERENCE property (RFC 7986 §5.11).
  public static var conference: Self { "CONFERENCE" }
  /// The ACKNOWLEDGED property (RFC 9074 §6.1).
  public static var acknowledged: Self { "ACKNOWLEDGED" }
  /// The PROXIMITY property (RFC 9074 §8.1).
  public static var proximity: Self { "PROXIMITY" }
  /// The TZUNTIL property (RFC 7808 §7.1).
  public static var tzUntil: Self { "TZUNTIL" }
  /// The TZID-ALIAS-OF property (RFC 7808 §7.2).
  public static var tzIDAliasOf: Self { "TZID-ALIAS-OF" }
  /// The LOCATION-TYPE property (RFC 9073 §6.1).
  public static var locationType: Self { "LOCATION-TYPE" }
  /// The PARTICIPANT-TYPE property (RFC 9073 §6.2).
  public static var participantType: Self { "PARTICIPANT-TYPE" }
  /// The RESOURCE-TYPE property (RFC 9073 §6.3).
  public static var resourceType: Self { "RESOURCE-TYPE" }
  /// The CALENDAR-ADDRESS property (RFC 9073 §6.4).
  public static var calendarAddress: Self { "CALENDAR-ADDRESS" }
  /// The STYLED-DESCRIPTION property (RFC 9073 §6.5).
  public static var styledDescription: Self { "STYLED-DESCRIPTION" }
  /// The STRUCTURED-DATA property (RFC 9073 §6.6).
  public static var structuredData: Self { "STRUCTURED-DATA" }
  /// The CONCEPT property (RFC 9253 §8.1).
  public static var concept: Self { "CONCEPT" }
  /// The LINK property (RFC 9253 §8.2).
  public static var link: Self { "LINK" }
  /// The REFID property (RFC 9253 §8.3).
  public static var referenceID: Self { "REFID" }
}

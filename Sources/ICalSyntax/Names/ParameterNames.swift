// SPDX-License-Identifier: Apache-2.0

extension Name where Vocabulary == ParameterVocabulary {
  /// The ALTREP parameter (RFC 5545 §3.2.1).
  public static var alternateRepresentation: Self { "ALTREP" }
  /// The CN parameter (RFC 5545 §3.2.2).
  public static var commonName: Self { "CN" }
  /// The CUTYPE parameter (RFC 5545 §3.2.3).
  public static var calendarUserType: Self { "CUTYPE" }
  /// The DELEGATED-FROM parameter (RFC 5545 §3.2.4).
  public static var delegatedFrom: Self { "DELEGATED-FROM" }
  /// The DELEGATED-TO parameter (RFC 5545 §3.2.5).
  public static var delegatedTo: Self { "DELEGATED-TO" }
  /// The DIR parameter (RFC 5545 §3.2.6).
  public static var directory: Self { "DIR" }
  /// The ENCODING parameter (RFC 5545 §3.2.7).
  public static var encoding: Self { "ENCODING" }
  /// The FMTTYPE parameter (RFC 5545 §3.2.8).
  public static var formatType: Self { "FMTTYPE" }
  /// The FBTYPE parameter (RFC 5545 §3.2.9).
  public static var freeBusyType: Self { "FBTYPE" }
  /// The LANGUAGE parameter (RFC 5545 §3.2.10).
  public static var language: Self { "LANGUAGE" }
  /// The MEMBER parameter (RFC 5545 §3.2.11).
  public static var member: Self { "MEMBER" }
  /// The PARTSTAT parameter (RFC 5545 §3.2.12).
  public static var participationStatus: Self { "PARTSTAT" }
  /// The RANGE parameter (RFC 5545 §3.2.13).
  public static var range: Self { "RANGE" }
  /// The RELATED parameter (RFC 5545 §3.2.14).
  public static var related: Self { "RELATED" }
  /// The RELTYPE parameter (RFC 5545 §3.2.15).
  public static var relationshipType: Self { "RELTYPE" }
  /// The ROLE parameter (RFC 5545 §3.2.16).
  public static var role: Self { "ROLE" }
  /// The RSVP parameter (RFC 5545 §3.2.17).
  public static var rsvp: Self { "RSVP" }
  /// The SENT-BY parameter (RFC 5545 §3.2.18).
  public static var sentBy: Self { "SENT-BY" }
  /// The TZID parameter (RFC 5545 §3.2.19).
  public static var tzID: Self { "TZID" }
  /// The VALUE parameter (RFC 5545 §3.2.20).
  public static var value: Self { "VALUE" }
  /// The DISPLAY parameter (RFC 7986 §6.1).
  public static var display: Self { "DISPLAY" }
  /// The EMAIL parameter (RFC 7986 §6.2).
  public static var email: Self { "EMAIL" }
  /// The FEATURE parameter (RFC 7986 §6.3).
  public static var feature: Self { "FEATURE" }
  /// The LABEL parameter (RFC 7986 §6.4).
  public static var label: Self { "LABEL" }
  /// The SCHEDULE-AGENT parameter (RFC 6638 §7.1).
  public static var scheduleAgent: Self { "SCHEDULE-AGENT" }
  /// The SCHEDULE-STATUS parameter (RFC 6638 §7.3).
  public static var scheduleStatus: Self { "SCHEDULE-STATUS" }
  /// The SCHEDULE-FORCE-SEND parameter (RFC 6638 §7.2).
  public static var scheduleForceSend: Self { "SCHEDULE-FORCE-SEND" }
  /// The ORDER parameter (RFC 9073 §5.1).
  public static var order: Self { "ORDER" }
  /// The SCHEMA parameter (RFC 9073 §5.2).
  public static var schema: Self { "SCHEMA" }
  /// The DERIVED parameter (RFC 9073 §5.3).
  public static var derived: Self { "DERIVED" }
  /// The LINKREL parameter (RFC 9253 §6.1).
  public static var linkRelation: Self { "LINKREL" }
  /// The GAP parameter (RFC 9253 §6.2).
  public static var gap: Self { "GAP" }
  /// The CHARSET parameter (RFC 2445 §4.1.4).
  public static var charset: Self { "CHARSET" }
  /// The FILENAME parameter (RFC 8607 §4).
  public static var fileName: Self { "FILENAME" }
  /// The MANAGED-ID parameter (RFC 8607 §4).
  public static var managedID: Self { "MANAGED-ID" }
  /// The SIZE parameter (RFC 8607 §4).
  public static var size: Self { "SIZE" }
}

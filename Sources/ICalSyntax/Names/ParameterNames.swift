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

/// The rules of the RFCs for parameters, one row each; new parameters are added here.
public enum ParameterTable {
  /// The rules for one parameter.
  public struct Row: Hashable, Sendable {
    /// The name in upper case.
    public let name: String
    /// The type of its values.
    public let content: Content
    /// Whether it may have several values.
    public let isList: Bool
    /// The properties that may have it; empty for all.
    public let properties: Set<PropertyName>
    /// The section that defines it, such as `RFC 5545 §3.2.19`.
    public let reference: String
  }

  /// The type of a parameter's values.
  public enum Content: Hashable, Sendable {
    /// Any text.
    case text
    /// A URI, or the address of a calendar user.
    case uri
    /// One of these words, in any case.
    case words([String])
    /// An integer of at least this value.
    case number(from: Int)
    /// A duration (RFC 5545 §3.3.6).
    case duration
  }

  /// Returns the row of a parameter, or nil if no supported RFC defines it.
  public static func row(for name: ParameterName) -> Row? {
    name.index.map { rows[$0] }
  }

  /// All rows, in the order of the RFCs.
  public static let rows: [Row] = coreRows + laterRows

  private static func row(
    _ name: String, _ section: String, _ content: Content = .text, isList: Bool = false,
    on properties: Set<PropertyName> = [], rfc: Int = 5545
  ) -> Row {
    Row(
      name: name, content: content, isList: isList, properties: properties,
      reference: "RFC \(rfc) §\(section)")
  }

  private static let texts: Set<PropertyName> = [
    .comment, .contact, .descriptionText, .location, .resources, .summary, .name,
    .styledDescription,
  ]
  /// RFC 9073 §7.1.1 allows the parameters of ATTENDEE on CALENDAR-ADDRESS too.
  private static let participants: Set<PropertyName> = [.attendee, .calendarAddress]
  private static let people = participants.union([.organizer])
  private static let zoned: Set<PropertyName> = [
    .dtStart, .dtEnd, .due, .exDate, .rDate, .recurrenceID,
  ]
  private static let media: Set<PropertyName> = [.attach, .image, .structuredData]

  private static let coreRows: [Row] = [
    row("ALTREP", "3.2.1", .uri, on: texts.union([.image])),
    row("CN", "3.2.2", on: people),
    row("CUTYPE", "3.2.3", on: participants),
    row("DELEGATED-FROM", "3.2.4", .uri, isList: true, on: participants),
    row("DELEGATED-TO", "3.2.5", .uri, isList: true, on: participants),
    row("DIR", "3.2.6", .uri, on: people),
    row("ENCODING", "3.2.7", .words(["8BIT", "BASE64"]), on: media),
    row("FMTTYPE", "3.2.8", on: media.union([.styledDescription, .link])),
    row("FBTYPE", "3.2.9", on: [.freeBusy]),
    row(
      "LANGUAGE", "3.2.10",
      on: texts.union(people).union([
        .categories, .tzName, .requestStatus, .conference, .link,
      ])),
    row("MEMBER", "3.2.11", .uri, isList: true, on: participants),
    row("PARTSTAT", "3.2.12", on: participants),
    row("RANGE", "3.2.13", .words(["THISANDFUTURE"]), on: [.recurrenceID]),
    row("RELATED", "3.2.14", .words(["START", "END"]), on: [.trigger]),
    row("RELTYPE", "3.2.15", on: [.relatedTo]),
    row("ROLE", "3.2.16", on: participants),
    row("RSVP", "3.2.17", .words(["TRUE", "FALSE"]), on: participants),
    row("SENT-BY", "3.2.18", .uri, on: people),
    row("TZID", "3.2.19", on: zoned),
    row("VALUE", "3.2.20"),
  ]

  private static let laterRows: [Row] = [
    row("CHARSET", "4.1.4", rfc: 2445),
    row("SCHEDULE-AGENT", "7.1", on: people, rfc: 6638),
    row("SCHEDULE-FORCE-SEND", "7.2", on: people, rfc: 6638),
    row("SCHEDULE-STATUS", "7.3", isList: true, on: people, rfc: 6638),
    row("DISPLAY", "6.1", isList: true, on: [.image], rfc: 7986),
    row("EMAIL", "6.2", on: people, rfc: 7986),
    row("FEATURE", "6.3", isList: true, on: [.conference], rfc: 7986),
    row("LABEL", "6.4", rfc: 7986),
    row("FILENAME", "4", on: [.attach], rfc: 8607),
    row("MANAGED-ID", "4", on: [.attach], rfc: 8607),
    row("SIZE", "4", .number(from: 0), on: [.attach], rfc: 8607),
    row("ORDER", "5.1", .number(from: 1), rfc: 9073),
    row("SCHEMA", "5.2", .uri, on: [.structuredData], rfc: 9073),
    row("DERIVED", "5.3", .words(["TRUE", "FALSE"]), rfc: 9073),
    row("LINKREL", "6.1", on: [.link], rfc: 9253),
    row("GAP", "6.2", .duration, on: [.relatedTo], rfc: 9253),
  ]
}

/// The parameter names that the RFCs define: those of `ParameterTable`.
public enum ParameterVocabulary: NameVocabulary {
  /// The names in the order of `ParameterTable`.
  ///
  /// It is a separate list, because the rows of the table contain sets of property names, which are
  /// not needed before the first check.
  public static let table = NameTable([
    "ALTREP", "CN", "CUTYPE", "DELEGATED-FROM", "DELEGATED-TO", "DIR", "ENCODING", "FMTTYPE",
    "FBTYPE", "LANGUAGE", "MEMBER", "PARTSTAT", "RANGE", "RELATED", "RELTYPE", "ROLE", "RSVP",
    "SENT-BY", "TZID", "VALUE", "CHARSET", "SCHEDULE-AGENT", "SCHEDULE-FORCE-SEND",
    "SCHEDULE-STATUS", "DISPLAY", "EMAIL", "FEATURE", "LABEL", "FILENAME", "MANAGED-ID", "SIZE",
    "ORDER", "SCHEMA", "DERIVED", "LINKREL", "GAP",
  ])
}

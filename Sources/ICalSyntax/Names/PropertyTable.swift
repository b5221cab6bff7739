// SPDX-License-Identifier: Apache-2.0

/// What the RFCs say of each property, one row a property: the only place to add one.
///
/// A property that has no row (an `X-` or IANA property) is kept verbatim, with values of unknown
/// type.
public enum PropertyTable {
  /// What is known of one property.
  public struct Row: Hashable, Sendable {
    /// The name in upper case.
    public let name: String
    /// The type of its value where no VALUE parameter says otherwise.
    public let valueType: ValueType
    /// The other types that a VALUE parameter may name.
    public let alternatives: [ValueType]
    /// What separates several values in one property, or nil if there is always just one.
    public let separator: Separator?
    /// The section that defines it, as `RFC 5545 §3.8.1.12`.
    public let reference: String
  }

  /// What stands between several values in one property.
  public enum Separator: Sendable {
    /// A list of equals, as in CATEGORIES (RFC 5545 §3.1.1).
    case comma
    /// A structure, as in GEO or REQUEST-STATUS.
    case semicolon
  }

  /// The row of a property, or nil if no RFC that is implemented defines it.
  public static func row(for name: PropertyName) -> Row? {
    name.index.map { rows[$0] }
  }

  /// All rows, in the order of the RFCs.
  public static let rows: [Row] =
    calendarRows + descriptiveRows + timeRows + relationRows + laterRows

  private static func row(
    _ name: String, _ section: String, _ type: ValueType, _ alternatives: ValueType...,
    separator: Separator? = nil, rfc: Int = 5545
  ) -> Row {
    Row(
      name: name, valueType: type, alternatives: alternatives, separator: separator,
      reference: "RFC \(rfc) §\(section)")
  }

  private static let calendarRows: [Row] = [
    row("BEGIN", "3.6", .text),
    row("END", "3.6", .text),
    row("CALSCALE", "3.7.1", .text),
    row("METHOD", "3.7.2", .text),
    row("PRODID", "3.7.3", .text),
    row("VERSION", "3.7.4", .text),
  ]

  private static let descriptiveRows: [Row] = [
    row("ATTACH", "3.8.1.1", .uri, .binary),
    row("CATEGORIES", "3.8.1.2", .text, separator: .comma),
    row("CLASS", "3.8.1.3", .text),
    row("COMMENT", "3.8.1.4", .text),
    row("DESCRIPTION", "3.8.1.5", .text),
    row("GEO", "3.8.1.6", .float, separator: .semicolon),
    row("LOCATION", "3.8.1.7", .text),
    row("PERCENT-COMPLETE", "3.8.1.8", .integer),
    row("PRIORITY", "3.8.1.9", .integer),
    row("RESOURCES", "3.8.1.10", .text, separator: .comma),
    row("STATUS", "3.8.1.11", .text),
    row("SUMMARY", "3.8.1.12", .text),
  ]

  private static let timeRows: [Row] = [
    row("COMPLETED", "3.8.2.1", .dateTime),
    row("DTEND", "3.8.2.2", .dateTime, .date),
    row("DUE", "3.8.2.3", .dateTime, .date),
    row("DTSTART", "3.8.2.4", .dateTime, .date),
    row("DURATION", "3.8.2.5", .duration),
    row("FREEBUSY", "3.8.2.6", .period, separator: .comma),
    row("TRANSP", "3.8.2.7", .text),
    row("TZID", "3.8.3.1", .text),
    row("TZNAME", "3.8.3.2", .text),
    row("TZOFFSETFROM", "3.8.3.3", .utcOffset),
    row("TZOFFSETTO", "3.8.3.4", .utcOffset),
    row("TZURL", "3.8.3.5", .uri),
    row("EXDATE", "3.8.5.1", .dateTime, .date, separator: .comma),
    row("RDATE", "3.8.5.2", .dateTime, .date, .period, separator: .comma),
    row("RRULE", "3.8.5.3", .recurrence),
    row("EXRULE", "4.8.5.2", .recurrence, rfc: 2445),
    row("ACTION", "3.8.6.1", .text),
    row("REPEAT", "3.8.6.2", .integer),
    row("TRIGGER", "3.8.6.3", .duration, .dateTime),
    row("CREATED", "3.8.7.1", .dateTime),
    row("DTSTAMP", "3.8.7.2", .dateTime),
    row("LAST-MODIFIED", "3.8.7.3", .dateTime),
    row("SEQUENCE", "3.8.7.4", .integer),
  ]

  private static let relationRows: [Row] = [
    row("ATTENDEE", "3.8.4.1", .calendarAddress),
    row("CONTACT", "3.8.4.2", .text),
    row("ORGANIZER", "3.8.4.3", .calendarAddress),
    row("RECURRENCE-ID", "3.8.4.4", .dateTime, .date),
    row("RELATED-TO", "3.8.4.5", .text, .uid, .uri),
    row("URL", "3.8.4.6", .uri),
    row("UID", "3.8.4.7", .text),
    row("REQUEST-STATUS", "3.8.8.3", .text, separator: .semicolon),
  ]

  /// Properties of the RFCs that extend iCalendar.
  private static let laterRows: [Row] = [
    row("BUSYTYPE", "3.2", .text, rfc: 7953),
    row("NAME", "5.1", .text, rfc: 7986),
    row("REFRESH-INTERVAL", "5.7", .duration, rfc: 7986),
    row("SOURCE", "5.8", .uri, rfc: 7986),
    row("COLOR", "5.9", .text, rfc: 7986),
    row("IMAGE", "5.10", .uri, .binary, rfc: 7986),
    row("CONFERENCE", "5.11", .uri, rfc: 7986),
    row("LOCATION-TYPE", "6.1", .text, separator: .comma, rfc: 9073),
    row("PARTICIPANT-TYPE", "6.2", .text, rfc: 9073),
    row("RESOURCE-TYPE", "6.3", .text, rfc: 9073),
    row("CALENDAR-ADDRESS", "6.4", .calendarAddress, rfc: 9073),
    row("STYLED-DESCRIPTION", "6.5", .text, .uri, rfc: 9073),
    row("STRUCTURED-DATA", "6.6", .text, .uri, .binary, rfc: 9073),
    row("ACKNOWLEDGED", "6.1", .dateTime, rfc: 9074),
    row("PROXIMITY", "8.1", .text, rfc: 9074),
    row("CONCEPT", "8.1", .uri, rfc: 9253),
    row("LINK", "8.2", .uri, .uid, .xmlReference, rfc: 9253),
    row("REFID", "8.3", .text, rfc: 9253),
  ]
}

/// The property names that the RFCs define: those of `PropertyTable`.
public enum PropertyVocabulary: NameVocabulary {
  /// The table of the names.
  public static let table = NameTable(PropertyTable.rows.map(\.name))
}

// SPDX-License-Identifier: Apache-2.0

/// The rules of the RFCs for properties, one row each; new properties are added here.
///
/// A property without a row (an `X-` or IANA property) is preserved verbatim, with values of
/// unknown type.
public enum PropertyTable {
  /// Returns the row of a property, or nil if no supported RFC defines it.
  public static func row(for name: PropertyName) -> Row? {
    name.index.map { rows[$0] }
  }

  /// All rows, in the order of the RFCs.
  public static let rows: [Row] =
    calendarRows + descriptiveRows + timeRows + zoneRows + relationRows + alarmRows + changeRows
    + laterRows

  /// Creates a row from a name, a section and the value types, default type first.
  ///
  /// Only the named components may contain the property: those in `one` exactly once, those in
  /// `upToOne` at most once, and those in `any` any number of times.
  private static func row(
    _ name: String, _ section: String, _ types: ValueType..., hasDefaultType: Bool = true,
    one: ComponentSet = [], upToOne: ComponentSet = [], any: ComponentSet = [],
    separator: Separator? = nil, limit: Limit? = nil, rfc: Int = 5545
  ) -> Row {
    Row(
      name: name, valueType: types.first ?? .unknown, alternatives: Array(types.dropFirst()),
      hasDefaultType: hasDefaultType, separator: separator, limit: limit, one: one,
      upToOne: upToOne, any: any, reference: "RFC \(rfc) §\(section)")
  }

  /// The components that have a DTSTAMP, including those of RFC 7953.
  private static let stamped: ComponentSet = [.items, .freeBusy, .availability, .available]
  /// The availability components (RFC 7953 §3.1).
  private static let office: ComponentSet = [.availability, .available]
  /// The components of RFC 9073 §7.
  private static let parties: ComponentSet = [.participant, .location, .resource]

  private static let calendarRows: [Row] = [
    row("BEGIN", "3.6", .text, any: .all),
    row("END", "3.6", .text, any: .all),
    row("CALSCALE", "3.7.1", .text, upToOne: .calendar, limit: .words(["GREGORIAN"])),
    row("METHOD", "3.7.2", .text, upToOne: .calendar),
    row("PRODID", "3.7.3", .text, one: .calendar),
    row("VERSION", "3.7.4", .text, one: .calendar, limit: .words(["2.0"])),
  ]

  private static let descriptiveRows: [Row] = [
    row("ATTACH", "3.8.1.1", .uri, .binary, any: [.items, .alarm, .participant]),
    row(
      "CATEGORIES", "3.8.1.2", .text, any: [.calendar, .items, office, .participant],
      separator: .comma),
    row("CLASS", "3.8.1.3", .text, upToOne: [.items, .availability]),
    row("COMMENT", "3.8.1.4", .text, any: [stamped, .observance, .participant]),
    row(
      "DESCRIPTION", "3.8.1.5", .text, upToOne: [.event, .reminder, .alarm, office, parties],
      any: [.calendar, .journal]),
    row(
      "GEO", "3.8.1.6", .float, upToOne: [.event, .reminder, parties], separator: .semicolon,
      limit: .coordinates),
    row(
      "LOCATION", "3.8.1.7", .text, upToOne: [.event, .reminder, office], any: .participant),
    row(
      "PERCENT-COMPLETE", "3.8.1.8", .integer, upToOne: .reminder, limit: .numbers(0...100)),
    row(
      "PRIORITY", "3.8.1.9", .integer, upToOne: [.event, .reminder, .availability, .participant],
      limit: .numbers(0...9)),
    row(
      "RESOURCES", "3.8.1.10", .text, any: [.event, .reminder, .participant], separator: .comma),
    row("STATUS", "3.8.1.11", .text, upToOne: [.items, .participant], limit: .states),
    row("SUMMARY", "3.8.1.12", .text, upToOne: [.items, .alarm, office, .participant]),
  ]

  private static let timeRows: [Row] = [
    row("COMPLETED", "3.8.2.1", .dateTime, upToOne: .reminder, limit: .utc),
    row("DTEND", "3.8.2.2", .dateTime, .date, upToOne: [.event, .freeBusy, office]),
    row("DUE", "3.8.2.3", .dateTime, .date, upToOne: .reminder),
    row(
      "DTSTART", "3.8.2.4", .dateTime, .date, one: [.observance, .available],
      upToOne: [.items, .freeBusy, .availability]),
    row(
      "DURATION", "3.8.2.5", .duration, upToOne: [.event, .reminder, .alarm, office],
      limit: .positive),
    row("FREEBUSY", "3.8.2.6", .period, any: .freeBusy, separator: .comma, limit: .utc),
    row(
      "TRANSP", "3.8.2.7", .text, upToOne: .event, limit: .words(["OPAQUE", "TRANSPARENT"])),
  ]

  private static let zoneRows: [Row] = [
    row("TZID", "3.8.3.1", .text, one: .timeZone),
    row("TZNAME", "3.8.3.2", .text, any: .observance),
    row("TZOFFSETFROM", "3.8.3.3", .utcOffset, one: .observance),
    row("TZOFFSETTO", "3.8.3.4", .utcOffset, one: .observance),
    row("TZURL", "3.8.3.5", .uri, upToOne: .timeZone),
    row("TZUNTIL", "7.1", .dateTime, upToOne: .timeZone, limit: .utc, rfc: 7808),
    row("TZID-ALIAS-OF", "7.2", .text, any: .timeZone, rfc: 7808),
  ]

  private static let relationRows: [Row] = [
    row("ATTENDEE", "3.8.4.1", .calendarAddress, any: [.items, .freeBusy, .alarm]),
    row(
      "CONTACT", "3.8.4.2", .text, upToOne: .freeBusy, any: [.items, office, .participant]),
    row(
      "ORGANIZER", "3.8.4.3", .calendarAddress, upToOne: [.items, .freeBusy, .availability]),
    row("RECURRENCE-ID", "3.8.4.4", .dateTime, .date, upToOne: [.items, .available]),
    row("RELATED-TO", "3.8.4.5", .text, .uid, .uri, any: .all),
    row(
      "URL", "3.8.4.6", .uri,
      upToOne: [.calendar, .items, .freeBusy, .availability, .participant, .location]),
    row("UID", "3.8.4.7", .text, one: [stamped, parties], upToOne: [.calendar, .alarm]),
    row("EXDATE", "3.8.5.1", .dateTime, .date, any: [.items, .available], separator: .comma),
    row(
      "RDATE", "3.8.5.2", .dateTime, .date, .period, any: [.items, .available, .observance],
      separator: .comma),
    row("RRULE", "3.8.5.3", .recurrence, upToOne: .available, any: [.items, .observance]),
    row("EXRULE", "4.8.5.2", .recurrence, any: .items, rfc: 2445),
    row(
      "REQUEST-STATUS", "3.8.8.3", .text, any: [.items, .freeBusy, .participant],
      separator: .semicolon),
  ]

  private static let alarmRows: [Row] = [
    row("ACTION", "3.8.6.1", .text, one: .alarm),
    row("REPEAT", "3.8.6.2", .integer, upToOne: .alarm, limit: .naturalNumber),
    row("TRIGGER", "3.8.6.3", .duration, .dateTime, one: .alarm, limit: .utc),
    row("ACKNOWLEDGED", "6.1", .dateTime, upToOne: .alarm, limit: .utc, rfc: 9074),
    row("PROXIMITY", "8.1", .text, upToOne: .alarm, rfc: 9074),
  ]

  private static let changeRows: [Row] = [
    row("CREATED", "3.8.7.1", .dateTime, upToOne: [.items, office, .participant], limit: .utc),
    row(
      "DTSTAMP", "3.8.7.2", .dateTime, one: stamped, upToOne: .participant, limit: .utc),
    row(
      "LAST-MODIFIED", "3.8.7.3", .dateTime,
      upToOne: [.calendar, .items, .timeZone, office, .participant], limit: .utc),
    row(
      "SEQUENCE", "3.8.7.4", .integer, upToOne: [.items, .availability, .participant],
      limit: .naturalNumber),
  ]

  /// Properties of the RFCs that extend iCalendar.
  private static let laterRows: [Row] = [
    row("BUSYTYPE", "3.2", .text, upToOne: .availability, rfc: 7953),
    row("NAME", "5.1", .text, upToOne: [.location, .resource], any: .calendar, rfc: 7986),
    row(
      "REFRESH-INTERVAL", "5.7", .duration, hasDefaultType: false, upToOne: .calendar,
      limit: .positive, rfc: 7986),
    row("SOURCE", "5.8", .uri, hasDefaultType: false, upToOne: .calendar, rfc: 7986),
    row("COLOR", "5.9", .text, upToOne: [.calendar, .items], rfc: 7986),
    row(
      "IMAGE", "5.10", .uri, .binary, hasDefaultType: false, any: [.calendar, .items], rfc: 7986),
    row("CONFERENCE", "5.11", .uri, hasDefaultType: false, any: [.event, .reminder], rfc: 7986),
    row("LOCATION-TYPE", "6.1", .text, upToOne: .location, separator: .comma, rfc: 9073),
    row("PARTICIPANT-TYPE", "6.2", .text, one: .participant, rfc: 9073),
    row("RESOURCE-TYPE", "6.3", .text, upToOne: .resource, rfc: 9073),
    row("CALENDAR-ADDRESS", "6.4", .calendarAddress, upToOne: .participant, rfc: 9073),
    row(
      "STYLED-DESCRIPTION", "6.5", .text, .uri, hasDefaultType: false,
      any: [.items, .freeBusy, .alarm, .participant], rfc: 9073),
    row(
      "STRUCTURED-DATA", "6.6", .text, .uri, .binary, hasDefaultType: false, any: .all, rfc: 9073),
    row("CONCEPT", "8.1", .uri, any: .all, rfc: 9253),
    row(
      "LINK", "8.2", .uri, .uid, .xmlReference, hasDefaultType: false, any: .all, rfc: 9253),
    row("REFID", "8.3", .text, any: .all, rfc: 9253),
  ]
}

/// The property names that the RFCs define: those of `PropertyTable`.
public enum PropertyVocabulary: NameVocabulary {
  /// The lookup table of the names.
  public static let table = NameTable(PropertyTable.rows.map(\.name))
}

extension PropertyTable {
  /// The rules for one property.
  public struct Row: Hashable, Sendable {
    /// The name in upper case.
    public let name: String
    /// The type of its value without a VALUE parameter.
    public let valueType: ValueType
    /// The other types that a VALUE parameter may name.
    public let alternatives: [ValueType]
    /// Whether the first type is the default.
    ///
    /// If no RFC defines a default, the first type is assumed for a missing VALUE parameter, but
    /// the parameter is always written (RFC 7986 §5, RFC 9073 §6.5).
    public let hasDefaultType: Bool
    /// The separator of several values, or nil if there is always a single one.
    public let separator: Separator?
    /// The restriction of its values, or nil if any value of the type is allowed.
    public let limit: Limit?
    /// The components that must contain it exactly once.
    public let one: ComponentSet
    /// The components that may contain it at most once.
    public let upToOne: ComponentSet
    /// The components that may contain it any number of times.
    public let any: ComponentSet
    /// The section that defines it, such as `RFC 5545 §3.8.1.12`.
    public let reference: String

    /// Returns the allowed number of occurrences in a component, or nil if no RFC allows it there.
    public func occurrence(in component: ComponentSet) -> Occurrence? {
      if !one.isDisjoint(with: component) { return .one }
      if !upToOne.isDisjoint(with: component) { return .upToOne }
      return any.isDisjoint(with: component) ? nil : .any
    }
  }

  /// The separator of several values in one property.
  public enum Separator: Sendable {
    /// A list of equivalent values, as in CATEGORIES (RFC 5545 §3.1.1).
    case comma
    /// A structured value, as in GEO or REQUEST-STATUS.
    case semicolon
  }

  /// The allowed number of occurrences of a property in a component.
  public enum Occurrence: Sendable {
    /// Exactly once.
    case one
    /// At most once.
    case upToOne
    /// Any number of times.
    case any
  }

  /// A restriction of a property's values beyond their type.
  ///
  /// Words are listed only if the RFC allows no others. If it allows `x-name` and IANA tokens, any
  /// word is valid.
  public enum Limit: Hashable, Sendable {
    /// One of these uppercase words, in any case.
    case words([String])
    /// The STATUS values of the containing component (RFC 5545 §3.8.1.11).
    case states
    /// A number in a range.
    case numbers(ClosedRange<Int>)
    /// A duration that is not negative.
    case positive
    /// A latitude and a longitude (RFC 5545 §3.8.1.6).
    case coordinates
    /// Times in UTC, which end in Z.
    case utc

    /// A non-negative 32-bit integer (RFC 5545 §3.3.8).
    static var naturalNumber: Limit { .numbers(0...Int(Int32.max)) }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The required and forbidden properties of messages, by method and component (RFC 5546 §3).
///
/// DTSTAMP and UID are omitted, because every component requires them anyway.
enum MethodTable {
  /// The rules of a method for one kind of component.
  struct Row: Sendable {
    let method: String
    let component: ComponentName
    /// The required properties.
    let required: [PropertyName]
    /// The forbidden properties.
    let forbidden: [PropertyName]
    /// Whether alarms are allowed.
    let allowsAlarms: Bool
    /// The maximum number of ATTENDEE properties.
    let attendeeLimit: Int
    /// The other components of the same kind that the message may contain.
    let company: Company
    /// The section that defines the rules.
    let reference: String

    /// Whether the method adds an occurrence, which requires a SEQUENCE above 0.
    var isAddition: Bool { method == "ADD" }
    /// Whether the method cancels a component or an attendee's participation.
    var isCancellation: Bool { method == "CANCEL" }

    /// The severity of a deviation.
    ///
    /// Many feeds use PUBLISH without an organizer, which does no harm.
    var severity: Diagnostic.Severity { method == "PUBLISH" ? .note : .warning }
  }

  /// The components of one kind that a message may contain.
  enum Company: Sendable {
    /// Any number (`1+`).
    case any
    /// Several with the same UID (`1+`, "all components MUST have the same UID").
    case sameUID
    /// Only one (`1`).
    case none
  }

  /// The methods of RFC 5546.
  static let methods: Set<String> = Set(rows.map(\.method))

  /// Returns the row of a method for a component, or nil if they cannot be combined.
  static func row(_ method: String, _ component: ComponentName) -> Row? {
    rows.first { $0.method == method && $0.component == component }
  }

  /// The components that a message can be about.
  static let subjects: Set<ComponentName> = Set(rows.map(\.component))

  private static func row(
    _ method: String, _ component: ComponentName, _ section: String, _ required: PropertyName...,
    without forbidden: [PropertyName] = [], alarms: Bool = true,
    attendees: Int = .max, beside company: Company = .any
  ) -> Row {
    Row(
      method: method, component: component, required: required, forbidden: forbidden,
      allowsAlarms: alarms, attendeeLimit: attendees, company: company,
      reference: "RFC 5546 §\(section)")
  }

  /// The properties that a message which only refers to an item must not have.
  private static let content: [PropertyName] = [
    .attach, .categories, .classification, .contact, .created, .descriptionText, .dtStart,
    .duration, .exDate, .geo, .lastModified, .location, .priority, .rDate, .relatedTo,
    .requestStatus, .resources, .rRule, .sequence, .status, .url,
  ]
  /// The recurrence properties that an added occurrence must not have, as only its series has them.
  private static let series: [PropertyName] = [
    .exDate, .rDate, .recurrenceID, .requestStatus, .rRule,
  ]

  private static let rows: [Row] = eventRows + freeBusyRows + reminderRows + journalRows

  private static let eventRows: [Row] = [
    row(
      "PUBLISH", .event, "3.2.1", .dtStart, .organizer, .summary,
      without: [.attendee, .requestStatus]),
    row(
      "REQUEST", .event, "3.2.2", .attendee, .dtStart, .organizer, .summary,
      without: [.requestStatus], beside: .sameUID),
    row(
      "REPLY", .event, "3.2.3", .attendee, .organizer, alarms: false, attendees: 1,
      beside: .sameUID),
    row(
      "ADD", .event, "3.2.4", .dtStart, .organizer, .sequence, .summary, without: series,
      beside: .none),
    row(
      "CANCEL", .event, "3.2.5", .organizer, .sequence, without: [.requestStatus], alarms: false,
      beside: .sameUID),
    row(
      "REFRESH", .event, "3.2.6", .attendee, .organizer,
      without: content + [.dtEnd, .summary, .transparency], alarms: false, attendees: 1,
      beside: .none),
    row("COUNTER", .event, "3.2.7", .dtStart, .organizer, .sequence, .summary, beside: .none),
    row(
      "DECLINECOUNTER", .event, "3.2.8", .attendee, .organizer, .sequence, alarms: false,
      beside: .sameUID),
  ]

  private static let freeBusyRows: [Row] = [
    row(
      "PUBLISH", .freeBusy, "3.3.1", .dtStart, .dtEnd, .organizer,
      without: [.attendee, .duration, .requestStatus]),
    row(
      "REQUEST", .freeBusy, "3.3.2", .attendee, .dtStart, .dtEnd, .organizer,
      without: [.freeBusy, .duration, .requestStatus, .url], beside: .none),
    row(
      "REPLY", .freeBusy, "3.3.3", .attendee, .dtStart, .dtEnd, .organizer,
      without: [.duration, .sequence], attendees: 1, beside: .none),
  ]

  private static let reminderRows: [Row] = [
    row(
      "PUBLISH", .reminder, "3.4.1", .dtStart, .organizer, .priority, .summary,
      without: [.attendee, .requestStatus]),
    row(
      "REQUEST", .reminder, "3.4.2", .attendee, .dtStart, .organizer, .priority, .summary,
      without: [.requestStatus],
      beside: .sameUID),
    row(
      "REPLY", .reminder, "3.4.3", .attendee, .organizer, alarms: false, attendees: 1,
      beside: .sameUID),
    row(
      "ADD", .reminder, "3.4.4", .organizer, .priority, .sequence, .summary, without: series,
      beside: .none),
    row(
      "CANCEL", .reminder, "3.4.5", .organizer, .sequence, without: [.requestStatus], alarms: false),
    // Unlike VEVENT, it forbids ORGANIZER and does not mention SUMMARY.
    row(
      "REFRESH", .reminder, "3.4.6", .attendee,
      without: content + [.comment, .completed, .due, .organizer, .percentComplete],
      alarms: false, attendees: 1, beside: .none),
    row(
      "COUNTER", .reminder, "3.4.7", .attendee, .organizer, .priority, .summary, beside: .none),
    row(
      "DECLINECOUNTER", .reminder, "3.4.8", .attendee, .organizer, .sequence, alarms: false,
      beside: .none),
  ]

  private static let journalRows: [Row] = [
    row(
      "PUBLISH", .journal, "3.5.1", .descriptionText, .dtStart, .organizer,
      without: [.attendee, .requestStatus]),
    row(
      "ADD", .journal, "3.5.2", .descriptionText, .dtStart, .organizer, .sequence,
      without: series + [.attendee], beside: .none),
    row(
      "CANCEL", .journal, "3.5.3", .organizer, .sequence, without: [.attendee, .requestStatus],
      alarms: false, beside: .sameUID),
  ]
}

// SPDX-License-Identifier: Apache-2.0

/// What a message must and must not hold, one row a method and component (RFC 5546 §3).
///
/// DTSTAMP and UID are left out, because every component must have them anyway.
enum MethodTable {
  /// What is known of one method for one component.
  struct Row: Sendable {
    let method: String
    let component: ComponentName
    /// The properties that it must have.
    let required: [PropertyName]
    /// The properties that it must not have.
    let forbidden: [PropertyName]
    /// Whether it may have alarms.
    let allowsAlarms: Bool
    /// The most ATTENDEE properties.
    let attendeeLimit: Int
    /// Which components of its kind may stand beside it in one message.
    let company: Company
    /// The section that says so.
    let reference: String

    /// Whether it adds an occurrence, with a SEQUENCE above 0.
    var isAddition: Bool { method == "ADD" }
    /// Whether it says of a component, or of somebody's part in it, that there is none any more.
    var isCancellation: Bool { method == "CANCEL" }

    /// How grave it is to deviate.
    ///
    /// Feeds say PUBLISH by habit and name no organizer; nobody is at a loss for that.
    var severity: Diagnostic.Severity { method == "PUBLISH" ? .note : .warning }
  }

  /// Which components of one kind a message may hold.
  enum Company: Sendable {
    /// Any (`1+`).
    case any
    /// Those with the same UID (`1+`, "all components MUST have the same UID").
    case sameUID
    /// None (`1`).
    case none
  }

  /// The methods that RFC 5546 defines.
  static let methods: Set<String> = Set(rows.map(\.method))

  /// The row of a method for a component, or nil if the method has nothing to do with it.
  static func row(_ method: String, _ component: ComponentName) -> Row? {
    rows.first { $0.method == method && $0.component == component }
  }

  /// The components that messages are about.
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

  /// What a message that only points to something says nothing of.
  private static let content: [PropertyName] = [
    .attach, .categories, .classification, .contact, .created, .descriptionText, .dtStart,
    .duration, .exDate, .geo, .lastModified, .location, .priority, .rDate, .relatedTo,
    .requestStatus, .resources, .rRule, .sequence, .status, .url,
  ]
  /// What one more occurrence cannot have: it belongs to the series that it is added to.
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
    // Unlike that of an event, it names no organizer, and nothing is said of its SUMMARY.
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

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
    /// The section that says so.
    let reference: String

    /// How grave it is to deviate.
    ///
    /// Feeds say PUBLISH by habit and name no organizer; nobody is at a loss for that.
    var severity: Diagnostic.Severity { method == "PUBLISH" ? .note : .warning }
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
    without forbidden: [PropertyName] = [], alarms: Bool = true, attendees: Int = .max
  ) -> Row {
    Row(
      method: method, component: component, required: required, forbidden: forbidden,
      allowsAlarms: alarms, attendeeLimit: attendees, reference: "RFC 5546 §\(section)")
  }

  /// What a message that only points to something says nothing of.
  private static let content: [PropertyName] = [
    .attach, .categories, .classification, .created, .descriptionText, .dtEnd, .dtStart, .due,
    .duration, .exDate, .geo, .lastModified, .location, .percentComplete, .priority, .rDate,
    .relatedTo, .resources, .rRule, .sequence, .status, .summary, .transparency, .url,
    .requestStatus,
  ]

  private static let rows: [Row] = eventRows + freeBusyRows + reminderRows + journalRows

  private static let eventRows: [Row] = [
    row(
      "PUBLISH", .event, "3.2.1", .dtStart, .organizer, .summary,
      without: [.attendee, .requestStatus]),
    row(
      "REQUEST", .event, "3.2.2", .attendee, .dtStart, .organizer, .summary,
      without: [.requestStatus]),
    row("REPLY", .event, "3.2.3", .attendee, .organizer, alarms: false, attendees: 1),
    row(
      "ADD", .event, "3.2.4", .dtStart, .organizer, .sequence, .summary,
      without: [.recurrenceID, .requestStatus]),
    row(
      "CANCEL", .event, "3.2.5", .organizer, .sequence, without: [.requestStatus], alarms: false),
    row(
      "REFRESH", .event, "3.2.6", .attendee, .organizer, without: content, alarms: false,
      attendees: 1),
    row("COUNTER", .event, "3.2.7", .dtStart, .organizer, .sequence, .summary),
    row("DECLINECOUNTER", .event, "3.2.8", .organizer, alarms: false),
  ]

  private static let freeBusyRows: [Row] = [
    row(
      "PUBLISH", .freeBusy, "3.3.1", .dtStart, .dtEnd, .organizer,
      without: [.attendee, .requestStatus]),
    row(
      "REQUEST", .freeBusy, "3.3.2", .attendee, .dtStart, .dtEnd, .organizer,
      without: [.freeBusy, .requestStatus, .url]),
    row(
      "REPLY", .freeBusy, "3.3.3", .attendee, .dtStart, .dtEnd, .organizer, attendees: 1),
  ]

  private static let reminderRows: [Row] = [
    row(
      "PUBLISH", .reminder, "3.4.1", .organizer, .priority, .summary,
      without: [.attendee, .requestStatus]),
    row(
      "REQUEST", .reminder, "3.4.2", .attendee, .organizer, .priority, .summary,
      without: [.requestStatus]),
    row("REPLY", .reminder, "3.4.3", .attendee, .organizer, alarms: false),
    row(
      "ADD", .reminder, "3.4.4", .organizer, .priority, .sequence, .summary,
      without: [.recurrenceID, .requestStatus]),
    row(
      "CANCEL", .reminder, "3.4.5", .organizer, .sequence, without: [.requestStatus],
      alarms: false),
    row(
      "REFRESH", .reminder, "3.4.6", .attendee, .organizer, without: content, alarms: false,
      attendees: 1),
    row("COUNTER", .reminder, "3.4.7", .attendee, .organizer, .priority, .summary),
    row("DECLINECOUNTER", .reminder, "3.4.8", .attendee, .organizer, .sequence, alarms: false),
  ]

  private static let journalRows: [Row] = [
    row(
      "PUBLISH", .journal, "3.5.1", .descriptionText, .dtStart, .organizer,
      without: [.attendee]),
    row(
      "ADD", .journal, "3.5.2", .descriptionText, .dtStart, .organizer, .sequence,
      without: [.attendee, .recurrenceID]),
    row(
      "CANCEL", .journal, "3.5.3", .organizer, .sequence, without: [.requestStatus],
      alarms: false),
  ]
}

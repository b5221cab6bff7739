// SPDX-License-Identifier: Apache-2.0

/// What the RFCs say of each component, one row a component: which properties it must have, and
/// which it may have only once.
enum ComponentTable {
  /// What is known of one component.
  struct Row: Sendable {
    let name: ComponentName
    /// The properties that it must have.
    let required: [PropertyName]
    /// The properties that it may have at most once; the required ones are among them.
    let once: [PropertyName]
    /// Pairs of properties that exclude each other.
    let exclusive: [(PropertyName, PropertyName)]
    /// The components that it may stand in; empty where any may hold it.
    let parents: [ComponentName]
    /// The section that says so.
    let reference: String
  }

  /// The row of a component, or nil if no RFC that is implemented defines it.
  static func row(for name: ComponentName) -> Row? {
    rows.first { $0.name == name }
  }

  private static let common: [PropertyName] = [
    .dtStamp, .uid, .dtStart, .classification, .created, .lastModified, .organizer, .recurrenceID,
    .sequence, .status, .summary, .url, .color,
  ]

  private static let rows: [Row] = [
    Row(
      name: .calendar, required: [.productID, .version],
      once: [.productID, .version, .calscale, .method, .uid, .lastModified, .url, .color],
      exclusive: [], parents: [], reference: "RFC 5545 §3.6"),
    Row(
      name: .event, required: [.uid, .dtStamp],
      once: common + [
        .dtEnd, .duration, .descriptionText, .geo, .location, .priority, .transparency,
      ],
      exclusive: [(.dtEnd, .duration)], parents: [.calendar], reference: "RFC 5545 §3.6.1"),
    Row(
      name: .reminder, required: [.uid, .dtStamp],
      once: common + [
        .due, .duration, .descriptionText, .geo, .location, .priority, .completed, .percentComplete,
      ],
      exclusive: [(.due, .duration)], parents: [.calendar], reference: "RFC 5545 §3.6.2"),
    Row(
      name: .journal, required: [.uid, .dtStamp], once: common, exclusive: [],
      parents: [.calendar], reference: "RFC 5545 §3.6.3"),
    Row(
      name: .freeBusy, required: [.uid, .dtStamp],
      once: [.uid, .dtStamp, .contact, .dtStart, .dtEnd, .organizer, .url], exclusive: [],
      parents: [.calendar], reference: "RFC 5545 §3.6.4"),
    Row(
      name: .timeZone, required: [.tzID], once: [.tzID, .lastModified, .tzURL], exclusive: [],
      parents: [.calendar], reference: "RFC 5545 §3.6.5"),
    observance(.standard),
    observance(.daylight),
    Row(
      name: .alarm, required: [.action, .trigger],
      once: [
        .action, .trigger, .duration, .repeatCount, .descriptionText, .summary, .uid, .acknowledged,
      ],
      exclusive: [], parents: [.event, .reminder], reference: "RFC 5545 §3.6.6"),
  ]

  private static func observance(_ name: ComponentName) -> Row {
    let required: [PropertyName] = [.dtStart, .tzOffsetFrom, .tzOffsetTo]
    return Row(
      name: name, required: required, once: required, exclusive: [], parents: [.timeZone],
      reference: "RFC 5545 §3.6.5")
  }
}

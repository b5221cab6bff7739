// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// What people ask of a component most often, as plain texts: the fields of a row.
///
/// Times are in the extended form, `2026-01-02T09:00:00` on the clock of their zone, with a `Z` in UTC,
/// or a date alone. A field that the component lacks, or that cannot be read, is nil.
public struct ComponentSummary: Sendable {
  /// A person or a thing that takes part (RFC 5545 §3.8.4.1, §3.8.4.3).
  public struct Participant: Hashable, Sendable {
    /// The address as it is written, such as `mailto:ann@example.org`.
    public let address: String
    /// The CN parameter.
    public let name: String?
    /// The ROLE parameter.
    public let role: String?
    /// The PARTSTAT parameter.
    public let status: String?
    /// Whether an answer is wanted: the RSVP parameter.
    public let isAnswerWanted: Bool

    init(_ property: Property) {
      address = property.rawValue
      name = property[.commonName]
      role = property[.role]
      status = property[.participationStatus]
      isAnswerWanted = property[.rsvp]?.isEqualIgnoringASCIICase(to: "TRUE") ?? false
    }
  }

  /// The component.
  public let component: Component

  /// Creates the summary of a component.
  public init(of component: Component) {
    self.component = component
  }

  /// What it is: `event`, `reminder`, `journal`, `freebusy`, `availability`, or the name in lower case.
  public var kind: String {
    switch component.name {
    case .event: "event"
    case .reminder: "reminder"
    case .journal: "journal"
    case .freeBusy: "freebusy"
    case .availability: "availability"
    default: component.name.rawName.asciiLowercased
    }
  }

  /// The UID.
  public var uid: String? { text(.uid) }
  /// Which occurrence of a series it stands for: RECURRENCE-ID.
  public var recurrenceID: String? { time(.recurrenceID) }
  /// When it starts: DTSTART.
  public var start: String? { time(.dtStart) }
  /// When it ends or is due: DTEND or DUE, as they are written; a DURATION is not added to the start.
  public var end: String? { time(endName) }
  /// Whether it starts, or is due, on a day and not at a time.
  public var isAllDay: Bool {
    guard let value = (component[.dtStart] ?? component[endName])?.typedValues.first else {
      return false
    }
    if case .date = value { return true }
    return false
  }
  /// The zone of the start, or of the end where there is no start: its TZID, or `UTC`.
  public var zone: String? { zone(component[.dtStart] == nil ? endName : .dtStart) }
  /// The zone of the end, which may be another one.
  public var endZone: String? { zone(endName) }
  /// How long it takes: DURATION.
  public var duration: String? { component[.duration]?.rawValue }
  /// The SUMMARY.
  public var summary: String? { text(.summary) }
  /// The DESCRIPTION.
  public var descriptionText: String? { text(.descriptionText) }
  /// The LOCATION.
  public var location: String? { text(.location) }
  /// The URL.
  public var url: String? { component[.url]?.rawValue }
  /// The STATUS.
  public var status: String? { text(.status) }
  /// The CATEGORIES, all of them.
  public var categories: [String] {
    component.properties(named: .categories).flatMap { property in
      property.typedValues.values.compactMap {
        if case .text(let text) = $0 { text.string } else { nil }
      }
    }
  }
  /// The ORGANIZER.
  public var organizer: Participant? { component[.organizer].map(Participant.init) }
  /// The ATTENDEEs.
  public var attendees: [Participant] {
    component.properties(named: .attendee).map(Participant.init)
  }
  /// The recurrence rules as they are written; usually at most one.
  public var rules: [String] { component.properties(named: .rRule).map(\.rawValue) }
  /// The additional occurrences: RDATE.
  public var additionalDates: [String] { times(.rDate) }
  /// The occurrences that are left out: EXDATE.
  public var exceptionDates: [String] { times(.exDate) }
  /// The alarms.
  public var alarms: [Component] { component.components(named: .alarm) }
  /// The SEQUENCE.
  public var sequence: Int? {
    guard case .integer(let number)? = component[.sequence]?.typedValues.first else { return nil }
    return number
  }
  /// When it was made: CREATED.
  public var created: String? { time(.created) }
  /// When it was changed last: LAST-MODIFIED.
  public var lastModified: String? { time(.lastModified) }

  private var endName: PropertyName { component.name == .reminder ? .due : .dtEnd }

  private func text(_ name: PropertyName) -> String? { component[name]?.text }

  private func time(_ name: PropertyName) -> String? {
    component[name]?.typedValues.first.flatMap(Self.text)
  }

  private func times(_ name: PropertyName) -> [String] {
    component.properties(named: name).flatMap { $0.typedValues.values.compactMap(Self.text) }
  }

  private func zone(_ name: PropertyName) -> String? {
    guard let property = component[name] else { return nil }
    switch property.typedValues.first {
    case .dateTime(_, true): return "UTC"
    case .dateTime(_, false): return property[.tzID]
    default: return nil
    }
  }

  /// A time in the extended form, or a period as two of them; nil for anything else.
  static func text(_ value: Value) -> String? {
    switch value {
    case .date(let date): ExtendedFormat.text(date)
    case .dateTime(let value, let isUTC): ExtendedFormat.text(value, isUTC: isUTC)
    case .period(let period):
      switch period.end {
      case .dateTime(let end, let isUTC):
        ExtendedFormat.text(period.start, isUTC: period.isUTC) + "/"
          + ExtendedFormat.text(end, isUTC: isUTC)
      case .duration(let duration):
        ExtendedFormat.text(period.start, isUTC: period.isUTC) + "/\(duration)"
      }
    case .duration(let duration): duration.description
    default: nil
    }
  }
}

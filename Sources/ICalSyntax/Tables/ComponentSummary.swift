// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The most common fields of a component, as plain texts.
///
/// Times are in extended format: `2026-01-02T09:00:00` in the local time of their zone, with a `Z`
/// in UTC, or only a date. A field is nil if it is missing or invalid.
public struct ComponentSummary: Sendable {
  /// A participant of a component (RFC 5545 §3.8.4.1, §3.8.4.3).
  public struct Participant: Hashable, Sendable {
    /// The source text of the address, such as `mailto:ann@example.org`.
    public let address: String
    /// The CN parameter.
    public let name: String?
    /// The ROLE parameter.
    public let role: String?
    /// The PARTSTAT parameter.
    public let status: String?
    /// Whether a reply is requested: the RSVP parameter.
    public let isAnswerWanted: Bool

    /// The address without its `mailto:` scheme.
    package var plainAddress: String {
      let scheme = "mailto:"
      guard String(address.prefix(scheme.count)).isEqualIgnoringASCIICase(to: scheme) else {
        return address
      }
      return String(address.dropFirst(scheme.count))
    }

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

  /// The kind: `event`, `reminder`, `journal`, `freebusy`, `availability`, or the lowercase name.
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
  /// The RECURRENCE-ID of an override.
  public var recurrenceID: String? { time(.recurrenceID) }
  /// The start: DTSTART.
  public var start: String? { time(.dtStart) }
  /// The end or due time: DTEND or DUE, but not the start plus DURATION.
  public var end: String? { time(endName) }
  /// Whether the start, or the due time, is a date.
  public var isAllDay: Bool {
    guard let value = (component[.dtStart] ?? component[endName])?.typedValues.first else {
      return false
    }
    if case .date = value { return true }
    return false
  }
  /// The TZID of the start, or of the end if there is no start, or `UTC`.
  public var zone: String? { zone(component[.dtStart] == nil ? endName : .dtStart) }
  /// The TZID of the end, which may differ.
  public var endZone: String? { zone(endName) }
  /// The duration: DURATION.
  public var duration: String? { component[.duration]?.rawValue }
  /// The SUMMARY.
  public var summary: String? { text(.summary) }
  /// The DESCRIPTION; several of a journal entry are on lines of their own.
  public var descriptionText: String? {
    let texts = component.properties(named: .descriptionText).map(\.text)
    return texts.count > 1 ? texts.joined(separator: "\n") : text(.descriptionText)
  }
  /// The LOCATION.
  public var location: String? { text(.location) }
  /// The URL.
  public var url: String? { component[.url]?.rawValue }
  /// The STATUS.
  public var status: String? { text(.status) }
  /// The values of all CATEGORIES.
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
  /// The source texts of the recurrence rules; usually at most one.
  public var rules: [String] { component.properties(named: .rRule).map(\.rawValue) }
  /// The additional occurrences: RDATE.
  public var additionalDates: [String] { times(.rDate) }
  /// The excluded occurrences: EXDATE.
  public var exceptionDates: [String] { times(.exDate) }
  /// The alarms.
  public var alarms: [Component] { component.components(named: .alarm) }
  /// The SEQUENCE.
  public var sequence: Int? {
    guard case .integer(let number)? = component[.sequence]?.typedValues.first else { return nil }
    return number
  }
  /// The creation time: CREATED.
  public var created: String? { time(.created) }
  /// The last modification: LAST-MODIFIED.
  public var lastModified: String? { time(.lastModified) }

  /// The property of the end or due time.
  var endName: PropertyName { component.name == .reminder ? .due : .dtEnd }

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

  /// A time in extended format, or a period as two of them; nil for other values.
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

// SPDX-License-Identifier: Apache-2.0

extension Name where Vocabulary == ComponentVocabulary {
  /// The VCALENDAR component (RFC 5545 §3.4).
  public static var calendar: Self { "VCALENDAR" }
  /// The VEVENT component (RFC 5545 §3.6.1).
  public static var event: Self { "VEVENT" }
  /// The VTODO component (RFC 5545 §3.6.2).
  public static var reminder: Self { "VTODO" }
  /// The VJOURNAL component (RFC 5545 §3.6.3).
  public static var journal: Self { "VJOURNAL" }
  /// The VFREEBUSY component (RFC 5545 §3.6.4).
  public static var freeBusy: Self { "VFREEBUSY" }
  /// The VTIMEZONE component (RFC 5545 §3.6.5).
  public static var timeZone: Self { "VTIMEZONE" }
  /// The STANDARD component (RFC 5545 §3.6.5).
  public static var standard: Self { "STANDARD" }
  /// The DAYLIGHT component (RFC 5545 §3.6.5).
  public static var daylight: Self { "DAYLIGHT" }
  /// The VALARM component (RFC 5545 §3.6.6).
  public static var alarm: Self { "VALARM" }
  /// The VAVAILABILITY component (RFC 7953 §3.1).
  public static var availability: Self { "VAVAILABILITY" }
  /// The AVAILABLE component (RFC 7953 §3.1).
  public static var available: Self { "AVAILABLE" }
  /// The PARTICIPANT component (RFC 9073 §7.1).
  public static var participant: Self { "PARTICIPANT" }
  /// The VLOCATION component (RFC 9073 §7.2).
  public static var location: Self { "VLOCATION" }
  /// The VRESOURCE component (RFC 9073 §7.3).
  public static var resource: Self { "VRESOURCE" }
}

/// The component names that the RFCs define.
public enum ComponentVocabulary: NameVocabulary {
  /// The lookup table of the names.
  public static let table = NameTable([
    "VCALENDAR",
    "VEVENT",
    "VTODO",
    "VJOURNAL",
    "VFREEBUSY",
    "VTIMEZONE",
    "STANDARD",
    "DAYLIGHT",
    "VALARM",
    "VAVAILABILITY",
    "AVAILABLE",
    "PARTICIPANT",
    "VLOCATION",
    "VRESOURCE",
  ])
}

/// A set of components that the RFCs define.
public struct ComponentSet: OptionSet, Hashable, Sendable {
  /// One bit for each component, in the order of `ComponentVocabulary`.
  public let rawValue: UInt32

  /// Creates a set from its bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates the set of one component; empty if no RFC defines it.
  public init(_ name: ComponentName) {
    rawValue = name.index.map { 1 << UInt32($0) } ?? 0
  }

  /// VCALENDAR.
  public static let calendar = Self(ComponentName.calendar)
  /// VEVENT.
  public static let event = Self(ComponentName.event)
  /// VTODO.
  public static let reminder = Self(ComponentName.reminder)
  /// VJOURNAL.
  public static let journal = Self(ComponentName.journal)
  /// VFREEBUSY.
  public static let freeBusy = Self(ComponentName.freeBusy)
  /// VTIMEZONE.
  public static let timeZone = Self(ComponentName.timeZone)
  /// STANDARD and DAYLIGHT.
  public static let observance = Self([Self(.standard), Self(.daylight)])
  /// VALARM.
  public static let alarm = Self(ComponentName.alarm)
  /// VAVAILABILITY.
  public static let availability = Self(ComponentName.availability)
  /// AVAILABLE.
  public static let available = Self(ComponentName.available)
  /// PARTICIPANT.
  public static let participant = Self(ComponentName.participant)
  /// VLOCATION.
  public static let location = Self(ComponentName.location)
  /// VRESOURCE.
  public static let resource = Self(ComponentName.resource)

  /// VEVENT, VTODO and VJOURNAL.
  public static let items: Self = [.event, .reminder, .journal]
  /// Every component.
  public static let all = Self(rawValue: .max)
}

/// The rules of the RFCs for components, one row each; `PropertyTable` has their properties.
public enum ComponentTable {
  /// The rules for one component.
  public struct Row: Hashable, Sendable {
    /// The name.
    public let name: ComponentName
    /// The components that may contain it.
    public let parents: ComponentSet
    /// Two mutually exclusive properties, or none.
    public let exclusive: [PropertyName]
    /// Whether properties that no RFC defines for the component are reported.
    ///
    /// The components of RFC 9073 are new, and other RFCs may use more properties in them: RFC 9074
    /// §8 uses URL in a VLOCATION without defining it as an extension.
    public let isClosed: Bool
    /// The section that defines the component, such as `RFC 5545 §3.6.1`.
    public let reference: String
    /// The required properties, in the order of `PropertyTable`.
    public let required: [PropertyName]
  }

  /// Returns the row of a component, or nil if no supported RFC defines it.
  public static func row(for name: ComponentName) -> Row? {
    name.index.map { rows[$0] }
  }

  /// All rows, in the order of `ComponentVocabulary`.
  public static let rows: [Row] = [
    row(.calendar, [], rfc: "5545 §3.6"),
    row(.event, .calendar, exclusive: [.dtEnd, .duration], rfc: "5545 §3.6.1"),
    row(.reminder, .calendar, exclusive: [.due, .duration], rfc: "5545 §3.6.2"),
    row(.journal, .calendar, rfc: "5545 §3.6.3"),
    row(.freeBusy, .calendar, rfc: "5545 §3.6.4"),
    row(.timeZone, .calendar, rfc: "5545 §3.6.5"),
    row(.standard, .timeZone, rfc: "5545 §3.6.5"),
    row(.daylight, .timeZone, rfc: "5545 §3.6.5"),
    row(.alarm, [.event, .reminder], rfc: "5545 §3.6.6"),
    row(.availability, .calendar, exclusive: [.dtEnd, .duration], rfc: "7953 §3.1"),
    row(.available, .availability, exclusive: [.dtEnd, .duration], rfc: "7953 §3.1"),
    row(.participant, [.items, .freeBusy], isClosed: false, rfc: "9073 §7.1"),
    // In an alarm it is the place that triggers the alarm (RFC 9074 §8).
    row(
      .location, [.items, .freeBusy, .participant, .alarm], isClosed: false, rfc: "9073 §7.2"),
    row(.resource, [.items, .freeBusy, .participant], isClosed: false, rfc: "9073 §7.3"),
  ]

  private static func row(
    _ name: ComponentName, _ parents: ComponentSet, exclusive: [PropertyName] = [],
    isClosed: Bool = true, rfc: String
  ) -> Row {
    let component = ComponentSet(name)
    let required = PropertyTable.rows.filter { $0.occurrence(in: component) == .one }
    return Row(
      name: name, parents: parents, exclusive: exclusive, isClosed: isClosed,
      reference: "RFC \(rfc)", required: required.map { PropertyName($0.name) })
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// The resolution of a TZID: its meaning and the evidence.
public struct ResolvedZone: Hashable, Sendable {
  /// The evidence for the meaning of a TZID, in the order of precedence.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// A name of UTC.
    case utc
    /// A name of the time zone database.
    case name
    /// Another spelling of such a name.
    case spelling
    /// A path that ends with such a name.
    case path
    /// A Windows name.
    case windows
    /// A display name of programs.
    case alias
    /// Location information in the calendar's definition.
    case location
    /// A UTC offset.
    case offset
    /// The calendar's definition.
    case definition
    /// A place after which one zone is named.
    case place
    /// Unknown.
    case unknown
  }

  /// The meaning of a TZID.
  public enum Meaning: Hashable, Sendable {
    /// The zone of this name in the time zone database, or UTC.
    case named(String)
    /// A constant UTC offset.
    case fixed(UTCOffset)
    /// The VTIMEZONE component of the calendar.
    case embedded(Component)
    /// None: times are kept as floating.
    case floating
  }

  /// The TZID as written in the file.
  public let tzID: String
  /// The evidence.
  public let source: Source
  /// The meaning.
  public let meaning: Meaning

  /// The canonical database name, such as `Europe/Kyiv` for `Europe/Kiev`; nil if there is none.
  public let canonicalName: String?
  /// The reason why the TZID is unknown; nil if it is known.
  public let refusal: ZoneRefusal?
  /// The zone of the name if the calendar's definition contradicts it and is used; otherwise nil.
  public let overruledName: String?

  init(
    _ tzID: String, _ source: Source, _ meaning: Meaning, canonicalName: String? = nil,
    refusal: ZoneRefusal? = nil, overruledName: String? = nil
  ) {
    self.tzID = tzID
    self.source = source
    self.meaning = meaning
    self.refusal = refusal
    self.overruledName = overruledName
    if case .named(let name) = meaning {
      self.canonicalName = canonicalName ?? name
    } else {
      self.canonicalName = nil
    }
  }

  /// The name in the time zone database, or nil.
  public var name: String? {
    if case .named(let name) = meaning { name } else { nil }
  }

  /// The diagnostic for a name that the calendar's definition overrules.
  static func overruled(_ name: String, tzID: String, at property: Property) -> Diagnostic {
    property.diagnostic(
      aboutName: .warning, .differentTimeZone,
      "expected the time zone '\(tzID)' to be \(name), found a definition with other offsets; the "
        + "definition is used", reference: "RFC 5545 §3.2.19")
  }

  /// The diagnostic at a property that uses the zone; nil for a plain name.
  public func diagnostic(at property: Property) -> Diagnostic? {
    let reference = "RFC 5545 §3.2.19"
    switch source {
    case .utc, .name: return nil
    case .spelling, .path, .windows, .alias, .location, .offset, .place:
      return property.diagnostic(
        aboutName: .note, .resolvedTimeZone,
        "expected a name of the time zone database, found '\(tzID)', which is taken for "
          + (name ?? "a fixed offset"), reference: reference)
    case .definition:
      if let overruledName {
        return Self.overruled(overruledName, tzID: tzID, at: property)
      }
      return property.diagnostic(
        aboutName: .note, .resolvedTimeZone,
        """
        expected a name of the time zone database, found '\(tzID)', which only the calendar defines
        """,
        reference: reference)
    case .unknown:
      return property.diagnostic(
        aboutName: .warning, .unknownTimeZone,
        "expected a known time zone, found '\(tzID)'"
          + (refusal.map { ", \($0.clause)" } ?? "") + "; the time is kept as floating",
        reference: reference)
    }
  }
}

extension DiagnosticCode {
  /// A TZID is not a name of the time zone database, but its meaning is clear.
  public static let resolvedTimeZone = DiagnosticCode(rawValue: "time-zone.resolved")
  /// A TZID is unknown.
  public static let unknownTimeZone = DiagnosticCode(rawValue: "time-zone.unknown")
}

/// The time zone that a calendar declares for its floating times (X-WR-TIMEZONE).
///
/// The property is not part of RFC 5545. Programs that write it expect floating times to be in its
/// zone.
///
/// ```swift
/// var zone = CalendarZone()
/// for property in calendar.properties { zone.take(property) }
/// let event = zone.applied(to: component)   // DTSTART;TZID=Europe/Berlin:…
/// ```
public struct CalendarZone: Hashable, Sendable {
  /// The TZID of the zone; nil if the calendar declares none.
  public private(set) var tzID: String?

  /// Creates the state for a calendar without a declaration.
  public init() {}

  /// Takes a property of the calendar; the first declaration applies.
  public mutating func take(_ property: Property) {
    guard tzID == nil, property.isNamed("X-WR-TIMEZONE"), !property.text.isEmpty else { return }
    tzID = property.text
  }

  /// The component with its floating times in the zone; unchanged if the calendar declares none.
  public func applied(to component: Component) -> Component {
    guard let tzID, component.name != .timeZone, component.hasFloatingTimes else {
      return component
    }
    var changed = component
    changed.properties = PropertyList(
      component.properties.map { property -> Property in
        guard property.isFloatingTime else { return property }
        var zoned = property
        zoned[.tzID] = tzID
        return zoned
      })
    changed.components = ComponentList(component.components.map { applied(to: $0) })
    return changed
  }
}

extension Component {
  /// Whether the component or a nested one has a floating time.
  fileprivate var hasFloatingTimes: Bool {
    properties.contains(where: \.isFloatingTime) || components.contains(where: \.hasFloatingTimes)
  }
}

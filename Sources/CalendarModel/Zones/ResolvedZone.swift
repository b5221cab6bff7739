// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// What a TZID means, and how that was found out.
public struct ResolvedZone: Hashable, Sendable {
  /// How the meaning of a TZID was found out, in the order in which it is tried.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// It is a name of UTC.
    case utc
    /// It is a name of the time zone database.
    case name
    /// It is such a name in another spelling.
    case spelling
    /// It is a path that ends in such a name.
    case path
    /// It is a name of Windows.
    case windows
    /// It is a name that programs show to people.
    case alias
    /// The calendar's definition says which zone it defines.
    case location
    /// It is an offset from UTC.
    case offset
    /// The calendar defines it.
    case definition
    /// It is a place that one zone is named after.
    case place
    /// It is not known.
    case unknown
  }

  /// What a TZID means.
  public enum Meaning: Hashable, Sendable {
    /// The zone of this name in the time zone database, or UTC.
    case named(String)
    /// A clock that is always this far from UTC.
    case fixed(UTCOffset)
    /// What this VTIMEZONE component says.
    case embedded(Component)
    /// Nothing: times in it are kept as floating.
    case floating
  }

  /// The TZID as it stands in the file.
  public let tzID: String
  /// How its meaning was found out.
  public let source: Source
  /// What it means.
  public let meaning: Meaning

  /// The name that the database prefers for the zone, such as `Europe/Kyiv` for `Europe/Kiev`; nil if
  /// it has none there.
  public let canonicalName: String?
  /// Why it means nothing; nil if it means something.
  public let refusal: ZoneRefusal?
  /// What the name means elsewhere, if the definition in the calendar disagrees with that and is used
  /// instead; nil if there is no such conflict.
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

  /// The name of the zone in the time zone database, or nil if it has none there.
  public var name: String? {
    if case .named(let name) = meaning { name } else { nil }
  }

  /// What there is to say of a name that means another zone than the calendar's definition.
  static func overruled(_ name: String, tzID: String, at property: Property) -> Diagnostic {
    property.diagnostic(
      aboutName: .warning, .differentTimeZone,
      "expected the time zone '\(tzID)' to be \(name), found a definition with other offsets; the "
        + "definition is used", reference: "RFC 5545 §3.2.19")
  }

  /// What there is to say of the zone at a property that uses it; nil if it is a plain name.
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
        "expected a name of the time zone database, found '\(tzID)', which only the calendar defines",
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
  /// A TZID is not a name of the time zone database, but what it means is clear.
  public static let resolvedTimeZone = DiagnosticCode(rawValue: "time-zone.resolved")
  /// A TZID means nothing that is known.
  public static let unknownTimeZone = DiagnosticCode(rawValue: "time-zone.unknown")
}

// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// The resolution of a TZID in a file, and its differences from the file's definition.
public struct ZoneReport: Hashable, Sendable {
  /// The resolution of the TZID.
  public let zone: ResolvedZone
  /// The definition of the TZID in the file (VTIMEZONE, RFC 5545 §3.6.5), or nil if there is none.
  public let definition: Component?
  /// The error in the definition; nil if the definition is usable or missing.
  public let definitionError: ZoneResolutionError?
  /// The periods with different offsets, in order; `offset` is that of the definition.
  ///
  /// Empty if the definition is the only source.
  public let differences: [ZoneDifference]

  /// The diagnostics for the TZID in a file.
  ///
  /// - Parameter property: The first property that uses it.
  /// - Returns: A diagnostic about the resolution at the property; and one at the definition if it
  ///   differs or is unusable.
  public func diagnostics(at property: Property) -> [Diagnostic] {
    [zone.diagnostic(at: property), definitionDiagnostic].compactMap(\.self)
  }

  private var definitionDiagnostic: Diagnostic? {
    let reference = "RFC 5545 §3.6.5"
    if let definitionError {
      return definition?.diagnostic(
        .warning, .badTimeZone,
        "expected a usable definition of the time zone '\(zone.tzID)', found that "
          + definitionError.message, reference: reference)
    }
    // A definition that overrules the name is reported at the property.
    guard let first = differences.first, zone.overruledName == nil else { return nil }
    let more = differences.count > 1 ? ", and \(differences.count - 1) times more" : ""
    return definition?.diagnostic(
      .warning, .differentTimeZone,
      "expected the offsets of \(zone.canonicalName ?? "the name"), found \(first.offset) instead of "
        + "\(first.otherOffset) from \(first.start) to \(first.end)\(more); the definition is not used",
      reference: reference)
  }
}

extension ZoneResolver {
  /// Reports on a TZID of a file.
  ///
  /// - Parameters:
  ///   - tzID: The value of a TZID parameter.
  ///   - definitions: The VTIMEZONE components of the file.
  ///   - use: The uses of the zone in the file; nil to skip the comparison.
  ///   - horizon: The end of the comparison for endless recurrences.
  /// - Returns: The resolution of the TZID, and the differences from the file's definition.
  public func report(
    on tzID: String, definitions: [Component], use: TimeZoneUses.Use?, horizon: Instant
  ) -> ZoneReport {
    let zone = resolve(tzID, definitions: definitions, use: use)
    let definition = Self.definition(of: tzID, among: definitions)
    var error: ZoneResolutionError?
    var differences: [ZoneDifference] = []
    if let definition {
      do throws(ZoneResolutionError) {
        let defined = try ZoneDefinition(definition).rules()
        let named = zone.overruledName == nil ? zone : resolve(tzID, definitions: definitions)
        if named.source != .definition, let rules = try? rules(of: named),
          let range = use?.instants(by: rules, horizon: horizon)
        {
          differences = defined.differences(
            from: rules, between: range.lowerBound, and: range.upperBound)
        }
      } catch let failure {
        error = failure
      }
    }
    return ZoneReport(
      zone: zone, definition: definition, definitionError: error, differences: differences)
  }
}

extension DiagnosticCode {
  /// A time zone definition contradicts its name; the message states which one is used.
  public static let differentTimeZone = DiagnosticCode(rawValue: "time-zone.different")
  /// A time zone definition is unusable.
  public static let badTimeZone = DiagnosticCode(rawValue: "time-zone.bad-definition")
}

/// The reason why a TZID is unknown.
public enum ZoneRefusal: String, Hashable, Sendable, CaseIterable {
  /// The name is empty.
  case empty
  /// The name is an abbreviation of several zones, such as `CST`.
  case abbreviation
  /// The name has a UTC offset, but no rules for changes.
  case offsetAlone = "offset-alone"
  /// The name has two offsets, but no rules for changes.
  case twoOffsets = "two-offsets"
  /// The name resembles one of the database, which has no such place.
  case place
  /// The name is not recognized.
  case unknown

  /// The reason as a clause with the subject `it`.
  public var clause: String {
    switch self {
    case .empty: "which is empty"
    case .abbreviation: "which several zones are called"
    case .offsetAlone: "which is an offset from UTC before a name that is not known"
    case .twoOffsets: "which is two offsets without the days between them"
    case .place: "which is no place that the time zone database knows"
    case .unknown: "which nothing is known of"
    }
  }

  /// Determines the reason for a name.
  init(of name: String, isArea: (String) -> Bool) {
    // Only signs before a digit count: the dash in "Mid-Atlantic" does not.
    let offsets = zip(name, name.dropFirst()).count { sign, digit in
      (sign == "+" || sign == "-") && ("0"..."9").contains(digit)
    }
    let start = name.asciiUppercased
    let isOffset = start.hasPrefix("(") || start.hasPrefix("GMT") || start.hasPrefix("UTC")
    if name.isEmpty {
      self = .empty
    } else if ZoneAliases.isAmbiguous(name) {
      self = .abbreviation
    } else if isOffset, offsets > 1 {
      self = .twoOffsets
    } else if isOffset, offsets == 1 {
      self = .offsetAlone
    } else if let slash = name.drop(while: { $0 == "/" }).firstIndex(of: "/"),
      isArea(String(name[..<slash].drop { $0 == "/" }))
    {
      self = .place
    } else {
      self = .unknown
    }
  }
}

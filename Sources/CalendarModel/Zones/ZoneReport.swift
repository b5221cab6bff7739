// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// What is made of one TZID of a file, and where the file's own definition says otherwise.
public struct ZoneReport: Hashable, Sendable {
  /// What the TZID means, and how that was found out.
  public let zone: ResolvedZone
  /// The definition of the TZID in the file (RFC 5545 §3.6.5, VTIMEZONE), or nil if it has none.
  public let definition: Component?
  /// Why nothing can be made of the definition; nil if something can, or there is none.
  public let definitionError: ZoneResolutionError?
  /// Where the clocks of the definition and those of the zone do not show the same, in order; `offset`
  /// is that of the definition.
  ///
  /// Empty if the definition is all that there is.
  public let differences: [ZoneDifference]

  /// What there is to say of the TZID in a file.
  ///
  /// - Parameter property: The property that uses it first.
  /// - Returns: How it was understood, at the property; and at the definition, that it says otherwise or
  ///   cannot be used.
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
    // A definition that is used is named at the property.
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
  ///   - use: What the zone is used for in the file; nil to compare nothing.
  ///   - horizon: How far to look if something recurs for ever.
  /// - Returns: What the TZID means, and where the definition in the file says otherwise.
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
  /// A definition of a time zone disagrees with what its name means; the message says which is used.
  public static let differentTimeZone = DiagnosticCode(rawValue: "time-zone.different")
  /// Nothing can be made of a definition of a time zone.
  public static let badTimeZone = DiagnosticCode(rawValue: "time-zone.bad-definition")
}

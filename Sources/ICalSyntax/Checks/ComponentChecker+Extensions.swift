// SPDX-License-Identifier: Apache-2.0

/// Checks of the iCalendar extensions (RFC 5546, RFC 7986, RFC 9073, RFC 9074, RFC 9253).
extension ComponentChecker {
  // MARK: One property

  /// Checks a property of `CheckPlan.extended`.
  func checkExtension(_ entry: CheckedComponent.Entry, into found: inout [Diagnostic]) {
    guard let row = entry.row else { return }
    if !row.hasDefaultType, entry.property[.value] == nil {
      found.append(missingType(of: entry, row))
    }
    switch entry.name {
    case .link: require(.linkRelation, on: entry, "RFC 9253 §6.1", into: &found)
    case .structuredData where entry.values.type != .uri:
      require(.formatType, on: entry, "RFC 9073 §6.6", into: &found)
      require(.schema, on: entry, "RFC 9073 §6.6", into: &found)
    case .relatedTo: checkRelation(entry, into: &found)
    case .requestStatus: checkStatusCode(entry, into: &found)
    default: break
    }
  }

  private func missingType(
    of entry: CheckedComponent.Entry, _ row: PropertyTable.Row
  ) -> Diagnostic {
    let types = ([row.valueType] + row.alternatives).map(\.rawValue)
    let isClear = row.alternatives.isEmpty && entry.values.problems.isEmpty
    return entry.property.diagnostic(
      aboutName: .warning, .missingParameter,
      """
      expected \(types.map { "VALUE=\($0)" }.joined(separator: " or ")) on \(row.name), found none
      """,
      reference: row.reference
    ).with(isClear ? setting(.value, to: row.valueType.rawValue, on: entry.property) : nil)
  }

  private func require(
    _ parameter: ParameterName, on entry: CheckedComponent.Entry, _ reference: String,
    into found: inout [Diagnostic]
  ) {
    guard entry.property[parameter] == nil else { return }
    found.append(
      entry.property.diagnostic(
        aboutName: .warning, .missingParameter,
        "expected \(parameter) on \(entry.name.canonicalName), found none", reference: reference))
  }

  /// Parents, children and siblings are referred to by UID (RFC 9253 §9.1).
  private func checkRelation(_ entry: CheckedComponent.Entry, into found: inout [Diagnostic]) {
    guard entry.property.hasParameters, entry.values.type == .uri else { return }
    let relation = entry.property[.relationshipType]?.asciiUppercased ?? "PARENT"
    guard ["PARENT", "CHILD", "SIBLING"].contains(relation) else { return }
    found.append(
      entry.property.diagnostic(
        aboutName: .warning, .valueType,
        "expected a UID for RELTYPE=\(relation), found VALUE=URI", reference: "RFC 9253 §9.1"))
  }

  /// A status requires a code of two or three numbers and a description (RFC 5545 §3.8.8.3).
  private func checkStatusCode(
    _ entry: CheckedComponent.Entry, into found: inout [Diagnostic]
  ) {
    guard entry.property.statusCode == nil else { return }
    found.append(
      entry.property.diagnostic(
        .error, .valueRange,
        "expected a code such as 2.0, \";\" and a description, "
          + "found \"\(entry.property.rawValue)\"", reference: entry.row?.reference))
  }

  // MARK: Several properties of one name

  /// Checks properties that may be repeated only with differences.
  ///
  /// - Names and descriptions of a calendar must be in different languages (RFC 7986 §5.1, §5.2).
  /// - All styled descriptions except one must be derived from that one (RFC 9073 §6.5).
  /// - The status codes of a component must start with the same number (RFC 5546 §3.6).
  func checkVariants(_ component: CheckedComponent, into found: inout [Diagnostic]) {
    checkStatusCodes(component.all(plan.requestStatus), into: &found)
    if component.set == .calendar {
      for number in [plan.name, plan.descriptionText] {
        checkLanguages(component.all(number), into: &found)
      }
    }
    let originals = component.all(plan.styledDescription).filter {
      $0.property[.derived]?.asciiUppercased != "TRUE"
    }
    let count = component.all(plan.styledDescription).count
    guard count > 1, originals.count != 1,
      let entry = originals.dropFirst().first ?? component[plan.styledDescription]
    else { return }
    found.append(
      entry.property.diagnostic(
        aboutName: .warning, .conflictingProperties,
        "expected one STYLED-DESCRIPTION without DERIVED=TRUE among \(count), "
          + "found \(originals.isEmpty ? "none" : String(originals.count))",
        reference: "RFC 9073 §6.5"))
  }

  private func checkStatusCodes(
    _ entries: [CheckedComponent.Entry], into found: inout [Diagnostic]
  ) {
    var first: StatusCode?
    for entry in entries {
      guard let code = entry.property.statusCode else { continue }
      guard let level = first?.level, level != code.level else {
        first = first ?? code
        continue
      }
      found.append(
        entry.property.diagnostic(
          aboutName: .warning, .conflictingProperties,
          "expected a REQUEST-STATUS that begins with \(level) as the first one does, "
            + "found \(code.code)", reference: "RFC 5546 §3.6"))
      return
    }
  }

  private func checkLanguages(
    _ entries: [CheckedComponent.Entry], into found: inout [Diagnostic]
  ) {
    var seen: Set<String> = []
    for entry in entries {
      let language = entry.property[.language] ?? ""
      guard !seen.insert(language.asciiUppercased).inserted else { continue }
      found.append(
        entry.property.diagnostic(
          aboutName: .warning, .repeatedProperty,
          "expected \(entry.name.canonicalName) once in each language, found another one "
            + (language.isEmpty ? "without LANGUAGE" : "with LANGUAGE=\(language)"),
          reference: entry.name == .name ? "RFC 7986 §5.1" : "RFC 7986 §5.2"))
      // One diagnostic is enough for a calendar with thousands of repetitions.
      return
    }
  }

  // MARK: Places of alarms

  /// Only alarms with PROXIMITY may and must have a location (RFC 9074 §8).
  func checkPlaces(ofAlarm alarm: Component, into found: inout [Diagnostic]) {
    let place = alarm.components.first { $0.name == .location }
    guard let proximity = alarm[.proximity] else {
      guard let place else { return }
      found.append(
        place.diagnostic(
          .warning, .missingProperty, "expected PROXIMITY in an alarm with a VLOCATION, found none",
          reference: "RFC 9074 §8"))
      return
    }
    let word = proximity.text.asciiUppercased
    guard place == nil, word == "ARRIVE" || word == "DEPART" else { return }
    found.append(
      proximity.diagnostic(
        .warning, .missingComponent, "expected a VLOCATION for PROXIMITY:\(word), found none",
        reference: "RFC 9074 §8.1"))
  }
}

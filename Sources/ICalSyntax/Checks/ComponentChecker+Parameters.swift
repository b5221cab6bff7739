// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Checks of the parameters of a property.
extension ComponentChecker {
  func checkParameters(
    of entry: CheckedComponent.Entry, in component: CheckedComponent,
    into found: inout [Diagnostic]
  ) {
    guard !entry.property.withParameters({ areUsual($0, of: entry, in: component) }) else { return }
    var seen: UInt64 = 0
    var repeated: [Int: RepeatedParameter] = [:]
    let parameters = entry.property.parameters
    for parameter in parameters {
      guard let number = parameter.name.index else { continue }
      let bit: UInt64 = 1 << UInt64(number)
      guard seen & bit == 0 else {
        let first =
          repeated[number] ?? RepeatedParameter(parameter.name, in: parameters, of: entry.property)
        repeated[number] = first
        foundAgain(parameter, first, of: entry, into: &found)
        continue
      }
      seen |= bit
      let step = plan.parameters[number]
      let isInPlace =
        entry.number.map { number in step.properties.map { $0.contains(number) } ?? true } ?? true
      if !isInPlace || !step.isPlain || parameter.values.count > 1 {
        check(
          parameter, ParameterTable.rows[number], isInPlace, of: entry, in: component, into: &found)
      }
      if parameter.name == .tzID { checkZone(parameter.value, of: entry, into: &found) }
    }
  }

  /// Whether the checks certainly find nothing; nearly all parameters are usual.
  private func areUsual(
    _ parameters: Span<UInt8>, of entry: CheckedComponent.Entry, in component: CheckedComponent
  ) -> Bool {
    var seen: UInt64 = 0
    var start = 0
    while let place = ParameterParser.place(in: parameters, at: start) {
      start = place.end
      guard let number = place.index else { continue }
      let bit: UInt64 = 1 << UInt64(number)
      let step = plan.parameters[number]
      guard seen & bit == 0,
        entry.number.map({ step.properties?.contains($0) ?? true }) ?? true,
        let range = ParameterParser.plainValue(in: parameters, place.values)
      else { return false }
      seen |= bit
      let value = parameters.extracting(range)
      if number == plan.tzID {
        guard !value.isEmpty, case .dateTime(_, isUTC: false)? = entry.values.values.first else {
          return false
        }
      }
      if step.isPlain { continue }
      guard component.set != .journal, step.usual.contains(where: { $0.span.isEqual(to: value) })
      else { return false }
    }
    return true
  }

  private func foundAgain(
    _ parameter: Parameter, _ first: RepeatedParameter?, of entry: CheckedComponent.Entry,
    into found: inout [Diagnostic]
  ) {
    guard let row = ParameterTable.row(for: parameter.name), let first else { return }
    found.append(
      entry.property.diagnostic(
        aboutName: .error, .repeatedParameter,
        "expected the parameter \(row.name) once, found it again", reference: row.reference
      ).with(first.parameter == parameter ? first.fix : nil))
  }

  private func check(
    _ parameter: Parameter, _ row: ParameterTable.Row, _ isInPlace: Bool,
    of entry: CheckedComponent.Entry, in component: CheckedComponent,
    into found: inout [Diagnostic]
  ) {
    func add(_ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ message: String) {
      found.append(
        entry.property.diagnostic(
          aboutName: severity, code, message, reference: row.reference))
    }
    if !isInPlace || isOrder(parameter, ofOne: entry, in: component) {
      add(
        .warning, .misplacedParameter,
        "expected no \(row.name) parameter on \(entry.name.canonicalName), found one")
      return
    }
    if !row.isList, parameter.values.count > 1 {
      add(
        .warning, .parameterValue,
        "expected one value of \(row.name), found \(parameter.values.count)")
    }
    for value in parameter.values {
      if let expected = expectation(of: value, row) {
        let isGrave = row.name == "RANGE" || row.name == "RELATED"
        add(
          isGrave ? .error : .warning, .parameterValue,
          "expected \(expected), found \(row.name)=\(value)")
        break
      }
    }
    if parameter.name == .participationStatus {
      checkParticipation(parameter.value.asciiUppercased, row, of: entry, in: component, &found)
    }
  }

  /// Whether ORDER applies to a property that can occur only once (RFC 9073 §5.1).
  private func isOrder(
    _ parameter: Parameter, ofOne entry: CheckedComponent.Entry, in component: CheckedComponent
  ) -> Bool {
    guard parameter.name == .order, let number = entry.number else { return false }
    return !plan.properties[number].once.isDisjoint(with: component.set)
  }

  /// The expected parameter value for a message, or nil if the value is valid.
  private func expectation(of value: String, _ row: ParameterTable.Row) -> String? {
    switch row.content {
    case .text: nil
    case .words(let words):
      words.contains(value.asciiUppercased)
        ? nil : words.map { "\(row.name)=\($0)" }.joined(separator: " or ")
    case .number(let least):
      Int(value).map { $0 >= least } == true ? nil : "a number from \(least)"
    case .duration: (try? CivilDuration(parsing: value)) == nil ? "a duration" : nil
    case .uri: value.utf8.contains(ASCII.colon) ? nil : "a URI"
    }
  }

  /// Some participation statuses are valid only in certain components (RFC 5545 §3.2.12).
  private func checkParticipation(
    _ status: String, _ row: ParameterTable.Row, of entry: CheckedComponent.Entry,
    in component: CheckedComponent, _ found: inout [Diagnostic]
  ) {
    let isOfReminders = status == "COMPLETED" || status == "IN-PROCESS"
    let isOfOthers = status == "TENTATIVE" || status == "DELEGATED"
    guard
      component.set == .event && isOfReminders
        || component.set == .journal && (isOfReminders || isOfOthers)
    else { return }
    found.append(
      entry.property.diagnostic(
        aboutName: .warning, .parameterValue,
        "expected an answer that goes with \(component.name.canonicalName), "
          + "found PARTSTAT=\(status)", reference: row.reference))
  }

  /// TZID is only valid with local times (RFC 5545 §3.2.19).
  private func checkZone(
    _ tzID: String, of entry: CheckedComponent.Entry, into found: inout [Diagnostic]
  ) {
    func add(_ severity: Diagnostic.Severity, _ message: String, _ fix: Fix?) {
      found.append(
        entry.property.diagnostic(
          aboutName: severity, .timeZone, message, reference: "RFC 5545 §3.2.19"
        ).with(fix))
    }
    if tzID.isEmpty {
      add(.error, "expected the name of a time zone in TZID, found nothing", nil)
      return
    }
    // A list may contain times of both kinds; TZID then applies to some of them.
    guard !entry.values.values.isEmpty else { return }
    if entry.values.values.allSatisfy(\.isInUTC) {
      add(
        .warning, "expected no TZID parameter on a UTC time, found one",
        // Programs write the Z behind times of the zone, too: either may be the mistake.
        Fix(advice: "remove TZID if the time is in UTC, or the Z if it is in the zone"))
    } else if entry.values.values.allSatisfy(\.isDate) {
      add(
        .warning, "expected no TZID parameter on a date, found one",
        entry.values.problems.isEmpty ? setting(.tzID, to: nil, on: entry.property) : nil)
    }
  }
}

extension Value {
  /// Whether the value is a time in UTC.
  fileprivate var isInUTC: Bool {
    switch self {
    case .dateTime(_, let isUTC): isUTC
    case .period(let period): period.isUTC
    default: false
    }
  }

  /// Whether the value is a date.
  fileprivate var isDate: Bool {
    if case .date = self { true } else { false }
  }
}

/// The first of several parameters of one name.
private struct RepeatedParameter {
  let parameter: Parameter
  /// Leaving it as the only one, made once for all that are there twice.
  let fix: Fix?

  /// Finds the first parameter with a name, or returns nil.
  init?(_ name: ParameterName, in parameters: [Parameter], of property: Property) {
    guard let first = parameters.first(where: { $0.name == name }) else { return nil }
    parameter = first
    // The fix sets the parameter, which would replace several values by one.
    guard first.values.count == 1, let line = property.position?.line else {
      fix = nil
      return
    }
    var mended = property
    mended[name] = first.value
    fix = Fix("remove what is there twice", .replace(line: line, with: mended))
  }
}

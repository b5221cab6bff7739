// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The rules that concern one property on its own.
extension ComponentChecker {
  func check(
    _ property: Property, in component: ComponentName, into found: inout [Diagnostic]
  ) {
    let typed = property.typedValues
    for problem in typed.problems {
      found.append(
        property.diagnostic(
          problem.severity, problem.code, atValueOffset: problem.offset, problem.message,
          reference: problem.reference))
    }
    let name = property.name
    if let range = ValueRange.row(for: name, in: component) {
      for value in typed.values {
        if let message = range.objection(to: value) {
          found.append(
            property.diagnostic(.error, .invalidValue, message, reference: range.reference))
        }
      }
    }
    if typed.problems.isEmpty, let message = objection(to: property, named: name, typed) {
      found.append(
        property.diagnostic(
          .error, .invalidValue, message, reference: PropertyTable.row(for: name)?.reference))
    }
    checkParameters(of: property, typed, into: &found)
  }

  /// What is wrong with a value that its type alone would allow.
  private func objection(
    to property: Property, named name: PropertyName, _ typed: TypedValues
  ) -> String? {
    switch typed.first {
    case .dateTime(_, isUTC: false)? where ValueRange.inUTC.contains(name):
      "expected a UTC time, which ends in Z, found a local time"
    case .duration(let duration)? where name == .duration && duration.isNegative:
      "expected a positive duration, found \(duration)"
    case .text("")? where name == .uid: "expected an identifier, found an empty UID"
    default:
      name == .geo && !isGeo(typed.values)
        ? "expected a latitude from -90 through 90, \";\" and a longitude from -180 through 180, "
          + "found \"\(property.rawValue)\"" : nil
    }
  }

  private func isGeo(_ values: ValueList) -> Bool {
    guard values.count == 2, case .float(let latitude) = values[0],
      case .float(let longitude) = values[1]
    else { return false }
    return (-90...90).contains(latitude) && (-180...180).contains(longitude)
  }

  private func checkParameters(
    of property: Property, _ typed: TypedValues, into found: inout [Diagnostic]
  ) {
    func add(_ severity: Diagnostic.Severity, _ message: String, _ section: String) {
      found.append(
        property.diagnostic(
          aboutName: severity, .conflictingProperties, message, reference: "RFC 5545 §\(section)"))
    }
    var seen: Set<ParameterName> = []
    for parameter in property.parameters
    where parameter.name.index != nil && !seen.insert(parameter.name).inserted {
      add(.error, "expected the parameter \(parameter.name) once, found it again", "3.2")
    }
    if property[.tzID] == "" {
      add(.error, "expected the name of a time zone in TZID, found nothing", "3.2.19")
    }
    if property[.tzID] != nil, case .dateTime(_, isUTC: true)? = typed.first {
      add(.warning, "expected no TZID parameter on a UTC time, found one", "3.2.19")
    }
    if typed.type == .binary, property[.encoding]?.asciiUppercased != "BASE64" {
      add(.warning, "expected ENCODING=BASE64 beside VALUE=BINARY, found none", "3.3.1")
    }
    if property.isNamed(.recurrenceID), let range = property[.range]?.asciiUppercased,
      range != "THISANDFUTURE"
    {
      add(.error, "expected RANGE=THISANDFUTURE, found RANGE=\(range)", "3.2.13")
    }
  }
}

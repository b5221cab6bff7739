// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Checks of the value of a single property.
extension ComponentChecker {
  func check(
    _ entry: CheckedComponent.Entry, in component: CheckedComponent,
    into found: inout [Diagnostic]
  ) {
    if let values = entry.readValues { check(entry, values, in: component, into: &found) }
    if entry.number == plan.uid, entry.property.withValue({ $0.isEmpty }) {
      found.append(
        entry.property.diagnostic(
          .error, .valueRange, "expected an identifier, found an empty UID",
          reference: entry.row?.reference))
    }
    if let number = entry.number, plan.properties[number].isText { checkText(entry, into: &found) }
    if entry.property.hasParameters { checkParameters(of: entry, in: component, into: &found) }
    if let number = entry.number, plan.extended.contains(number) {
      checkExtension(entry, into: &found)
    }
  }

  /// Checks parsed values.
  private func check(
    _ entry: CheckedComponent.Entry, _ values: TypedValues, in component: CheckedComponent,
    into found: inout [Diagnostic]
  ) {
    for problem in values.problems {
      found.append(
        entry.property.diagnostic(
          problem.severity, problem.code, atValueOffset: problem.offset, problem.message,
          reference: problem.reference
        ).with(fix(for: problem, of: entry)))
    }
    if let number = entry.number {
      let row = PropertyTable.rows[number]
      if let limit = row.limit { check(entry, row, limit, in: component, into: &found) }
    }
    if values.type == .period { checkPeriods(of: entry, into: &found) }
    if values.type == .binary, entry.property[.encoding]?.asciiUppercased != "BASE64" {
      found.append(
        entry.property.diagnostic(
          aboutName: .warning, .missingParameter,
          "expected ENCODING=BASE64 beside VALUE=BINARY, found none", reference: "RFC 5545 §3.3.1"
        ).with(
          values.problems.isEmpty ? setting(.encoding, to: "BASE64", on: entry.property) : nil))
    }
  }

  private func fix(for problem: ValueProblem, of entry: CheckedComponent.Entry) -> Fix? {
    switch problem.code {
    case .lenientValue: canonicalForm(of: entry)
    case .valueType: typeFix(of: entry)
    default: plainDigits(of: entry)
    }
  }

  private func check(
    _ entry: CheckedComponent.Entry, _ row: PropertyTable.Row, _ limit: PropertyTable.Limit,
    in component: CheckedComponent, into found: inout [Diagnostic]
  ) {
    func add(
      _ message: String, _ code: DiagnosticCode = .valueRange,
      _ severity: Diagnostic.Severity = .error, _ fix: Fix? = nil
    ) {
      found.append(
        entry.property.diagnostic(severity, code, message, reference: row.reference).with(fix))
    }
    if limit == .coordinates {
      guard entry.values.problems.isEmpty, !isPlace(entry.values.values) else { return }
      add(
        "expected a latitude from -90 through 90, \";\" and a longitude from -180 through 180, "
          + "found \"\(entry.property.rawValue)\"")
      return
    }
    for value in entry.values.values {
      switch (limit, value) {
      case (.numbers(let numbers), .integer(let number)) where !numbers.contains(number):
        add(
          "expected a number from \(numbers.lowerBound) through \(numbers.upperBound), "
            + "found \(number)")
      case (.words(let words), .text(let word)):
        // Components that no RFC defines may use the same property names with other meanings.
        if !component.set.isEmpty { check(word.string, words) }
      case (.states, .text(let word)): check(word.string, Self.states(of: component.set))
      case (.positive, .duration(let duration)) where duration.isNegative:
        add("expected a positive duration, found \(duration)")
      case (.utc, .dateTime(_, isUTC: false)):
        // The time of an alarm is read in its TZID, or else in the zone of the viewer.
        add(
          "expected a UTC time, which ends in Z, found a local time", .timeInUTC,
          row.name == "TRIGGER" ? .warning : .error, timeInUTC(of: entry))
      case (.utc, .period(let period)) where !period.isUTC:
        add("expected a UTC time, which ends in Z, found a local time", .timeInUTC)
      default: break
      }
    }
    func check(_ word: String, _ words: [String]) {
      guard !words.isEmpty, !words.contains(word.asciiUppercased) else { return }
      add("expected \(words.joined(separator: " or ")), found \"\(word)\"")
    }
  }

  /// The STATUS values of each component (RFC 5545 §3.8.1.11).
  private static func states(of component: ComponentSet) -> [String] {
    switch component {
    case .event: ["TENTATIVE", "CONFIRMED", "CANCELLED"]
    case .reminder: ["NEEDS-ACTION", "COMPLETED", "IN-PROCESS", "CANCELLED"]
    case .journal: ["DRAFT", "FINAL", "CANCELLED"]
    default: []
    }
  }

  private func isPlace(_ values: ValueList) -> Bool {
    guard values.count == 2, case .float(let latitude) = values[0],
      case .float(let longitude) = values[1]
    else { return false }
    return (-90...90).contains(latitude) && (-180...180).contains(longitude)
  }

  /// A period must end after its start, and both must be in UTC or neither (RFC 5545 §3.3.9).
  private func checkPeriods(
    of entry: CheckedComponent.Entry, into found: inout [Diagnostic]
  ) {
    for case .period(let period) in entry.values.values {
      let problem: (DiagnosticCode, String)? =
        switch period.end {
        case .dateTime(_, let isUTC) where isUTC != period.isUTC:
          (.timeType, "expected both times of a period in UTC or neither, found one")
        case .dateTime(let end, _) where end <= period.start:
          (.timeOrder, "expected the end of a period after its start, found \(end)")
        default: nil
        }
      guard let (code, message) = problem else { continue }
      found.append(
        entry.property.diagnostic(.error, code, message, reference: "RFC 5545 §3.3.9"))
      // One diagnostic is enough for a list of thousands.
      return
    }
  }
}

/// The rule for the contents of texts.
extension ComponentChecker {
  /// A comma or a semicolon in a text has a backslash before it (RFC 5545 §3.3.11).
  ///
  /// Programs that read every value as a list split the text there, and some drop the rest:
  /// Radicale stores "Lunch" for "Lunch, with Oma".
  func checkText(_ entry: CheckedComponent.Entry, into found: inout [Diagnostic]) {
    let place = entry.property.withValue { TextEscaping.firstSeparator(in: $0) }
    guard let place, entry.readValues.map({ $0.type == .text }) ?? true else { return }
    let byte = entry.property.withValue { $0[place] }
    let separator = byte == ASCII.comma ? "," : ";"
    found.append(
      entry.property.diagnostic(
        .warning, .unescapedText, atValueOffset: place,
        "expected \"\\\(separator)\" in a text, found \"\(separator)\"",
        reference: "RFC 5545 §3.3.11"
      ).with(escaping(entry)))
  }

  /// A fix that adds the escapes; only advice if other components refer to the text.
  private func escaping(_ entry: CheckedComponent.Entry) -> Fix? {
    if let number = entry.number, plan.names.contains(number) {
      return Fix(advice: "put a backslash before it, here and wherever else it is named")
    }
    guard let line = entry.property.position?.line else { return nil }
    let bytes = entry.property.withValue { TextEscaping.escapingSeparators(of: $0) }
    // Bytes that are not UTF-8 stay unchanged, because their charset is unknown.
    guard let value = String(validating: bytes, as: UTF8.self) else { return nil }
    var mended = entry.property
    mended.rawValue = value
    return Fix("write \(value)", .replace(line: line, with: mended))
  }
}

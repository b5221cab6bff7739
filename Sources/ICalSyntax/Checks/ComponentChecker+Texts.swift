// SPDX-License-Identifier: Apache-2.0

/// The rule that concerns what stands in a text.
extension ComponentChecker {
  /// A comma or a semicolon in a text has a backslash before it (RFC 5545 §3.3.11).
  ///
  /// Programs that read every value as a list take what stands after one for another value, and some drop
  /// it: Radicale stores "Lunch" of "Lunch, with Oma".
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

  /// The text with its escapes; advice where others may know it by its letters.
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

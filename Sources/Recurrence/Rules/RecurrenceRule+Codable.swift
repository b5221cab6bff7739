// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension RecurrenceRule: Codable {
  /// Reads a rule from the value of an RRULE property, such as `FREQ=WEEKLY;BYDAY=MO`.
  ///
  /// - Throws: `DecodingError` with the `RecurrenceRuleIssue` of an invalid rule.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { text throws(RecurrenceRuleIssue) in
      try RecurrenceRule(parsing: text)
    }
  }

  /// Writes the rule as its canonical text (RFC 5545 §3.3.10), which is its description.
  public func encode(to encoder: any Encoder) throws { try encoder.write(description) }
}

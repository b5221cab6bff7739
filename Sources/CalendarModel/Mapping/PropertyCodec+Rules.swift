// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Recurrence

extension PropertyCodec where Value == RecurrenceRule {
  /// A recurrence rule (RFC 5545 §3.8.5.3), parsed leniently.
  static let rule = PropertyCodec(
    read: { property, diagnostics in
      if let rule = property.withValue({ RecurrenceRule(usual: $0) }) { return rule }
      let bytes = property.valueBytes
      do throws(RecurrenceRuleIssue) {
        let reading = try RecurrenceRule.parse(leniently: bytes.span)
        for issue in reading.issues where issue.isViolation {
          diagnostics.append(property.diagnostic(.warning, .lenientValue, issue))
        }
        return reading.rule
      } catch {
        diagnostics.append(property.diagnostic(.error, .invalidValue, error))
        return nil
      }
    },
    edit: { $1.set(rawValue: $0.description) })
}

extension Property {
  fileprivate func diagnostic(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ issue: RecurrenceRuleIssue
  ) -> Diagnostic {
    diagnostic(
      severity, code, atValueOffset: issue.offset, issue.message, reference: issue.section)
  }
}

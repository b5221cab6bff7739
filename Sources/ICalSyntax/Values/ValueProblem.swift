// SPDX-License-Identifier: Apache-2.0

/// A problem with a value, and its offset.
public struct ValueProblem: Hashable, Sendable {
  /// The severity: an error makes the value unknown; a warning or note does not.
  public let severity: Diagnostic.Severity
  /// The code of the problem.
  public let code: DiagnosticCode
  /// The offset in the raw value, in bytes.
  public let offset: Int
  /// The message, in the form `expected X, found Y`.
  public let message: String
  /// The section that states the rule.
  public let reference: String

  init(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, offset: Int, _ message: String,
    reference: String
  ) {
    self.severity = severity
    self.code = code
    self.offset = offset
    self.message = message
    self.reference = reference
  }
}

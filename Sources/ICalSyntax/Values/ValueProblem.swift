// SPDX-License-Identifier: Apache-2.0

/// What is the matter with a value, and where in it.
public struct ValueProblem: Hashable, Sendable {
  /// How grave it is: an error leaves the value unknown, a warning or a note does not.
  public let severity: Diagnostic.Severity
  /// What it is about.
  public let code: DiagnosticCode
  /// The offset in bytes into the raw value.
  public let offset: Int
  /// What was expected and what was found.
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

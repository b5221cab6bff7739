// SPDX-License-Identifier: Apache-2.0

extension DiagnosticCode {
  /// A text is not JSON.
  public static let malformedJSON = DiagnosticCode(rawValue: "json.malformed")
  /// A JSON value is not valid jCal at its position.
  public static let malformedJCal = DiagnosticCode(rawValue: "jcal.malformed")
  /// A JSON text exceeds a limit of the parser in size or nesting.
  public static let jsonLimit = DiagnosticCode(rawValue: "limit.json")
}

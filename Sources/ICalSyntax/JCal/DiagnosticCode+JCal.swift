// SPDX-License-Identifier: Apache-2.0

extension DiagnosticCode {
  /// A text is not JSON.
  public static let malformedJSON = DiagnosticCode(rawValue: "json.malformed")
  /// A value of JSON is not what jCal has in its place.
  public static let malformedJCal = DiagnosticCode(rawValue: "jcal.malformed")
  /// A JSON text is larger or nested deeper than the parser takes.
  public static let jsonLimit = DiagnosticCode(rawValue: "limit.json")
}

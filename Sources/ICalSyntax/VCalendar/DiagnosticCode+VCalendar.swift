// SPDX-License-Identifier: Apache-2.0

extension DiagnosticCode {
  /// Something of vCalendar 1.0 has no equivalent in iCalendar.
  public static let untranslated = DiagnosticCode(rawValue: "vcalendar.untranslated")
  /// A text is not in the character set that it names, or names none and is not UTF-8.
  public static let charset = DiagnosticCode(rawValue: "value.charset")
}

// SPDX-License-Identifier: Apache-2.0

extension DiagnosticCode {
  /// A part of vCalendar 1.0 has no equivalent in iCalendar.
  public static let untranslated = DiagnosticCode(rawValue: "vcalendar.untranslated")
  /// A text is not valid in its declared character set, or in UTF-8 if none is declared.
  public static let charset = DiagnosticCode(rawValue: "value.charset")
}

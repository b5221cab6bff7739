// SPDX-License-Identifier: Apache-2.0

/// The stable name of a kind of diagnostic, such as `line.malformed`.
public struct DiagnosticCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name, a subject and a problem in lower case.
  public let rawValue: String

  /// Creates a code from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The name.
  public var description: String { rawValue }
}

extension DiagnosticCode {
  /// A line has no colon, or its property name is invalid.
  public static let malformedLine = DiagnosticCode(rawValue: "line.malformed")
  /// A line is empty.
  public static let blankLine = DiagnosticCode(rawValue: "line.blank")
  /// A line ends in a bare LF or CR.
  public static let lineEnd = DiagnosticCode(rawValue: "line.end")
  /// A line contains bytes that are not UTF-8.
  public static let invalidUTF8 = DiagnosticCode(rawValue: "line.utf8")
  /// A line contains a control character.
  public static let controlCharacter = DiagnosticCode(rawValue: "line.control")
  /// A line is longer than 75 octets.
  public static let longLine = DiagnosticCode(rawValue: "line.long")
  /// A file contains no calendar.
  public static let noCalendar = DiagnosticCode(rawValue: "file.no-calendar")
  /// A content line exceeds the parser's limit.
  public static let lineLength = DiagnosticCode(rawValue: "limit.line-length")
  /// A component exceeds the parser's limit.
  public static let componentSize = DiagnosticCode(rawValue: "limit.component-size")
  /// The nesting of components exceeds the parser's limit.
  public static let nesting = DiagnosticCode(rawValue: "limit.nesting")
  /// The number of properties in a component exceeds the parser's limit.
  public static let propertyCount = DiagnosticCode(rawValue: "limit.properties")
  /// The number of parameters in a component exceeds the parser's limit.
  public static let parameterCount = DiagnosticCode(rawValue: "limit.parameters")
  /// The stream is longer than the parser's limit.
  public static let fileSize = DiagnosticCode(rawValue: "limit.file-size")
  /// The number of components in the stream exceeds the parser's limit.
  public static let componentCount = DiagnosticCode(rawValue: "limit.components")
  /// The number of diagnostics exceeds the parser's limit.
  public static let diagnosticCount = DiagnosticCode(rawValue: "limit.diagnostics")
  /// A parameter has no equals sign or no name, or a quote is not closed.
  public static let malformedParameter = DiagnosticCode(rawValue: "parameter.malformed")
  /// A parameter occurs twice.
  public static let repeatedParameter = DiagnosticCode(rawValue: "parameter.repeated")
  /// A property has a parameter that is not defined for it.
  public static let misplacedParameter = DiagnosticCode(rawValue: "parameter.misplaced")
  /// A property lacks a required parameter.
  public static let missingParameter = DiagnosticCode(rawValue: "parameter.missing")
  /// The value of a parameter is not one of the defined ones.
  public static let parameterValue = DiagnosticCode(rawValue: "parameter.value")
  /// A line that begins or ends a component contains more than its name.
  public static let componentLine = DiagnosticCode(rawValue: "component.line")
  /// A property is outside of any component.
  public static let strayProperty = DiagnosticCode(rawValue: "component.stray-property")
  /// A component has no END line before its parent or the file ends.
  public static let missingEnd = DiagnosticCode(rawValue: "component.missing-end")
  /// An END line does not match an open component.
  public static let unexpectedEnd = DiagnosticCode(rawValue: "component.unexpected-end")
  /// A component is in a parent that does not allow it.
  public static let misplacedComponent = DiagnosticCode(rawValue: "component.misplaced")
  /// A calendar lacks a required component, for example one that another component refers to.
  public static let missingComponent = DiagnosticCode(rawValue: "component.missing")
  /// Two components have the same identity.
  public static let repeatedComponent = DiagnosticCode(rawValue: "component.repeated")
  /// A component lacks a required property.
  public static let missingProperty = DiagnosticCode(rawValue: "property.missing")
  /// A property occurs more often than allowed.
  public static let repeatedProperty = DiagnosticCode(rawValue: "property.repeated")
  /// A component has a property that is not defined for it.
  public static let misplacedProperty = DiagnosticCode(rawValue: "property.misplaced")
  /// Two properties are mutually exclusive.
  public static let conflictingProperties = DiagnosticCode(rawValue: "property.conflict")
  /// A value does not match its type.
  public static let invalidValue = DiagnosticCode(rawValue: "value.invalid")
  /// A VALUE parameter names an unknown type, or one that the property does not allow.
  public static let valueType = DiagnosticCode(rawValue: "value.type")
  /// A value is readable but violates the syntax.
  public static let lenientValue = DiagnosticCode(rawValue: "value.lenient")
  /// A text contains a comma or a semicolon without a backslash before it.
  public static let unescapedText = DiagnosticCode(rawValue: "value.unescaped")
  /// A value is of its type, but not one of those that the property may have.
  public static let valueRange = DiagnosticCode(rawValue: "value.range")
  /// Two times are not in the required order.
  public static let timeOrder = DiagnosticCode(rawValue: "time.order")
  /// Two times of a component do not have the same type, as required.
  public static let timeType = DiagnosticCode(rawValue: "time.type")
  /// A time is local where UTC is required, or vice versa.
  public static let timeInUTC = DiagnosticCode(rawValue: "time.utc")
  /// A TZID parameter is on a time without a time zone.
  public static let timeZone = DiagnosticCode(rawValue: "time.zone")
  /// A TZID has two definitions with different rules.
  public static let timeZoneConflict = DiagnosticCode(rawValue: "time-zone.conflict")
  /// A time floats in a calendar that declares a zone for its times.
  public static let floatingTime = DiagnosticCode(rawValue: "time.floating")
  /// UNTIL does not go with DTSTART.
  public static let until = DiagnosticCode(rawValue: "rule.until")
  /// A rule part conflicts with DTSTART or with another rule.
  public static let ruleConflict = DiagnosticCode(rawValue: "rule.conflict")
  /// A rule never has an instance.
  public static let neverMatches = DiagnosticCode(rawValue: "rule.never")
  /// A message lacks something that its METHOD requires.
  public static let methodMissing = DiagnosticCode(rawValue: "method.missing")
  /// A message has something that its METHOD forbids.
  public static let methodForbidden = DiagnosticCode(rawValue: "method.forbidden")
}

extension DiagnosticCode {
  /// A text is not JSON.
  public static let malformedJSON = DiagnosticCode(rawValue: "json.malformed")
  /// A JSON value is not valid jCal at its position.
  public static let malformedJCal = DiagnosticCode(rawValue: "jcal.malformed")
  /// A JSON text exceeds a limit of the parser in size or nesting.
  public static let jsonLimit = DiagnosticCode(rawValue: "limit.json")
}

extension DiagnosticCode {
  /// A part of vCalendar 1.0 has no equivalent in iCalendar.
  public static let untranslated = DiagnosticCode(rawValue: "vcalendar.untranslated")
  /// A text is not valid in its declared character set, or in UTF-8 if none is declared.
  public static let charset = DiagnosticCode(rawValue: "value.charset")
}

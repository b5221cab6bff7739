// SPDX-License-Identifier: Apache-2.0

/// The stable name of a kind of diagnostic, as `line.no-colon`: for programs, filters and goldens.
public struct DiagnosticCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name: a subject and what is the matter with it, in lower case.
  public let rawValue: String

  /// Creates a code from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The name.
  public var description: String { rawValue }
}

extension DiagnosticCode {
  /// A line has no colon, or something that is no name stands where the property name belongs.
  public static let malformedLine = DiagnosticCode(rawValue: "line.malformed")
  /// A line is empty.
  public static let blankLine = DiagnosticCode(rawValue: "line.blank")
  /// A line ends in LF or CR alone.
  public static let lineEnd = DiagnosticCode(rawValue: "line.end")
  /// A line holds bytes that are not UTF-8.
  public static let invalidUTF8 = DiagnosticCode(rawValue: "line.utf8")
  /// A line holds a control character.
  public static let controlCharacter = DiagnosticCode(rawValue: "line.control")
  /// A line is longer than 75 octets.
  public static let longLine = DiagnosticCode(rawValue: "line.long")
  /// A file holds no calendar.
  public static let noCalendar = DiagnosticCode(rawValue: "file.no-calendar")
  /// A content line is longer than the parser takes.
  public static let lineLength = DiagnosticCode(rawValue: "limit.line-length")
  /// A component is larger than the parser takes.
  public static let componentSize = DiagnosticCode(rawValue: "limit.component-size")
  /// Components are nested deeper than the parser takes.
  public static let nesting = DiagnosticCode(rawValue: "limit.nesting")
  /// A component has more properties than the parser takes.
  public static let propertyCount = DiagnosticCode(rawValue: "limit.properties")
  /// The properties of a component have more parameters than the parser takes.
  public static let parameterCount = DiagnosticCode(rawValue: "limit.parameters")
  /// A parameter has no equals sign or no name, or a quote is not closed.
  public static let malformedParameter = DiagnosticCode(rawValue: "parameter.malformed")
  /// A parameter is there twice.
  public static let repeatedParameter = DiagnosticCode(rawValue: "parameter.repeated")
  /// A parameter stands on a property that has no use for it.
  public static let misplacedParameter = DiagnosticCode(rawValue: "parameter.misplaced")
  /// A property lacks a parameter that it must have.
  public static let missingParameter = DiagnosticCode(rawValue: "parameter.missing")
  /// The value of a parameter is not one of those that it may have.
  public static let parameterValue = DiagnosticCode(rawValue: "parameter.value")
  /// A line that begins or ends a component holds more than its name.
  public static let componentLine = DiagnosticCode(rawValue: "component.line")
  /// A property stands outside of any component.
  public static let strayProperty = DiagnosticCode(rawValue: "component.stray-property")
  /// A component is not ended, or the file ends inside it.
  public static let missingEnd = DiagnosticCode(rawValue: "component.missing-end")
  /// An END line ends nothing.
  public static let unexpectedEnd = DiagnosticCode(rawValue: "component.unexpected-end")
  /// A component stands where it may not.
  public static let misplacedComponent = DiagnosticCode(rawValue: "component.misplaced")
  /// A calendar lacks a component that something in it refers to.
  public static let missingComponent = DiagnosticCode(rawValue: "component.missing")
  /// Two components say that they are the same one.
  public static let repeatedComponent = DiagnosticCode(rawValue: "component.repeated")
  /// A component lacks a property that it must have.
  public static let missingProperty = DiagnosticCode(rawValue: "property.missing")
  /// A property occurs more often than it may.
  public static let repeatedProperty = DiagnosticCode(rawValue: "property.repeated")
  /// A property stands in a component that has no use for it.
  public static let misplacedProperty = DiagnosticCode(rawValue: "property.misplaced")
  /// Two properties exclude each other.
  public static let conflictingProperties = DiagnosticCode(rawValue: "property.conflict")
  /// A value is not of its type.
  public static let invalidValue = DiagnosticCode(rawValue: "value.invalid")
  /// A VALUE parameter names a type that the property cannot have, or that nobody knows.
  public static let valueType = DiagnosticCode(rawValue: "value.type")
  /// A value is readable, but not written as it must be.
  public static let lenientValue = DiagnosticCode(rawValue: "value.lenient")
  /// A text holds a comma or a semicolon without a backslash before it.
  public static let unescapedText = DiagnosticCode(rawValue: "value.unescaped")
  /// A value is of its type, but not one of those that the property may have.
  public static let valueRange = DiagnosticCode(rawValue: "value.range")
  /// A time is not before or after another one as it must be.
  public static let timeOrder = DiagnosticCode(rawValue: "time.order")
  /// Two times of a component are not of the same type, as they must be.
  public static let timeType = DiagnosticCode(rawValue: "time.type")
  /// A time is local where it must be in UTC, or the other way round.
  public static let timeInUTC = DiagnosticCode(rawValue: "time.utc")
  /// A TZID parameter stands on a time that has no time zone.
  public static let timeZone = DiagnosticCode(rawValue: "time.zone")
  /// A time floats in a calendar that declares a zone for its times.
  public static let floatingTime = DiagnosticCode(rawValue: "time.floating")
  /// UNTIL does not go with DTSTART.
  public static let until = DiagnosticCode(rawValue: "rule.until")
  /// A part of a rule does not go with DTSTART, or with another rule.
  public static let ruleConflict = DiagnosticCode(rawValue: "rule.conflict")
  /// A rule can never match.
  public static let neverMatches = DiagnosticCode(rawValue: "rule.never")
  /// A message lacks something that its METHOD asks for.
  public static let methodMissing = DiagnosticCode(rawValue: "method.missing")
  /// A message has something that its METHOD forbids.
  public static let methodForbidden = DiagnosticCode(rawValue: "method.forbidden")
}

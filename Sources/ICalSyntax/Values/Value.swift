// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import Recurrence

/// A typed value of a property (RFC 5545 §3.3).
public enum Value: Hashable, Sendable {
  /// Decoded binary data.
  case binary([UInt8])
  /// A Boolean.
  case boolean(Bool)
  /// The unmodified address of a calendar user.
  case calendarAddress(ValueText)
  /// A date.
  case date(CivilDate)
  /// A date-time: in UTC, in the zone of the TZID parameter, or floating.
  case dateTime(CivilDateTime, isUTC: Bool)
  /// A duration.
  case duration(CivilDuration)
  /// A floating-point number.
  case float(Double)
  /// An integer.
  case integer(Int)
  /// A period of time.
  indirect case period(Period)
  /// A recurrence rule, parsed leniently.
  indirect case recurrence(RecurrenceRule)
  /// A text, without escapes.
  case text(ValueText)
  /// A time of day, in UTC or local.
  case time(TimeOfDay, isUTC: Bool)
  /// The unmodified URI of a resource.
  case uri(ValueText)
  /// An offset from UTC.
  case utcOffset(UTCOffset)
  /// The unmodified text of an invalid value, or of one whose type is unknown.
  case unknown(ValueText)
}

/// The parsed values of a property with their problems.
///
/// An invalid value is kept as `Value.unknown`, beside its problem.
@frozen
public struct TypedValues: Hashable, Sendable {
  /// The type as which the values were parsed.
  public let type: ValueType
  /// The values, in file order.
  public let values: ValueList
  /// The problems, or nil if there are none, which needs no array.
  @usableFromInline
  let problemList: [ValueProblem]?

  init(type: ValueType, values: ValueList, problems: [ValueProblem]) {
    self.type = type
    self.values = values
    problemList = problems.isEmpty ? nil : problems
  }

  /// Creates a list of values without problems.
  @inline(__always)
  init(type: ValueType, values: ValueList) {
    self.type = type
    self.values = values
    problemList = nil
  }

  /// The problems, in file order.
  @inlinable
  public var problems: [ValueProblem] { problemList ?? [] }

  /// Whether there are problems; faster than `problems`.
  @inlinable
  public var hasProblems: Bool { problemList != nil }

  /// The first valid value, or nil if there is none.
  public var first: Value? {
    values.first { if case .unknown = $0 { type == .unknown } else { true } }
  }
}

extension Property {
  /// The typed values of the property, by its VALUE parameter and `PropertyTable`.
  public var typedValues: TypedValues {
    if let usual = usualValues { return usual }
    var parser = ValueParser(nameIndex: nameIndex, origin: origin)
    let declared = mayDeclareType ? self[.value] : nil
    return withValue { parser.parse($0, declared: declared) }
  }
}

/// The values of a property in file order, nearly always a single one.
///
/// It works like an array, but a single value needs no array. The members that are used for each
/// value of a file are inlinable by other modules; the benchmark `typed` shows the effect.
@frozen
public struct ValueList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  @usableFromInline
  enum Storage: Hashable, Sendable {
    case one(Value)
    case many([Value])
  }

  @usableFromInline
  let storage: Storage

  /// Creates a list of one value.
  public init(_ value: Value) {
    storage = .one(value)
  }

  /// Creates a list of values.
  public init(_ values: [Value]) {
    if values.count == 1 { storage = .one(values[0]) } else { storage = .many(values) }
  }

  /// Creates a list of values.
  public init(arrayLiteral elements: Value...) {
    self.init(elements)
  }

  /// The index of the first value: 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The number of values.
  @inlinable
  public var endIndex: Int { count }

  /// The number of values.
  @inlinable
  public var count: Int {
    switch storage {
    case .one: 1
    case .many(let values): values.count
    }
  }

  /// The value at an index, from 0 up to `count`.
  @inlinable
  public subscript(index: Int) -> Value {
    switch storage {
    case .one(let value):
      precondition(index == 0, "index of a value out of range")
      return value
    case .many(let values): return values[index]
    }
  }

  /// Calls `body` with each value, in file order; faster than a loop, which copies each value.
  @inlinable
  public func forEach(_ body: (Value) throws -> Void) rethrows {
    switch storage {
    case .one(let value): try body(value)
    case .many(let values): for value in values { try body(value) }
    }
  }
}

/// A period of time: a start with an end or a duration (RFC 5545 §3.3.9).
public struct Period: Hashable, Sendable {
  /// The end of a period.
  public enum End: Hashable, Sendable {
    /// A time after the start, in UTC if the start is.
    case dateTime(CivilDateTime, isUTC: Bool)
    /// A positive duration.
    case duration(CivilDuration)
  }

  /// The start of the period.
  public let start: CivilDateTime
  /// Whether the start is in UTC.
  public let isUTC: Bool
  /// The end of the period.
  public let end: End

  /// Creates a period.
  public init(start: CivilDateTime, isUTC: Bool, end: End) {
    self.start = start
    self.isUTC = isUTC
    self.end = end
  }
}

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

  /// The same problem at a later offset.
  func shifted(by count: Int) -> ValueProblem {
    ValueProblem(severity, code, offset: offset + count, message, reference: reference)
  }
}

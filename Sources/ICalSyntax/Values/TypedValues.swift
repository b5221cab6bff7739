// SPDX-License-Identifier: Apache-2.0

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

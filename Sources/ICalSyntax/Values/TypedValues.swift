// SPDX-License-Identifier: Apache-2.0

/// The values of a property together with what is wrong with them.
///
/// A value that does not parse stays, as `Value.unknown`, beside its problem.
@frozen
public struct TypedValues: Hashable, Sendable {
  /// The type that the values were read as.
  public let type: ValueType
  /// The values, in the order of the file.
  public let values: ValueList
  /// What is wrong with them; nil if nothing is, which needs no array.
  @usableFromInline
  let problemList: [ValueProblem]?

  init(type: ValueType, values: ValueList, problems: [ValueProblem]) {
    self.type = type
    self.values = values
    problemList = problems.isEmpty ? nil : problems
  }

  /// The values of a type with which nothing is wrong.
  @inline(__always)
  init(type: ValueType, values: ValueList) {
    self.type = type
    self.values = values
    problemList = nil
  }

  /// What is wrong with them, in the order of the file.
  @inlinable
  public var problems: [ValueProblem] { problemList ?? [] }

  /// Whether anything is wrong with them; cheaper than asking what.
  @inlinable
  public var hasProblems: Bool { problemList != nil }

  /// The first value; nil if there is none that could be read.
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

// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// How a value stands in one property.
struct PropertyCodec<Value: Hashable & Sendable>: Sendable {
  /// Reads the value, or reports why there is none.
  let read: @Sendable (Property, inout [Diagnostic]) -> Value?
  /// Makes a property say the value, and leaves alone what it says beside it.
  let edit: @Sendable (Value, inout Property) -> Void

  /// A new property that says the value.
  func property(_ name: PropertyName, _ value: Value) -> Property {
    var property = Property(name, rawValue: "")
    edit(value, &property)
    return property
  }

  /// Makes a component say the value, or nothing if it is nil, unless it does already.
  ///
  /// A property whose value cannot be read counts as none, and so is left alone while the value is nil.
  func write(_ value: Value?, to name: PropertyName, in component: inout Component) {
    var ignored: [Diagnostic] = []
    let before = component[name].flatMap { read($0, &ignored) }
    guard before != value else { return }
    guard let value else {
      component[name] = nil
      return
    }
    guard let index = component.properties.firstIndex(where: { $0.isNamed(name) }) else {
      component.properties.append(property(name, value))
      return
    }
    edit(value, &component.properties[index])
  }
}

/// How any number of values stand in one property, with commas between them (RFC 5545 §3.1.1).
struct ListCodec<Value: Hashable & Sendable>: Sendable {
  /// Reads the values and hands them on, one for each part of the property, nil for those that are bad.
  let read: @Sendable (Property, inout [Diagnostic], (Value?) -> Void) -> Void
  /// New properties that say the values.
  let properties: @Sendable (PropertyName, [Value]) -> [Property]
}

extension Property {
  /// Sets a parameter unless it has this value already, so that its spelling stays.
  mutating func set(_ name: ParameterName, to value: String?) {
    if self[name] != value { self[name] = value }
  }

  /// Sets the value unless it is this one already, so that its folding stays.
  mutating func set(rawValue value: String) {
    if rawValue != value { rawValue = value }
  }

  /// Adds what is wrong with the value as diagnostics.
  func report(_ typed: TypedValues, to diagnostics: inout [Diagnostic]) {
    for problem in typed.problems {
      diagnostics.append(
        diagnostic(
          problem.severity, problem.code, atValueOffset: problem.offset, problem.message,
          reference: problem.reference))
    }
  }

  /// Reports a value that is none of the property's.
  func reportValue(
    expected: String, _ reference: String?, to diagnostics: inout [Diagnostic]
  ) {
    diagnostics.append(
      diagnostic(
        .error, .invalidValue, "expected \(expected), found \"\(rawValue)\"", reference: reference))
  }

  /// The first value by the property's type, after its problems are reported.
  func typedValue(_ diagnostics: inout [Diagnostic]) -> Value? {
    let typed = typedValues
    report(typed, to: &diagnostics)
    return typed.first
  }

  /// Where the RFC defines the property.
  var reference: String? { PropertyTable.row(for: name)?.reference }
}

// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The encoding of one value in one property.
struct PropertyCodec<Value: Hashable & Sendable>: Sendable {
  /// Reads the value, or reports a problem and returns nil.
  let read: @Sendable (Property, inout [Diagnostic]) -> Value?
  /// Writes the value to a property and preserves its other parameters.
  let edit: @Sendable (Value, inout Property) -> Void

  /// Returns a new property with the value.
  func property(_ name: PropertyName, _ value: Value) -> Property {
    var property = Property(name, rawValue: "")
    edit(value, &property)
    return property
  }

  /// Writes the value to a component, or removes the property if the value is nil.
  ///
  /// Nothing is written if the component has the value already. An unreadable property counts as
  /// missing; it is therefore preserved if the value is nil.
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

/// The encoding of a list of values in one property, separated by commas (RFC 5545 §3.1.1).
struct ListCodec<Value: Hashable & Sendable>: Sendable {
  /// Reads the property and passes one value per part to a closure, or nil for an invalid part.
  let read: @Sendable (Property, inout [Diagnostic], (Value?) -> Void) -> Void
  /// Creates new properties with the values.
  let properties: @Sendable (PropertyName, [Value]) -> [Property]
}

extension Property {
  /// Sets a parameter unless it has this value, to preserve its notation.
  mutating func set(_ name: ParameterName, to value: String?) {
    if self[name] != value { self[name] = value }
  }

  /// Sets the value unless it is equal, to preserve its folding.
  mutating func set(rawValue value: String) {
    if rawValue != value { rawValue = value }
  }

  /// Appends the problems of the value as diagnostics.
  func report(_ typed: TypedValues, to diagnostics: inout [Diagnostic]) {
    for problem in typed.problems {
      diagnostics.append(
        diagnostic(
          problem.severity, problem.code, atValueOffset: problem.offset, problem.message,
          reference: problem.reference))
    }
  }

  /// Reports a value that is invalid for the property.
  func reportValue(
    expected: String, _ reference: String?, to diagnostics: inout [Diagnostic]
  ) {
    diagnostics.append(
      diagnostic(
        .error, .invalidValue, "expected \(expected), found \"\(rawValue)\"", reference: reference))
  }

  /// Reports the problems of the values and returns the first value.
  func typedValue(_ diagnostics: inout [Diagnostic]) -> Value? {
    let typed = typedValues
    report(typed, to: &diagnostics)
    return typed.first
  }

  /// The RFC section that defines the property.
  var reference: String? { PropertyTable.row(for: name)?.reference }
}

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

/// An edit of all properties with a name in a component, which preserves unchanged properties.
struct PropertyEdit {
  private(set) var properties: PropertyList
  private(set) var isChanged = false
  private let name: PropertyName

  init(_ component: Component, _ name: PropertyName) {
    self.properties = component.properties
    self.name = name
  }

  /// Replaces the values, each of which has its own property.
  ///
  /// A property with one of the values is not changed. Of the others, a property with the same
  /// identity is edited, and the rest are removed. New values follow the last property. Invalid
  /// values are kept.
  mutating func replace<Value, Identity: Hashable>(
    by values: [Value], _ codec: PropertyCodec<Value>, _ identity: (Value) -> Identity
  ) {
    var ignored: [Diagnostic] = []
    var before: [(index: Int, value: Value)] = []
    for index in places {
      guard let value = codec.read(properties[index], &ignored) else { continue }
      before.append((index, value))
    }
    guard before.map(\.value) != values else { return }
    var pairs = EditedPairs(before, values, identity)
    let new = pairs.wanted.filter { value in
      guard let index = pairs.take(identity(value)) else { return true }
      codec.edit(value, &properties[index])
      isChanged = true
      return false
    }
    add(new.map { codec.property(name, $0) })
    remove(pairs.rest)
  }

  /// Replaces the values, any number of which share a property.
  ///
  /// Removed values are cut out of their properties. New values get their own properties after the
  /// last one. Invalid values are preserved.
  mutating func replace<Value>(by values: [Value], _ codec: ListCodec<Value>) {
    var ignored: [Diagnostic] = []
    var wanted: [Value: Int] = [:]
    for value in values { wanted[value, default: 0] += 1 }
    var emptied: [Int] = []
    for index in places {
      let bytes = properties[index].valueBytes
      let parts = TextEscaping.split(bytes.span, separator: UInt8(ascii: ","))
      var found: [Value?] = []
      codec.read(properties[index], &ignored) { found.append($0) }
      guard parts.count == found.count else { continue }
      var kept: [String] = []
      for (part, value) in zip(parts, found) {
        if let value {
          guard let count = wanted[value], count > 0 else { continue }
          wanted[value] = count - 1
        }
        kept.append(String(decoding: bytes[part], as: UTF8.self))
      }
      guard kept.count < parts.count else { continue }
      if kept.isEmpty {
        emptied.append(index)
      } else {
        properties[index].rawValue = kept.joined(separator: ",")
        isChanged = true
      }
    }
    let new = values.filter { value in
      guard let count = wanted[value], count > 0 else { return false }
      wanted[value] = count - 1
      return true
    }
    if !new.isEmpty { add(codec.properties(name, new)) }
    remove(emptied)
  }

  private var places: [Int] {
    properties.indices.filter { properties[$0].isNamed(name) }
  }

  private mutating func add(_ new: [Property]) {
    guard !new.isEmpty else { return }
    properties.insert(contentsOf: new, at: places.last.map { $0 + 1 } ?? properties.endIndex)
    isChanged = true
  }

  /// Removes properties by index; all of them precede the added properties.
  private mutating func remove(_ indices: [Int]) {
    guard !indices.isEmpty else { return }
    let removed = Set(indices)
    properties = PropertyList(
      properties.enumerated().filter { !removed.contains($0.offset) }.map(\.element))
    isChanged = true
  }
}

/// The values of a component before and after an edit, without those that are equal in both.
///
/// Of what is left, values with one identity are about the same thing.
struct EditedPairs<Value: Hashable, Identity: Hashable> {
  /// The values that the component does not say yet.
  let wanted: [Value]
  /// The indices of what has to change, by what it is about, the first one last.
  private var indices: [Identity: [Int]] = [:]

  init(
    _ before: [(index: Int, value: Value)], _ values: [Value], _ identity: (Value) -> Identity
  ) {
    var open: [Value: Int] = [:]
    for value in values { open[value, default: 0] += 1 }
    var found: [Value: Int] = [:]
    var rest: [(index: Int, value: Value)] = []
    for pair in before {
      if let count = open[pair.value], count > 0 {
        open[pair.value] = count - 1
        found[pair.value, default: 0] += 1
      } else {
        rest.append(pair)
      }
    }
    wanted = values.filter { value in
      guard let count = found[value], count > 0 else { return true }
      found[value] = count - 1
      return false
    }
    for pair in rest.reversed() { indices[identity(pair.value), default: []].append(pair.index) }
  }

  /// The index of the first thing of an identity that is not taken yet, or nil if there is none.
  mutating func take(_ identity: Identity) -> Int? { indices[identity]?.popLast() }

  /// The indices of what was not taken, in order.
  var rest: [Int] { indices.values.joined().sorted() }
}

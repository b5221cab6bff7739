// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

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
  /// A property that says one of them stays as it is; of the others, one that is about the same thing
  /// is edited, the rest goes, and what is new comes after the last one. Bad values stay.
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

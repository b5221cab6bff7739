// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The properties of one version of a component, grouped by their merge keys.
struct MergeParts {
  /// A property of the component with its individually merged values.
  struct Line {
    let property: Property
    /// The property itself, or a piece for each value of a list.
    let pieces: [Piece]
  }

  /// A property with one value.
  struct Piece {
    let key: MergeKey
    let property: Property
    /// The meaning; empty for an implied value.
    let meaning: [CanonicalProperty]
  }

  /// The meaning of all properties of a key, regardless of their order.
  struct Meaning: Equatable {
    fileprivate(set) var parts: [CanonicalProperty] = []

    /// Whether the value is implied or absent.
    var isEmpty: Bool { parts.isEmpty }

    static func == (left: Meaning, right: Meaning) -> Bool {
      // Nearly all meanings are one property, which need not be hashed.
      left.parts == right.parts
        || max(left.parts.count, right.parts.count) > 1 && Set(left.parts) == Set(right.parts)
    }
  }

  let lines: [Line]
  /// The properties of each key, in the order of the component.
  private let properties: [MergeKey: [Property]]
  private let meanings: [MergeKey: Meaning]

  init(of component: Component?, _ layout: MergeLayout) {
    let meant = component.map { Dictionary(grouping: layout.meanings(in: $0), by: \.place) }
    lines =
      component?.properties.enumerated().map { place, property in
        Self.line(property, meaning: meant?[place] ?? [], layout)
      } ?? []
    var properties: [MergeKey: [Property]] = [:]
    var meanings: [MergeKey: Meaning] = [:]
    for piece in lines.lazy.flatMap(\.pieces) {
      properties[piece.key, default: []].append(piece.property)
      if !piece.meaning.isEmpty { meanings[piece.key, default: Meaning()].parts += piece.meaning }
    }
    self.properties = properties
    self.meanings = meanings
  }

  /// The properties of a key; empty if there are none.
  subscript(key: MergeKey) -> [Property] { properties[key] ?? [] }

  /// The meaning of the properties of a key, regardless of notation.
  ///
  /// Absent and implied values have the same meaning.
  func meaning(of key: MergeKey) -> Meaning { meanings[key] ?? Meaning() }

  /// The distinct keys, in the order of the component.
  var keys: [MergeKey] {
    var seen: Set<MergeKey> = []
    return lines.flatMap(\.pieces).map(\.key).filter { seen.insert($0).inserted }
  }

  private static func line(
    _ property: Property, meaning: [CanonicalProperty], _ layout: MergeLayout
  ) -> Line {
    func piece(_ property: Property, _ meaning: [CanonicalProperty]) -> Piece {
      Piece(
        key: layout.key(of: property, meaning: meaning), property: property, meaning: meaning)
    }
    let isWhole = MergeGroup.group(of: property.name, isFused: layout.isFused) != nil
    guard !isWhole, meaning.count > 1, layout.isList(property.name) else {
      return Line(property: property, pieces: [piece(property, meaning)])
    }
    let values = property.listValues
    guard values.count == meaning.count else {
      return Line(property: property, pieces: [piece(property, meaning)])
    }
    return Line(
      property: property,
      pieces: zip(values, meaning).map { piece(property.with(rawValue: $0), [$1]) })
  }
}

extension MergeParts.Line {
  /// The property with some of its values; nil if there are none, unchanged if there are all.
  func keeping(_ kept: [MergeParts.Piece]) -> Property? {
    guard !kept.isEmpty else { return nil }
    guard kept.count < pieces.count else { return property }
    return property.with(rawValue: kept.map(\.property.rawValue).joined(separator: ","))
  }
}

extension Property {
  /// The values of a list, in their notation (RFC 5545 §3.1.1).
  var listValues: [String] {
    withValue { bytes in
      TextEscaping.split(bytes, separator: UInt8(ascii: ",")).map { range in
        String(copying: bytes.extracting(range))
      }
    }
  }

  /// The property with another value.
  func with(rawValue: String) -> Property {
    var copy = self
    copy.rawValue = rawValue
    return copy
  }

  /// The content line, unfolded and without its line break.
  package var contentLine: String {
    guard isWellFormed else { return rawValue }
    var bytes: [UInt8] = []
    Serializer().write(Property(name, rawValue: rawValue, parameters: parameters), to: &bytes)
    // A line that was created in memory is folded with a space and contains no other line breaks.
    let lines = String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "")
    return String(lines.dropLast())
  }
}

/// Arranges the properties of a merged component.
///
/// Local lines keep their positions. Remote lines follow their remote predecessors, or are
/// appended.
struct MergeAssembly {
  private let choices: [MergeKey: ComponentMerge.Choice]
  private let remote: MergeParts
  /// The remaining number of each repeated value.
  private var budget: [MergeKey: Int] = [:]
  private var placed: Set<MergeKey> = []
  private var output: [Property] = []
  /// The index of the last property of each key.
  private var places: [MergeKey: Int] = [:]
  private var isChanged = false
  /// The properties to insert after each index.
  private var additions: [Int: [Property]] = [:]

  init(
    local: MergeParts, remote: MergeParts, choices: [MergeKey: ComponentMerge.Choice]
  ) {
    self.choices = choices
    self.remote = remote
    for case (let key, .count(let count)) in choices { budget[key] = count }
    for line in local.lines { place(line) }
    var anchor: MergeKey?
    for line in remote.lines {
      let own = line.pieces.last { places[$0.key] != nil }?.key
      add(line, behind: own ?? anchor)
      anchor = own ?? anchor
    }
  }

  /// The properties, or nil if they equal those of the local version.
  var properties: [Property]? {
    guard isChanged || !additions.isEmpty else { return nil }
    var result: [Property] = []
    for (index, property) in output.enumerated() {
      result.append(property)
      result += additions[index] ?? []
    }
    return result + (additions[-1] ?? [])
  }

  private mutating func place(_ line: MergeParts.Line) {
    guard let key = line.pieces.first?.key, !key.isElement else {
      let kept = line.pieces.filter { take($0.key) }
      if kept.count < line.pieces.count { isChanged = true }
      if let property = line.keeping(kept) { emit([property], kept.map(\.key)) }
      return
    }
    switch choices[key] {
    case .local, .count, nil: emit([line.property], [key])
    case .neither: isChanged = true
    case .remote:
      isChanged = true
      if placed.insert(key).inserted { emit(remote[key], [key]) }
    case .made(let properties):
      isChanged = true
      if placed.insert(key).inserted { emit(properties, [key]) }
    }
  }

  private mutating func emit(_ properties: [Property], _ keys: [MergeKey]) {
    output += properties
    for key in keys { places[key] = output.count - 1 }
  }

  private mutating func add(_ line: MergeParts.Line, behind anchor: MergeKey?) {
    var added: [Property] = []
    if let key = line.pieces.first?.key, !key.isElement {
      guard case .remote? = choices[key], placed.insert(key).inserted else { return }
      added = remote[key]
    } else if let property = line.keeping(line.pieces.filter { take($0.key) }) {
      added = [property]
    }
    guard !added.isEmpty else { return }
    let place = anchor.flatMap { places[$0] } ?? -1
    additions[place, default: []] += added
  }

  /// Takes one of several equal values, if any is left.
  private mutating func take(_ key: MergeKey) -> Bool {
    guard let left = budget[key], left > 0 else { return false }
    budget[key] = left - 1
    return true
  }
}

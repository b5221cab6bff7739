// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

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

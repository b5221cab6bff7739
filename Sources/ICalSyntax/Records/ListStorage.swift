// SPDX-License-Identifier: Apache-2.0

/// An element that the records of a block describe.
protocol RecordElement: Sendable {
  /// Creates the element at an index in the records of its kind.
  init(_ block: RecordBlock, at place: Int)

  /// Changes this value to another element of the same block.
  ///
  /// This is faster than creating the element, because the reference to the block is kept.
  mutating func move(to place: Int)
}

/// The storage of a `PropertyList` or a `ComponentList`.
///
/// The two lists are separate types instead of this one being public, because other modules would
/// use a generic type through run-time lookup.
enum ListStorage<Element: RecordElement>: Sendable {
  /// Consecutive records of a block.
  case records(RecordBlock, first: UInt32, count: UInt32)
  case array([Element])

  init(_ elements: [Element]) {
    self = .array(elements)
  }

  init(_ block: RecordBlock, first: UInt32, count: UInt32) {
    self = .records(block, first: first, count: count)
  }

  var count: Int {
    switch self {
    case .records(_, _, let count): Int(count)
    case .array(let elements): elements.count
    }
  }

  subscript(index: Int) -> Element {
    switch self {
    case .records(let block, let first, let count):
      precondition(index >= 0 && index < Int(count), "index of a list out of range")
      return Element(block, at: Int(first) + index)
    case .array(let elements): return elements[index]
    }
  }

  @inline(__always)
  func forEach(_ body: (Element) throws -> Void) rethrows {
    switch self {
    case .records(let block, let first, let count):
      guard count > 0 else { return }
      let end = Int(first) &+ Int(count)
      var place = Int(first)
      var element = Element(block, at: place)
      while true {
        try body(element)
        place &+= 1
        guard place < end else { return }
        element.move(to: place)
      }
    case .array(let elements):
      for element in elements { try body(element) }
    }
  }

  mutating func edit(_ change: (inout [Element]) -> Void) {
    var elements: [Element]
    if case .array(let array) = self {
      elements = array
    } else {
      elements = (0..<count).map { self[$0] }
    }
    self = .array([])  // keeps the array uniquely owned, so that it is changed in place
    change(&elements)
    self = .array(elements)
  }
}

extension Property: RecordElement {
  init(_ block: RecordBlock, at place: Int) {
    self.init(block, line: place)
  }

  mutating func move(to place: Int) { move(toLine: place) }
}

extension Component: RecordElement {
  init(_ block: RecordBlock, at place: Int) {
    self.init(block, record: Int(block.children[place]))
  }

  mutating func move(to place: Int) { move(toChild: place) }
}

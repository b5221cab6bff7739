// SPDX-License-Identifier: Apache-2.0

/// Something that the records of a block describe.
protocol RecordElement: Sendable {
  /// Makes the element at a place among the records of its kind.
  init(_ block: RecordBlock, at place: Int)

  /// Becomes the element at another place of the same block, which is cheaper than making it: the
  /// reference to the block stays as it is.
  mutating func move(to place: Int)
}

/// Where the elements of a `PropertyList` or a `ComponentList` are.
///
/// The two lists are types of their own and not this one made public, because a generic type would be
/// looked up at run time wherever another module uses it.
enum ListStorage<Element: RecordElement>: Sendable {
  /// Side by side among the records of a block.
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
    self = .array([])  // so that the array has one owner and is changed in place
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

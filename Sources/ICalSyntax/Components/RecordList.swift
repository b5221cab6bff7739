// SPDX-License-Identifier: Apache-2.0

/// What a `RecordList` can hold: something that records of a block describe.
public protocol RecordElement: Hashable, Sendable {
  /// A place in the records of a file, which only this module knows to read.
  associatedtype Place: Sendable
  /// Makes the element from its place.
  init(at place: Place, index: Int)
}

/// The properties of a component, or the components in it, in the order of the file.
///
/// Used as an array is. What was read from a file is made when it is asked for, from the records of
/// the file; the first change copies it into an array of its own.
public struct RecordList<Element: RecordElement>: Sendable, RandomAccessCollection,
  MutableCollection, RangeReplaceableCollection, ExpressibleByArrayLiteral
{
  private enum Storage: Sendable {
    case records(Element.Place, count: Int)
    case array([Element])
  }

  private var storage: Storage

  /// Creates an empty list.
  public init() {
    storage = .array([])
  }

  /// Creates a list of elements.
  public init(_ elements: [Element]) {
    storage = .array(elements)
  }

  /// Creates a list of elements.
  public init(arrayLiteral elements: Element...) {
    storage = .array(elements)
  }

  init(_ place: Element.Place, count: Int) {
    storage = .records(place, count: count)
  }

  /// The index of the first element: 0.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int {
    switch storage {
    case .records(_, let count): count
    case .array(let elements): elements.count
    }
  }

  /// The element at an index, from 0 up to `count`.
  public subscript(index: Int) -> Element {
    get {
      switch storage {
      case .records(let place, let count):
        precondition(index >= 0 && index < count, "index of a list out of range")
        return Element(at: place, index: index)
      case .array(let elements): return elements[index]
      }
    }
    set { edit { $0[index] = newValue } }
  }

  /// Replaces the elements of a range by others.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) {
    edit { $0.replaceSubrange(range, with: elements) }
  }

  /// Adds an element at the end.
  public mutating func append(_ element: Element) {
    edit { $0.append(element) }
  }

  private mutating func edit(_ change: (inout [Element]) -> Void) {
    var elements: [Element]
    if case .array(let array) = storage { elements = array } else { elements = Array(self) }
    storage = .array([])  // so that the array has one owner and is changed in place
    change(&elements)
    storage = .array(elements)
  }
}

extension RecordList: Hashable {
  /// Whether two lists hold equal elements in the same order.
  public static func == (left: RecordList, right: RecordList) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

/// The properties of a component, in the order of the file.
public typealias PropertyList = RecordList<Property>

/// The components that are nested in one, in the order of the file.
public typealias ComponentList = RecordList<Component>

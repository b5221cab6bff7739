// SPDX-License-Identifier: Apache-2.0

/// The properties of a component, in file order.
///
/// It works like an array. Properties of a file are created on access from the file's records; the
/// first modification copies them into an array.
public struct PropertyList: Sendable, RandomAccessCollection, MutableCollection,
  RangeReplaceableCollection, ExpressibleByArrayLiteral
{
  private var storage: ListStorage<Property>

  /// Creates an empty list.
  public init() {
    storage = ListStorage([])
  }

  /// Creates a list of properties.
  public init(_ properties: [Property]) {
    storage = ListStorage(properties)
  }

  /// Creates a list of properties.
  public init(arrayLiteral elements: Property...) {
    storage = ListStorage(elements)
  }

  init(_ block: RecordBlock, _ record: ComponentRecord) {
    storage = ListStorage(block, first: record.firstProperty, count: record.propertyCount)
  }

  /// The lines of the properties in the file, or nil if the list was modified.
  var records: (block: RecordBlock, lines: Range<Int>)? {
    guard case .records(let block, let first, let count) = storage else { return nil }
    return (block, Int(first)..<Int(first) + Int(count))
  }

  /// The index of the first property: 0.
  public var startIndex: Int { 0 }

  /// The number of properties.
  public var endIndex: Int { storage.count }

  /// The property at an index, from 0 up to `count`.
  public subscript(index: Int) -> Property {
    get { storage[index] }
    set { storage.edit { $0[index] = newValue } }
  }

  /// An iterator over the properties, in file order.
  public struct Iterator: IteratorProtocol, Sendable {
    private let list: PropertyList
    private var index = 0
    private let count: Int

    fileprivate init(_ list: consuming PropertyList) {
      count = list.storage.count
      self.list = list
    }

    /// Returns the next property, or nil after the last one.
    public mutating func next() -> Property? {
      guard index < count else { return nil }
      index &+= 1
      return list.storage[index &- 1]
    }
  }

  /// Creates an iterator over the properties.
  public consuming func makeIterator() -> Iterator {
    Iterator(self)
  }

  /// Calls `body` with each property, in file order.
  ///
  /// It is faster than a loop, which retains each property separately.
  public func forEach(_ body: (Property) throws -> Void) rethrows {
    try storage.forEach(body)
  }

  /// Replaces the properties in a range.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with properties: some Collection<Property>
  ) {
    storage.edit { $0.replaceSubrange(range, with: properties) }
  }

  /// Appends a property.
  public mutating func append(_ property: Property) {
    storage.edit { $0.append(property) }
  }
}

extension PropertyList: Hashable {
  /// Whether two lists contain equal properties in the same order.
  public static func == (left: PropertyList, right: PropertyList) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  /// Hashes the values that equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for property in self { hasher.combine(property) }
  }
}

/// The components nested in another one, in file order.
///
/// It works like an array. Components of a file are created on access from the file's records; the
/// first modification copies them into an array.
public struct ComponentList: Sendable, RandomAccessCollection, MutableCollection,
  RangeReplaceableCollection, ExpressibleByArrayLiteral
{
  private var storage: ListStorage<Component>

  /// Creates an empty list.
  public init() {
    storage = ListStorage([])
  }

  /// Creates a list of components.
  public init(_ components: [Component]) {
    storage = ListStorage(components)
  }

  /// Creates a list of components.
  public init(arrayLiteral elements: Component...) {
    storage = ListStorage(elements)
  }

  init(_ block: RecordBlock, _ record: ComponentRecord) {
    storage = ListStorage(block, first: record.firstChild, count: record.childCount)
  }

  /// The index of the first component: 0.
  public var startIndex: Int { 0 }

  /// The number of components.
  public var endIndex: Int { storage.count }

  /// The component at an index, from 0 up to `count`.
  public subscript(index: Int) -> Component {
    get { storage[index] }
    set { storage.edit { $0[index] = newValue } }
  }

  /// Calls `body` with each component, in file order.
  ///
  /// It is faster than a loop, which retains each component separately.
  public func forEach(_ body: (Component) throws -> Void) rethrows {
    try storage.forEach(body)
  }

  /// Replaces the components in a range.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with components: some Collection<Component>
  ) {
    storage.edit { $0.replaceSubrange(range, with: components) }
  }

  /// Appends a component.
  public mutating func append(_ component: Component) {
    storage.edit { $0.append(component) }
  }
}

extension ComponentList: Hashable {
  /// Whether two lists contain equal components in the same order.
  public static func == (left: ComponentList, right: ComponentList) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  /// Hashes the values that equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for component in self { hasher.combine(component) }
  }
}

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

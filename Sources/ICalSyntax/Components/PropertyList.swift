// SPDX-License-Identifier: Apache-2.0

/// The properties of a component, in the order of the file.
///
/// Used as an array is. What was read from a file is made when it is asked for, from the records of
/// the file; the first change copies it into an array of its own.
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

  /// The lines of a file that the properties are, as long as nobody changed the list.
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

  /// Goes through the properties, in the order of the file.
  public struct Iterator: IteratorProtocol, Sendable {
    private let list: PropertyList
    private var index = 0
    private let count: Int

    fileprivate init(_ list: consuming PropertyList) {
      count = list.storage.count
      self.list = list
    }

    /// The next property, or nil after the last one.
    public mutating func next() -> Property? {
      guard index < count else { return nil }
      index &+= 1
      return list.storage[index &- 1]
    }
  }

  /// An iterator over the properties.
  public consuming func makeIterator() -> Iterator {
    Iterator(self)
  }

  /// Calls `body` with each property, in the order of the file; cheaper than a loop, which holds on to
  /// each property by itself.
  public func forEach(_ body: (Property) throws -> Void) rethrows {
    try storage.forEach(body)
  }

  /// Replaces the properties of a range by others.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with properties: some Collection<Property>
  ) {
    storage.edit { $0.replaceSubrange(range, with: properties) }
  }

  /// Adds a property at the end.
  public mutating func append(_ property: Property) {
    storage.edit { $0.append(property) }
  }
}

extension PropertyList: Hashable {
  /// Whether two lists hold equal properties in the same order.
  public static func == (left: PropertyList, right: PropertyList) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for property in self { hasher.combine(property) }
  }
}

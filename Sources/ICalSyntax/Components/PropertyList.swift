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

// SPDX-License-Identifier: Apache-2.0

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

// SPDX-License-Identifier: Apache-2.0

/// A component: a name, properties and nested components (RFC 5545 §3.6).
///
/// The tree is lossless: the order of properties, the case of names, unknown properties, parameters
/// and raw values are preserved. An unmodified component is written back byte for byte. In a
/// modified one, every unmodified property keeps its bytes.
public struct Component: Sendable {
  /// The storage of a component's parts.
  private enum Storage: Sendable {
    /// A record in the block of a file.
    case record(RecordBlock, UInt32)
    /// A modified or newly created component.
    ///
    /// It is indirect, so that the many components of a file only take a reference and a number
    /// each.
    indirect case node(ComponentNode)
  }

  private var storage: Storage

  init(_ block: RecordBlock, record: Int) {
    storage = .record(block, UInt32(truncatingIfNeeded: record))
  }

  init(_ node: ComponentNode) {
    storage = .node(node)
  }

  /// Changes this value to another child of the same file, by its index in the list of children.
  @inline(__always)
  mutating func move(toChild place: Int) {
    guard case .record(let block, _) = storage else { return }
    storage = .record(block, block.children[place])
  }

  /// Creates a component in memory.
  public init(
    _ name: ComponentName, properties: some Sequence<Property> = [],
    components: some Sequence<Component> = []
  ) {
    storage = .node(
      ComponentNode(
        name: name, properties: PropertyList(properties), components: ComponentList(components)))
  }

  /// Creates a component that was read from a format other than content lines, such as jCal.
  package init(
    _ name: ComponentName, properties: [Property], components: [Component],
    position: SourcePosition?
  ) {
    storage = .node(
      ComponentNode(
        name: name, properties: PropertyList(properties), components: ComponentList(components),
        position: position))
  }

  /// The name, case-insensitive.
  public var name: ComponentName {
    switch storage {
    case .record(let block, let record): block.name(of: block.components[Int(record)])
    case .node(let node): node.name
    }
  }

  /// The properties, in file order.
  public var properties: PropertyList {
    get {
      switch storage {
      case .record(let block, let record):
        return PropertyList(block, block.components[Int(record)])
      case .node(let node): return node.properties
      }
    }
    _modify {
      var node = takeNode()
      defer { storage = .node(node) }
      yield &node.properties
    }
  }

  /// The nested components, in file order.
  public var components: ComponentList {
    get {
      switch storage {
      case .record(let block, let record):
        return ComponentList(block, block.components[Int(record)])
      case .node(let node): return node.components
      }
    }
    _modify {
      var node = takeNode()
      defer { storage = .node(node) }
      yield &node.components
    }
  }

  /// Whether the component was read as a whole; false if it was truncated.
  ///
  /// Lenient: without an END line it ends where a component begins that it cannot contain, or where
  /// the one around it ends (RFC 5545 §3.6).
  public var isComplete: Bool {
    switch storage {
    case .record(let block, let record): block.components[Int(record)].isComplete
    case .node(let node): node.isComplete
    }
  }

  /// The position of the BEGIN line in the source file, or nil if there is no source.
  public var position: SourcePosition? {
    switch storage {
    case .record(let block, let record):
      let begin = block.lines[Int(block.components[Int(record)].beginLine)]
      return SourcePosition(line: block.lineNumber(of: begin), column: 1)
    case .node(let node): return node.position
    }
  }

  /// The source bytes, or nil if the component was modified.
  var source: ArraySlice<UInt8>? {
    switch storage {
    case .record(let block, let record):
      let record = block.components[Int(record)]
      guard record.isComplete, !record.hasStrayEnd else { return nil }
      return block.bytes[Int(record.start)..<Int(record.end)]
    case .node(let node): return node.source
    }
  }

  /// The record in the source file, or nil if the component was modified.
  var record: (block: RecordBlock, index: Int)? {
    guard case .record(let block, let index) = storage else { return nil }
    return (block, Int(index))
  }

  /// The BEGIN and END lines, if they contain more than the name.
  var spelling: ComponentSpelling? {
    switch storage {
    case .record(let block, let record):
      ComponentSpelling(block.lines[Int(block.components[Int(record)].beginLine)], in: block)
    case .node(let node): node.spelling
    }
  }

  /// Whether both components are unmodified parts of files, with the same bytes.
  package func hasSameSource(as other: Component) -> Bool {
    if case .record(let block, let record) = storage,
      case .record(let others, record) = other.storage, block === others
    {
      return source != nil
    }
    guard let source, let other = other.source else { return false }
    return source.span.isEqual(to: other.span)
  }

  /// The range in the bytes that the file was read from, or nil after a change.
  package var sourceRange: Range<Int>? { source?.indices }

  /// The number of bytes in the file, or nil after a change.
  package var sourceSize: Int? { source?.count }

  /// Takes the parts out as a uniquely owned node for modification.
  private mutating func takeNode() -> ComponentNode {
    var node: ComponentNode
    switch storage {
    case .node(let shared): node = shared
    case .record:
      node = ComponentNode(
        name: name, properties: properties, components: components, isComplete: isComplete,
        position: position, spelling: spelling)
    }
    node.source = nil
    storage = .node(ComponentNode(name: node.name))  // keeps the node uniquely owned
    return node
  }
}

extension Component {
  /// The first property with a name, or nil if there is none.
  ///
  /// Setting a property replaces the first one and removes the others; setting nil removes all.
  public subscript(name: PropertyName) -> Property? {
    get {
      guard case .record(let block, let record) = storage, let wanted = name.index else {
        return properties.first { $0.isNamed(name) }
      }
      let lines = block.components[Int(record)].propertyLines
      for line in lines where block.lines[line].isNamed(wanted) {
        return Property(block, line: line)
      }
      return nil
    }
    set {
      let place = properties.firstIndex { $0.isNamed(name) } ?? properties.endIndex
      var all = properties.filter { !$0.isNamed(name) }
      if let newValue { all.insert(newValue, at: Swift.min(place, all.count)) }
      properties = PropertyList(all)
    }
  }

  /// Calls `body` with the index and value of each property whose name is known, in file order.
  ///
  /// It is faster than iterating over `properties`.
  package func forEachKnownProperty(_ body: (Int, Property) -> Void) {
    guard case .record(let block, let record) = storage else {
      for property in properties {
        if let index = property.nameIndex { body(index, property) }
      }
      return
    }
    let lines = block.components[Int(record)].propertyLines
    for line in lines {
      if let index = block.lines[line].nameIndex { body(index, Property(block, line: line)) }
    }
  }

  /// Returns all properties with a name, in file order.
  public func properties(named name: PropertyName) -> [Property] {
    guard case .record(let block, let record) = storage, let wanted = name.index else {
      return properties.filter { $0.isNamed(name) }
    }
    var found: [Property] = []
    for line in block.components[Int(record)].propertyLines
    where block.lines[line].isNamed(wanted) {
      found.append(Property(block, line: line))
    }
    return found
  }

  /// Returns all directly nested components with a name, in file order.
  public func components(named name: ComponentName) -> [Component] {
    components.filter { $0.name == name }
  }

  /// Creates a diagnostic about the whole component, at its BEGIN line.
  package func diagnostic(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ message: String,
    reference: String? = nil
  ) -> Diagnostic {
    let position = position ?? SourcePosition(line: 1, column: 1)
    let text = "BEGIN:\(name.rawName)"
    return Diagnostic(
      severity, code, at: position, message, reference: reference,
      excerpt: Excerpt(line: text.utf8.span, column: position.column))
  }
}

extension Component: Hashable {
  /// Whether two components have equal names and equal contents in the same order.
  public static func == (left: Component, right: Component) -> Bool {
    left.name == right.name && left.properties == right.properties
      && left.components == right.components
  }

  /// Hashes the values that equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(properties)
    hasher.combine(components)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A component: a name, properties and nested components (RFC 5545 §3.6).
///
/// The tree is lossless. The order of properties, the case of names, unknown properties, parameters
/// and raw values all survive; a component that is not changed is written back byte for byte, and in
/// one that is changed, every property that is not keeps its own bytes.
public struct Component: Sendable {
  /// The name, case-insensitive.
  public let name: ComponentName
  /// The properties, in the order of the file.
  public var properties: [Property] { didSet { source = nil } }
  /// The nested components, in the order of the file.
  public var components: [Component] { didSet { source = nil } }
  /// Whether the component ended with an END line of its own; false if it was cut off or never ended.
  public let isComplete: Bool
  /// Where the component begins in the file that it was read from, or nil if it was made in memory.
  public let position: SourcePosition?
  /// The bytes that the component was read from, until it is changed.
  private(set) var source: SourceRange?

  /// How many bytes of a file the component was read from; nil once it is changed.
  package var sourceSize: Int? { source?.range.count }

  /// Creates a component in memory.
  public init(
    _ name: ComponentName, properties: [Property] = [], components: [Component] = []
  ) {
    self.name = name
    self.properties = properties
    self.components = components
    self.isComplete = true
    self.position = nil
    self.source = nil
  }

  /// Creates a component that was read from a file in another form than content lines, such as jCal.
  package init(
    _ name: ComponentName, properties: [Property], components: [Component],
    position: SourcePosition?
  ) {
    self.name = name
    self.properties = properties
    self.components = components
    self.isComplete = true
    self.position = position
    self.source = nil
  }

  init(
    _ name: ComponentName, properties: [Property], components: [Component], isComplete: Bool,
    position: SourcePosition, source: SourceRange?
  ) {
    self.name = name
    self.properties = properties
    self.components = components
    self.isComplete = isComplete
    self.position = position
    self.source = source
  }

  /// The first property of a name, or nil if there is none.
  ///
  /// Setting a property puts it in the place of the first one and removes the others; setting nil
  /// removes them all.
  public subscript(name: PropertyName) -> Property? {
    get { properties.first { $0.isNamed(name) } }
    set {
      let place = properties.firstIndex { $0.isNamed(name) } ?? properties.endIndex
      var all = properties
      all.removeAll { $0.isNamed(name) }
      if let newValue { all.insert(newValue, at: min(place, all.count)) }
      properties = all
    }
  }

  /// All properties of a name, in the order of the file.
  public func properties(named name: PropertyName) -> [Property] {
    properties.filter { $0.isNamed(name) }
  }

  /// All directly nested components of a name, in the order of the file.
  public func components(named name: ComponentName) -> [Component] {
    components.filter { $0.name == name }
  }

  /// A diagnostic about the component as a whole, at its BEGIN line.
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
  /// Whether two components say the same with equal properties in the same order.
  public static func == (left: Component, right: Component) -> Bool {
    left.name == right.name && left.properties == right.properties
      && left.components == right.components
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(properties)
    hasher.combine(components)
  }
}

/// A part of a block of bytes.
struct SourceRange: Sendable {
  let buffer: SourceBuffer
  let range: Range<Int>

  var bytes: ArraySlice<UInt8> { buffer.bytes[range] }
}

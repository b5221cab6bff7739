// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// A typed view of a component; a table defines how it is read and written.
public protocol ComponentModel: Hashable, Sendable {
  /// The name of the components that the type represents.
  static var componentName: ComponentName { get }
  /// The mapping of the fields to the component's properties.
  static var mapping: ComponentMapping<Self> { get }

  /// Creates an empty value.
  init()
}

extension ComponentModel {
  /// Reads a component.
  ///
  /// - Parameters:
  ///   - component: A component with the name `componentName`.
  ///   - diagnostics: Receives the diagnostics for invalid values, in order of position; the field
  ///     of an
  ///     invalid value is left empty.
  @specialized(where Self == Event)
  @specialized(where Self == Reminder)
  @specialized(where Self == Journal)
  @specialized(where Self == Alarm)
  public init(_ component: Component, diagnostics: inout [Diagnostic]) {
    self.init()
    var found: [Diagnostic] = []
    Self.mapping.read(component, into: &self, &found)
    guard !found.isEmpty else { return }
    diagnostics += found.sorted { $0.position < $1.position }
  }

  /// Reads a component; the fields of invalid values are left empty.
  @specialized(where Self == Event)
  @specialized(where Self == Reminder)
  @specialized(where Self == Journal)
  @specialized(where Self == Alarm)
  public init(_ component: Component) {
    var diagnostics: [Diagnostic] = []
    self.init(component, diagnostics: &diagnostics)
  }

  /// Writes the value to a component and preserves everything that is equal.
  public func write(to component: inout Component) {
    var model = self  // each row swaps its field out of the copy
    for row in Self.mapping.rows { row.write(&model, &component) }
  }

  /// A new component with this value.
  public var component: Component {
    var component = Component(Self.componentName)
    write(to: &component)
    return component
  }
}

/// The mapping of a model's fields to the properties of a component: one row per field.
///
/// ```
/// Component ──read──► Event, diagnostics        a bad value leaves its field empty
/// Component ◄─write── Event                     only fields that differ are touched
/// ```
///
/// Reading makes one pass over the properties. The row of a property is found by the index of its
/// name.
///
/// Writing compares each field with the component first and skips equal fields. Therefore a
/// component that is read and written without changes keeps every byte. A changed component keeps
/// the properties without a row, the order of all properties, and their other parameters.
public struct ComponentMapping<Model: ComponentModel>: Sendable {
  /// The reading and writing of one field.
  struct Row: Sendable {
    let source: Source
    let write: @Sendable (inout Model, inout Component) -> Void

    init(_ source: Source, write: @escaping @Sendable (inout Model, inout Component) -> Void) {
      self.source = source
      self.write = write
    }
  }

  /// The source of a field.
  enum Source: Sendable {
    /// The first property with one of these names; later ones are ignored.
    case first([PropertyName], PropertyReading)
    /// All properties with a name.
    case all(PropertyName, PropertyReading)
    /// All nested components with a name.
    case nested(ComponentName, ComponentReading)
  }

  /// Reads a field from a property, and from the component if several properties store the field.
  typealias PropertyReading =
    @Sendable (Property, Component, inout Model, inout [Diagnostic]) -> Void

  /// Reads a field from a nested component.
  typealias ComponentReading = @Sendable (Component, inout Model, inout [Diagnostic]) -> Void

  /// The reader of the properties with a name.
  private struct PropertyReader: Sendable {
    /// The bit that marks the row as read, or 0 if the row reads all properties.
    let mark: UInt64
    let read: PropertyReading
  }

  let rows: [Row]
  /// The readers by the index of the property name; nil for names without a row.
  private let propertyReaders: [PropertyReader?]
  private let componentReaders: [(name: ComponentName, read: ComponentReading)]

  init(_ rows: [Row]) {
    precondition(rows.count <= UInt64.bitWidth, "a mapping has more rows than there are marks")
    var propertyReaders = [PropertyReader?](repeating: nil, count: PropertyTable.rows.count)
    var componentReaders: [(name: ComponentName, read: ComponentReading)] = []
    func add(_ name: PropertyName, _ reader: PropertyReader) {
      guard let index = name.index, propertyReaders[index] == nil else {
        preconditionFailure("two rows of a mapping read \(name), or no table knows it")
      }
      propertyReaders[index] = reader
    }
    for (place, row) in rows.enumerated() {
      switch row.source {
      case .first(let names, let read):
        for name in names { add(name, PropertyReader(mark: 1 << UInt64(place), read: read)) }
      case .all(let name, let read): add(name, PropertyReader(mark: 0, read: read))
      case .nested(let name, let read): componentReaders.append((name, read))
      }
    }
    self.rows = rows
    self.propertyReaders = propertyReaders
    self.componentReaders = componentReaders
  }

  /// Whether a row reads the properties with a name.
  package func knows(_ name: PropertyName) -> Bool {
    name.index.map { propertyReaders[$0] != nil } ?? false
  }

  /// Reads all fields and appends diagnostics for invalid values, in no particular order.
  func read(
    _ component: Component, into model: inout Model, _ diagnostics: inout [Diagnostic]
  ) {
    var marks: UInt64 = 0
    component.forEachKnownProperty { index, property in
      guard let reader = propertyReaders[index], marks & reader.mark == 0 else { return }
      marks |= reader.mark
      reader.read(property, component, &model, &diagnostics)
    }
    guard !componentReaders.isEmpty else { return }
    for nested in component.components {
      for reader in componentReaders where reader.name == nested.name {
        reader.read(nested, &model, &diagnostics)
      }
    }
  }
}

/// Access to a field of a model type, for the rows of a mapping.
///
/// The closure exchanges the field with a value: `{ swap(&$0.location, &$1) }`. It is not a key
/// path, because setting through a key path takes longer than reading most values.
typealias Field<Model, Value> = @Sendable (inout Model, inout Value) -> Void

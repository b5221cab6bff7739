// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// How the fields of a model type stand in the properties of a component: one row a field.
///
/// ```
/// Component ──read──► Event, diagnostics        a bad value leaves its field empty
/// Component ◄─write── Event                     only fields that differ are touched
/// ```
///
/// Reading goes through the properties once, and each finds its row by the number of its name.
///
/// Writing compares: a field that the component already says is left alone. So a component that is
/// read and written back without a change keeps every byte, and one that is changed keeps every
/// property that no row knows, the order of all of them, and their other parameters.
public struct ComponentMapping<Model: ComponentModel>: Sendable {
  /// How one field is read and written.
  struct Row: Sendable {
    let source: Source
    let write: @Sendable (inout Model, inout Component) -> Void

    init(_ source: Source, write: @escaping @Sendable (inout Model, inout Component) -> Void) {
      self.source = source
      self.write = write
    }
  }

  /// What a field is read from.
  enum Source: Sendable {
    /// The first property that has one of these names; the others do not count.
    case first([PropertyName], PropertyReading)
    /// All properties of a name.
    case all(PropertyName, PropertyReading)
    /// All components of a name that are nested in the component.
    case nested(ComponentName, ComponentReading)
  }

  /// Reads a field from a property; the component is there for a field that stands in several.
  typealias PropertyReading =
    @Sendable (Property, Component, inout Model, inout [Diagnostic]) -> Void

  /// Reads a field from a nested component.
  typealias ComponentReading = @Sendable (Component, inout Model, inout [Diagnostic]) -> Void

  /// What is done with a property of a name.
  private struct PropertyReader: Sendable {
    /// The bit that tells that the row has been read, or 0 if it takes all properties.
    let mark: UInt64
    let read: PropertyReading
  }

  let rows: [Row]
  /// The readers of all properties, by the numbers of their names; nil where no row has the name.
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

  /// Whether a field is read from properties of a name.
  package func knows(_ name: PropertyName) -> Bool {
    name.index.map { propertyReaders[$0] != nil } ?? false
  }

  /// Reads all fields, and tells what is wrong with values in no particular order.
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

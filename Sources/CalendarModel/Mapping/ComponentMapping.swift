// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// How the fields of a model type stand in the properties of a component: one row a field.
///
/// ```
/// Component ──read──► Event, diagnostics        a bad value leaves its field empty
/// Component ◄─write── Event                     only fields that differ are touched
/// ```
///
/// Writing compares: a field that the component already says is left alone. So a component that is
/// read and written back without a change keeps every byte, and one that is changed keeps every
/// property that no row knows, the order of all of them, and their other parameters.
public struct ComponentMapping<Model: ComponentModel>: Sendable {
  /// How one field is read and written.
  struct Row: Sendable {
    let read: @Sendable (Component, inout Model, inout [Diagnostic]) -> Void
    let write: @Sendable (Model, inout Component) -> Void
  }

  let rows: [Row]

  init(_ rows: [Row]) {
    self.rows = rows
  }
}

/// A typed view of a component, which is read from and written to one by a table.
public protocol ComponentModel: Hashable, Sendable {
  /// The name of the components that it is a view of.
  static var componentName: ComponentName { get }
  /// How its fields stand in the properties of a component.
  static var mapping: ComponentMapping<Self> { get }

  /// Creates a value that says nothing.
  init()
}

extension ComponentModel {
  /// Reads a component.
  ///
  /// - Parameters:
  ///   - component: A component of the name that the type is a view of.
  ///   - diagnostics: Takes what is wrong with values, in order of place; a field whose value is bad
  ///     is left empty.
  public init(_ component: Component, diagnostics: inout [Diagnostic]) {
    self.init()
    var found: [Diagnostic] = []
    for row in Self.mapping.rows { row.read(component, &self, &found) }
    diagnostics += found.sorted { $0.position < $1.position }
  }

  /// Reads a component and leaves fields empty whose values are bad.
  public init(_ component: Component) {
    var diagnostics: [Diagnostic] = []
    self.init(component, diagnostics: &diagnostics)
  }

  /// Makes a component say what this value says, and changes nothing that it says already.
  public func write(to component: inout Component) {
    for row in Self.mapping.rows { row.write(self, &component) }
  }

  /// A new component that says what this value says.
  public var component: Component {
    var component = Component(Self.componentName)
    write(to: &component)
    return component
  }
}

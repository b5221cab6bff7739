// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

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

  /// Reads a component and leaves fields empty whose values are bad.
  @specialized(where Self == Event)
  @specialized(where Self == Reminder)
  @specialized(where Self == Journal)
  @specialized(where Self == Alarm)
  public init(_ component: Component) {
    var diagnostics: [Diagnostic] = []
    self.init(component, diagnostics: &diagnostics)
  }

  /// Makes a component say what this value says, and changes nothing that it says already.
  public func write(to component: inout Component) {
    var model = self  // each row takes its field out of it
    for row in Self.mapping.rows { row.write(&model, &component) }
  }

  /// A new component that says what this value says.
  public var component: Component {
    var component = Component(Self.componentName)
    write(to: &component)
    return component
  }
}

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

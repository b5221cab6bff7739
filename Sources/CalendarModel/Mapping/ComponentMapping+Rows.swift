// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

extension ComponentMapping.Row {
  /// A field that stands in one property, or is nil where there is none or a bad one.
  static func one<Value>(
    _ name: PropertyName, _ field: Field<Model, Value?>,
    _ codec: PropertyCodec<Value>
  ) -> Self {
    Self(
      read: { component, model, diagnostics in
        guard let property = component[name] else { return }
        model[keyPath: field] = codec.read(property, &diagnostics)
      },
      write: { model, component in
        codec.write(model[keyPath: field], to: name, in: &component)
      })
  }

  /// A field that stands in one property, and has a value of its own where there is none or a bad one.
  static func one<Value>(
    _ name: PropertyName, _ field: Field<Model, Value>, otherwise: Value,
    _ codec: PropertyCodec<Value>
  ) -> Self {
    Self(
      read: { component, model, diagnostics in
        model[keyPath: field] =
          component[name].flatMap { codec.read($0, &diagnostics) } ?? otherwise
      },
      write: { model, component in
        let value = model[keyPath: field]
        var ignored: [Diagnostic] = []
        let before = component[name].flatMap { codec.read($0, &ignored) }
        guard (before ?? otherwise) != value else { return }
        codec.write(value == otherwise ? nil : value, to: name, in: &component)
      })
  }

  /// A field of several values, each of which stands in a property of its own.
  ///
  /// The identity tells that a property is about the same thing as before, so that it is edited and
  /// not replaced.
  static func many<Value>(
    _ name: PropertyName, _ field: Field<Model, [Value]>,
    _ codec: PropertyCodec<Value>,
    identity: @escaping @Sendable (Value) -> AnyHashable = { AnyHashable($0) }
  ) -> Self {
    Self(
      read: { component, model, diagnostics in
        for property in component.properties(named: name) {
          guard let value = codec.read(property, &diagnostics) else { continue }
          model[keyPath: field].append(value)
        }
      },
      write: { model, component in
        var edit = PropertyEdit(component, name)
        edit.replace(by: model[keyPath: field], codec, identity)
        if edit.isChanged { component.properties = edit.properties }
      })
  }

  /// A field of several values, any number of which stand in one property.
  static func list<Value>(
    _ name: PropertyName, _ field: Field<Model, [Value]>,
    _ codec: ListCodec<Value>
  ) -> Self {
    Self(
      read: { component, model, diagnostics in
        for property in component.properties(named: name) {
          model[keyPath: field] += codec.read(property, &diagnostics).compactMap { $0 }
        }
      },
      write: { model, component in
        var edit = PropertyEdit(component, name)
        edit.replace(by: model[keyPath: field], codec)
        if edit.isChanged { component.properties = edit.properties }
      })
  }
}

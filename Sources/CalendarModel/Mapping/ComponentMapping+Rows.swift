// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

extension ComponentMapping.Row {
  /// A field that is stored in one property; nil if the property is missing or invalid.
  static func one<Value>(
    _ name: PropertyName, _ codec: PropertyCodec<Value>, _ field: @escaping Field<Model, Value?>
  ) -> Self {
    Self(
      .first([name]) { property, _, model, diagnostics in
        var value = codec.read(property, &diagnostics)
        field(&model, &value)
      },
      write: { model, component in
        var value: Value?
        field(&model, &value)
        codec.write(value, to: name, in: &component)
      })
  }

  /// A field that is stored in one property, with a default if the property is missing or invalid.
  ///
  /// The default must be the value of the field in an empty model.
  static func one<Value>(
    _ name: PropertyName, _ codec: PropertyCodec<Value>, otherwise: Value,
    _ field: @escaping Field<Model, Value>
  ) -> Self {
    Self(
      .first([name]) { property, _, model, diagnostics in
        var value = codec.read(property, &diagnostics) ?? otherwise
        field(&model, &value)
      },
      write: { model, component in
        var value = otherwise
        field(&model, &value)
        var ignored: [Diagnostic] = []
        let before = component[name].flatMap { codec.read($0, &ignored) }
        guard (before ?? otherwise) != value else { return }
        codec.write(value == otherwise ? nil : value, to: name, in: &component)
      })
  }

  /// A field for several values, each stored in its own property.
  static func many<Value>(
    _ name: PropertyName, _ codec: PropertyCodec<Value>, _ field: @escaping Field<Model, [Value]>
  ) -> Self {
    many(name, codec, by: { $0 }, field)
  }

  /// A field for several values, each stored in its own property.
  ///
  /// The identity tells that a property is about the same thing as before, so that it is edited and
  /// not replaced.
  static func many<Value, Identity: Hashable & Sendable>(
    _ name: PropertyName, _ codec: PropertyCodec<Value>,
    by identity: @escaping @Sendable (Value) -> Identity, _ field: @escaping Field<Model, [Value]>
  ) -> Self {
    Self(
      .all(name) { property, _, model, diagnostics in
        var values: [Value] = []
        field(&model, &values)
        if let value = codec.read(property, &diagnostics) { values.append(value) }
        field(&model, &values)
      },
      write: { model, component in
        var values: [Value] = []
        field(&model, &values)
        var edit = PropertyEdit(component, name)
        edit.replace(by: values, codec, identity)
        if edit.isChanged { component.properties = edit.properties }
      })
  }

  /// A field for several values; one property can store any number of them.
  static func list<Value>(
    _ name: PropertyName, _ codec: ListCodec<Value>, _ field: @escaping Field<Model, [Value]>
  ) -> Self {
    Self(
      .all(name) { property, _, model, diagnostics in
        var values: [Value] = []
        field(&model, &values)
        codec.read(property, &diagnostics) { if let value = $0 { values.append(value) } }
        field(&model, &values)
      },
      write: { model, component in
        var values: [Value] = []
        field(&model, &values)
        var edit = PropertyEdit(component, name)
        edit.replace(by: values, codec)
        if edit.isChanged { component.properties = edit.properties }
      })
  }
}

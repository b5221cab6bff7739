// SPDX-License-Identifier: Apache-2.0

import CivilTime
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
  /// The identity shows that a property is about the same thing as before, so that it is edited and
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

extension ComponentMapping.Row {
  /// A field that is stored in a time property or in DURATION (RFC 5545 §3.8.2.5).
  static func end(_ name: PropertyName, _ field: @escaping Field<Model, EventEnd?>) -> Self {
    Self(
      .first([name, .duration]) { property, component, model, diagnostics in
        let timed = property.isNamed(name) ? property : component[name]
        var value = end(timed, of: component, &diagnostics)
        field(&model, &value)
      },
      write: { model, component in
        var value: EventEnd?
        field(&model, &value)
        var ignored: [Diagnostic] = []
        guard end(component[name], of: component, &ignored) != value else { return }
        PropertyCodec.time.write(value?.time, to: name, in: &component)
        PropertyCodec.duration.write(value?.duration, to: .duration, in: &component)
      })
  }

  /// Returns the end from the time property, or else from DURATION.
  private static func end(
    _ timed: Property?, of component: Component, _ diagnostics: inout [Diagnostic]
  ) -> EventEnd? {
    if let timed, let time = PropertyCodec.time.read(timed, &diagnostics) {
      return .time(time)
    }
    return component[.duration].flatMap { PropertyCodec.duration.read($0, &diagnostics) }
      .map { .duration($0) }
  }
}

extension ComponentMapping.Row {
  /// A field for nested components of a name, such as the alarms of an event (RFC 5545 §3.6.6).
  ///
  /// One that a component says already keeps its bytes. One that changed is edited in its place,
  /// which is found by its identity; other components stay.
  static func nested<Part: ComponentModel, Identity: Hashable & SendableMetatype>(
    _ name: ComponentName, by identity: @escaping @Sendable (Part) -> Identity,
    _ field: @escaping Field<Model, [Part]>
  ) -> Self {
    Self(
      .nested(name) { nested, model, diagnostics in
        var parts: [Part] = []
        field(&model, &parts)
        parts.append(Part(nested, diagnostics: &diagnostics))
        field(&model, &parts)
      },
      write: { model, component in
        var parts: [Part] = []
        field(&model, &parts)
        guard component.components(named: name).map({ Part($0) }) != parts else { return }
        component.components = replacing(component.components, name, by: parts, identity)
      })
  }

  private static func replacing<Part: ComponentModel, Identity: Hashable>(
    _ components: ComponentList, _ name: ComponentName, by parts: [Part],
    _ identity: (Part) -> Identity
  ) -> ComponentList {
    var result = components
    let before = components.indices.filter { components[$0].name == name }.map {
      (index: $0, value: Part(components[$0]))
    }
    var pairs = EditedPairs(before, parts, identity)
    let new = pairs.wanted.filter { part in
      guard let index = pairs.take(identity(part)) else { return true }
      part.write(to: &result[index])
      return false
    }
    let removed = Set(pairs.rest)
    let kept = result.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
    return ComponentList(kept + new.map(\.component))
  }

  /// A field for the categories (RFC 5545 §3.8.1.2).
  static func categories(_ field: @escaping Field<Model, Categories>) -> Self {
    Self(
      .all(.categories) { property, _, model, _ in
        var categories = Categories()
        field(&model, &categories)
        property.withValue { bytes in
          TextEscaping.forEachPart(bytes, separator: UInt8(ascii: ",")) {
            categories.insert(TextEscaping.unescape(bytes.extracting($0)))
          }
        }
        field(&model, &categories)
      },
      write: { model, component in
        var categories = Categories()
        field(&model, &categories)
        var before = Categories()
        var ignored: [Diagnostic] = []
        for property in component.properties(named: .categories) {
          ListCodec.texts.read(property, &ignored) { if let word = $0 { before.insert(word) } }
        }
        guard before != categories else { return }
        var edit = PropertyEdit(component, .categories)
        edit.replace(by: Array(categories), ListCodec.texts)
        if edit.isChanged { component.properties = edit.properties }
      })
  }
}

extension Alarm {
  /// The identity of an alarm within an item: its UID (RFC 9074 §4), or its action and trigger.
  enum Identity: Hashable {
    case uid(UID)
    case content(AlarmAction?, AlarmTrigger?)
  }

  var identity: Identity { uid.map { .uid($0) } ?? .content(action, trigger) }
}

// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

extension ComponentMapping.Row {
  /// A field for nested components of a name, such as the alarms of an event (RFC 5545 §3.6.6).
  ///
  /// One that a component says already keeps its bytes. One that changed is edited in its place, which
  /// is found by its identity; other components stay.
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

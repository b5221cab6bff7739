// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

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

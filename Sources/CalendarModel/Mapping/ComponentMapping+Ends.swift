// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension ComponentMapping.Row {
  /// A field that stands in a property of a time, or in DURATION (RFC 5545 §3.8.2.5).
  static func end(_ name: PropertyName, _ field: Field<Model, EventEnd?>) -> Self {
    Self(
      read: { component, model, diagnostics in
        model[keyPath: field] = end(of: component, name, &diagnostics)
      },
      write: { model, component in
        var ignored: [Diagnostic] = []
        let value = model[keyPath: field]
        guard end(of: component, name, &ignored) != value else { return }
        PropertyCodec.time.write(value?.time, to: name, in: &component)
        PropertyCodec.duration.write(value?.duration, to: .duration, in: &component)
      })
  }

  private static func end(
    of component: Component, _ name: PropertyName, _ diagnostics: inout [Diagnostic]
  ) -> EventEnd? {
    if let property = component[name], let time = PropertyCodec.time.read(property, &diagnostics) {
      return .time(time)
    }
    return component[.duration].flatMap { PropertyCodec.duration.read($0, &diagnostics) }
      .map { .duration($0) }
  }

  /// A field of alarms, each of which is a nested component (RFC 5545 §3.6.6).
  ///
  /// An alarm that a component says already keeps its bytes. One that changed is edited in its place,
  /// which is found by the UID (RFC 9074 §4) or else by action and trigger; other components stay.
  static func alarms(_ field: Field<Model, [Alarm]>) -> Self {
    Self(
      read: { component, model, diagnostics in
        for nested in component.components(named: .alarm) {
          model[keyPath: field].append(Alarm(nested, diagnostics: &diagnostics))
        }
      },
      write: { model, component in
        let alarms = model[keyPath: field]
        guard component.components(named: .alarm).map({ Alarm($0) }) != alarms else { return }
        component.components = replacing(component.components, by: alarms)
      })
  }

  private static func replacing(
    _ components: ComponentList, by alarms: [Alarm]
  ) -> ComponentList {
    var result = components
    var before = components.indices.filter { components[$0].name == .alarm }.map {
      (index: $0, alarm: Alarm(components[$0]))
    }
    var wanted = alarms
    wanted.removeAll { alarm in
      guard let place = before.firstIndex(where: { $0.alarm == alarm }) else { return false }
      before.remove(at: place)
      return true
    }
    wanted.removeAll { alarm in
      guard let place = before.firstIndex(where: { $0.alarm.isSame(as: alarm) }) else {
        return false
      }
      alarm.write(to: &result[before[place].index])
      before.remove(at: place)
      return true
    }
    for (index, _) in before.reversed() { result.remove(at: index) }
    return result + wanted.map(\.component)
  }
}

extension Alarm {
  /// Whether two values are about one alarm.
  fileprivate func isSame(as other: Alarm) -> Bool {
    if uid != nil || other.uid != nil { return uid == other.uid }
    return action == other.action && trigger == other.trigger
  }
}

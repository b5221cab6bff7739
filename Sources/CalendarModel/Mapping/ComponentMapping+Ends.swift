// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension ComponentMapping.Row {
  /// A field that stands in a property of a time, or in DURATION (RFC 5545 §3.8.2.5).
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

  /// The end that a property of a time says, or else DURATION.
  private static func end(
    _ timed: Property?, of component: Component, _ diagnostics: inout [Diagnostic]
  ) -> EventEnd? {
    if let timed, let time = PropertyCodec.time.read(timed, &diagnostics) {
      return .time(time)
    }
    return component[.duration].flatMap { PropertyCodec.duration.read($0, &diagnostics) }
      .map { .duration($0) }
  }

  /// A field of alarms, each of which is a nested component (RFC 5545 §3.6.6).
  ///
  /// An alarm that a component says already keeps its bytes. One that changed is edited in its place,
  /// which is found by the UID (RFC 9074 §4) or else by action and trigger; other components stay.
  static func alarms(_ field: @escaping Field<Model, [Alarm]>) -> Self {
    Self(
      .nested(.alarm) { nested, model, diagnostics in
        var alarms: [Alarm] = []
        field(&model, &alarms)
        alarms.append(Alarm(nested, diagnostics: &diagnostics))
        field(&model, &alarms)
      },
      write: { model, component in
        var alarms: [Alarm] = []
        field(&model, &alarms)
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

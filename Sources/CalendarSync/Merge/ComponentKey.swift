// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The identity of a component in an item: the occurrence that it describes (RFC 5545 §3.8.4.4).
///
/// Kind and UID are the same for all components.
struct ComponentKey: Hashable {
  /// The occurrence, or the series as a whole.
  let occurrence: OccurrenceKey
  /// The index among components with the same occurrence, from 0; a valid item has only one.
  private let ordinal: Int

  /// The main component.
  static let main = ComponentKey(occurrence: .series, ordinal: 0)

  /// The components by key.
  static func keyed(
    _ components: [Component], _ clock: MergeClock
  ) -> KeyedComponents<ComponentKey> {
    var counts: [OccurrenceKey: Int] = [:]
    let keys = components.map { component in
      let occurrence = clock.occurrence(of: component)
      defer { counts[occurrence, default: 0] += 1 }
      return ComponentKey(occurrence: occurrence, ordinal: counts[occurrence, default: 0])
    }
    return KeyedComponents(keys: keys, components: components)
  }
}

/// The identity of a nested component.
struct NestedKey: Hashable {
  /// The criterion of the identity.
  private enum Identity: Hashable {
    /// The UID (RFC 9074 §4), or its non-standard predecessor.
    case uid(ComponentName, String)
    /// The action and trigger of an alarm (RFC 5545 §3.8.6).
    case alarm(action: String, trigger: SHA256.Digest)
    /// The whole content.
    case content(SHA256.Digest)
  }

  private let identity: Identity
  /// The index among components with the same identity, from 0.
  private let ordinal: Int

  /// The keys of the nested components of several versions of a component.
  static func keys(of versions: [Component?], _ clock: MergeClock) -> [[NestedKey]] {
    let lists = versions.map { $0.map { Array($0.components) } ?? [] }
    // An alarm that has a UID in only some versions is matched by its action and trigger.
    var named: [Identity: Identity] = [:]
    for alarm in lists.joined() where alarm.name == .alarm {
      guard let uid = uid(of: alarm) else { continue }
      let name = Identity.uid(.alarm, uid)
      let behaviour = behaviour(of: alarm, clock)
      if named[behaviour] == nil { named[behaviour] = name }
    }
    return lists.map { list in
      let own = Set(
        list.compactMap { $0.name == .alarm ? uid(of: $0) : nil }.map { Identity.uid(.alarm, $0) })
      var counts: [Identity: Int] = [:]
      return list.map { component in
        var identity = identity(of: component, clock)
        if let name = named[identity], !own.contains(name) { identity = name }
        defer { counts[identity, default: 0] += 1 }
        return NestedKey(identity: identity, ordinal: counts[identity, default: 0])
      }
    }
  }

  private static func identity(of component: Component, _ clock: MergeClock) -> Identity {
    if let uid = uid(of: component) { return .uid(component.name, uid) }
    return component.name == .alarm
      ? behaviour(of: component, clock) : .content(clock.meaning(of: component))
  }

  private static func uid(of component: Component) -> String? {
    let text = component[.uid]?.text ?? component["X-WR-ALARMUID"]?.text ?? ""
    guard !text.isEmpty else { return nil }
    return component[.recurrenceID].map { text + " " + $0.rawValue } ?? text
  }

  private static func behaviour(of alarm: Component, _ clock: MergeClock) -> Identity {
    .alarm(
      action: alarm[.action]?.rawValue.uppercased() ?? "",
      trigger: clock.meaning(
        of: Component(.alarm, properties: alarm[.trigger].map { [$0] } ?? [])))
  }
}

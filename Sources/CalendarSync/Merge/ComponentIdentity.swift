// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The identity of a component in an item: the occurrence that it describes (RFC 5545 §3.8.4.4).
///
/// Kind and UID are the same for all components.
struct ComponentIdentity: Hashable {
  /// The occurrence, or the series as a whole.
  let occurrence: OccurrenceKey
  /// The index among components with the same occurrence, from 0; a valid item has only one.
  private let ordinal: Int

  /// The main component.
  static let main = ComponentIdentity(occurrence: .series, ordinal: 0)

  /// The components by key.
  static func keyed(
    _ components: [Component], _ clock: MergeClock
  ) -> KeyedComponents<ComponentIdentity> {
    var counts: [OccurrenceKey: Int] = [:]
    let keys = components.map { component in
      let occurrence = clock.occurrence(of: component)
      defer { counts[occurrence, default: 0] += 1 }
      return ComponentIdentity(occurrence: occurrence, ordinal: counts[occurrence, default: 0])
    }
    return KeyedComponents(keys: keys, components: components)
  }
}

/// The identity of a nested component.
struct NestedIdentity: Hashable {
  /// The criterion of the identity.
  private enum Criterion: Hashable {
    /// The UID (RFC 9074 §4), or its non-standard predecessor.
    case uid(ComponentName, String)
    /// The action and trigger of an alarm (RFC 5545 §3.8.6).
    case alarm(action: String, trigger: SHA256.Digest)
    /// The only alarm of a component that has no UID.
    case onlyAlarm
    /// The whole content.
    case content(SHA256.Digest)
  }

  private let criterion: Criterion
  /// The index among components with the same criterion, from 0.
  private let ordinal: Int

  /// The keys of the nested components of the local and the remote version of a component, and of their
  /// bases.
  static func keys(of versions: [Component?], _ clock: MergeClock) -> [[NestedIdentity]] {
    let lists = versions.map { $0.map { Array($0.components) } ?? [] }
    let isOnly = hasOnlyAlarm(lists)
    // An alarm that has a UID in only some versions is matched by its action and trigger.
    var named: [Criterion: Criterion] = [:]
    for alarm in lists.joined() where alarm.name == .alarm {
      guard let uid = uid(of: alarm) else { continue }
      let name = Criterion.uid(.alarm, uid)
      let behaviour = behaviour(of: alarm, clock)
      if named[behaviour] == nil { named[behaviour] = name }
    }
    return lists.map { list in
      let own = Set(
        list.compactMap { $0.name == .alarm ? uid(of: $0) : nil }.map { Criterion.uid(.alarm, $0) })
      var counts: [Criterion: Int] = [:]
      return list.map { component in
        var criterion = criterion(of: component, clock)
        if let name = named[criterion], !own.contains(name) { criterion = name }
        if isOnly, component.name == .alarm { criterion = .onlyAlarm }
        defer { counts[criterion, default: 0] += 1 }
        return NestedIdentity(criterion: criterion, ordinal: counts[criterion, default: 0])
      }
    }
  }

  /// Whether the bases have one alarm, and no version has more: then it is the same one, whatever its
  /// trigger is.
  private static func hasOnlyAlarm(_ lists: [[Component]]) -> Bool {
    let alarms = lists.map { $0.filter { $0.name == .alarm } }
    return alarms.allSatisfy { $0.count <= 1 && $0.allSatisfy { uid(of: $0) == nil } }
      && alarms.dropFirst(2).allSatisfy { $0.count == 1 }
  }

  private static func criterion(of component: Component, _ clock: MergeClock) -> Criterion {
    if let uid = uid(of: component) { return .uid(component.name, uid) }
    return component.name == .alarm
      ? behaviour(of: component, clock) : .content(clock.meaning(of: component))
  }

  private static func uid(of component: Component) -> String? {
    let text = component[.uid]?.text ?? component["X-WR-ALARMUID"]?.text ?? ""
    guard !text.isEmpty else { return nil }
    return component[.recurrenceID].map { text + " " + $0.rawValue } ?? text
  }

  private static func behaviour(of alarm: Component, _ clock: MergeClock) -> Criterion {
    .alarm(
      action: alarm[.action]?.rawValue.uppercased() ?? "",
      trigger: clock.meaning(
        of: Component(.alarm, properties: alarm[.trigger].map { [$0] } ?? [])))
  }
}

/// Ordered components with a lookup by key.
struct KeyedComponents<Key: Hashable> {
  let keys: [Key]
  private let components: [Key: Component]

  init(keys: [Key], components: [Component]) {
    self.components = Dictionary(zip(keys, components)) { first, _ in first }
    self.keys = keys
  }

  subscript(key: Key) -> Component? { components[key] }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

extension MergeVersions {
  /// A main component without its recurrence properties, for `implyBases(_:_:_:)`.
  ///
  /// Overrides have no recurrence properties, and their lists can be long.
  static func withoutRecurrence(_ main: Component?) -> Component? {
    guard var plain = main else { return nil }
    let names = MergeGroup.rule.names + [.rDate, .exDate]
    plain.properties = PropertyList(
      plain.properties.filter { property in !names.contains { property.isNamed($0) } })
    return plain
  }

  /// Gives an override that both sides created the bases that the series implies.
  ///
  /// The arguments are the main components of both bases, without their recurrence properties.
  mutating func implyBases(
    _ localMain: Component?, _ remoteMain: Component?, _ clock: MergeClock
  ) {
    guard localBase == nil, remoteBase == nil, local.isOverride else { return }
    localBase = impliedBase(localMain, clock)
    remoteBase = impliedBase(remoteMain, clock)
  }

  /// The implied base of an override that both sides created: the occurrence of the series.
  ///
  /// It contains only properties that both overrides have, because omitting a property in one of
  /// them is not a deletion.
  private func impliedBase(_ main: Component?, _ clock: MergeClock) -> Component? {
    guard let main, let id = local[.recurrenceID], let time = clock.time(of: id),
      let start = clock.time(of: main[.dtStart]), let wall = clock.wall(of: time, on: start)
    else { return nil }
    var implied = main
    let place = start.moved(to: wall)
    let shift = StartShift(from: start, to: place, clock: clock)
    for name in [PropertyName.dtStart, .dtEnd, .due] {
      guard let shift, let property = main[name], let own = clock.time(of: property) else {
        continue
      }
      implied[name] = shift.time(own).map { property.saying($0) }
    }
    let here = Self.names(in: local)
    let there = Self.names(in: remote)
    implied.properties = PropertyList(
      implied.properties.filter { property in
        let name = Self.name(property)
        return here.contains(name) && there.contains(name)
      })
    implied[.recurrenceID] = id
    return implied
  }

  private static func names(in component: Component) -> Set<PropertyName> {
    Set(component.properties.map(name))
  }

  /// The name of a property; DTEND for all notations of an end.
  private static func name(_ property: Property) -> PropertyName {
    [.dtEnd, .due, .duration].contains(property.name) ? .dtEnd : property.name
  }
}

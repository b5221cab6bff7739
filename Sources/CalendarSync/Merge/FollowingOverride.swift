// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

// Worked example (scenario series-renamed-here-override-added-there). One side renamed the series
// while the other side moved an occurrence to another room. An override is a whole component, so
// that it also has the old title (RFC 5545 §3.8.4.4):
//
//     base    SUMMARY:Team   LOCATION:Room 1
//     local   SUMMARY:Staff  LOCATION:Room 1
//     remote  =              ID:20260309T090000 SUMMARY:Team LOCATION:Room 2
//     merged  SUMMARY:Staff  ID:20260309T090000 SUMMARY:Staff LOCATION:Room 2

/// The edit of a series on one side, for the overrides that only the other side has.
///
/// The override takes over the changed values of the series, where it has the earlier ones. A value
/// that differs is its own. So the order of two edits does not matter, whether one device or two
/// devices made them.
///
/// All main components are without their recurrence properties.
struct FollowingOverride {
  /// The main component of the base of the side with the override.
  private let base: Component
  /// The main component of the base of the side with the edit.
  private let before: Component
  /// The main component with the edit.
  private let after: Component
  private let clock: MergeClock

  /// Compares the main components; nil if nothing can follow.
  init?(base: Component?, before: Component?, after: Component?, _ clock: MergeClock) {
    guard let base, let before, let after = MergeVersions.withoutRecurrence(after) else {
      return nil
    }
    self.base = Self.withoutOwn(base)
    self.before = Self.withoutOwn(before)
    self.after = Self.withoutOwn(after)
    self.clock = clock
    guard clock.meaning(of: self.before) != clock.meaning(of: self.after) else { return nil }
  }

  /// The override with the edits of its series.
  func followed(_ override: Component) -> Component {
    guard let id = override[.recurrenceID], var base = clock.implied(base, at: id),
      var before = clock.implied(before, at: id), var after = clock.implied(after, at: id)
    else { return override }
    // A value that the override lacks is its own deletion.
    let lacking = base.names.subtracting(override.names)
    base = base.without(lacking)
    before = before.without(lacking)
    after = after.without(lacking)
    if !hasAlarms(override, of: base) {
      (base.components, before.components) = (override.components, override.components)
      after.components = override.components
    }
    let versions = MergeVersions(
      localBase: base, remoteBase: before, local: override, remote: after)
    let layout = MergeLayout(
      of: versions.all, component: override.name, isFused: false, clock: clock)
    return ComponentMerge(
      versions, layout, MergeSettings(policies: MergePolicies(.local), path: "")
    ).merged
  }

  /// Whether an override has the alarms of its series.
  private func hasAlarms(_ override: Component, of base: Component) -> Bool {
    func meaning(_ component: Component) -> SHA256.Digest {
      clock.meaning(of: Component(component.name, components: Array(component.components)))
    }
    return meaning(override) == meaning(base)
  }

  /// A main component without the properties that each occurrence has for itself.
  private static func withoutOwn(_ main: Component) -> Component {
    var names: Set<PropertyName> = [.organizer, .attendee, .requestStatus]
    names.formUnion(MergeBookkeeping.rules.map(\.name))
    if main.name == .reminder { names.formUnion(MergeGroup.progress.names) }
    return main.without(names)
  }
}

extension MergeClock {
  /// The occurrence of a series that a RECURRENCE-ID identifies, with the values of the series.
  ///
  /// The main component has no recurrence properties. The result is nil if the occurrence has no
  /// place on the clock of the series.
  func implied(_ main: Component, at id: Property) -> Component? {
    guard let time = time(of: id), let start = self.time(of: main[.dtStart]),
      let wall = wall(of: time, on: start)
    else { return nil }
    var implied = main
    let shift = StartShift(from: start, to: start.at(wall), clock: self)
    for name in [PropertyName.dtStart, .dtEnd, .due] {
      guard let shift, let property = main[name], let own = self.time(of: property) else {
        continue
      }
      implied[name] = shift.shifted(own).map { property.at($0) }
    }
    implied[.recurrenceID] = id
    return implied
  }
}

extension Component {
  /// The names of the properties; DTEND for all notations of an end.
  var names: Set<PropertyName> { Set(properties.map { Self.key($0.name) }) }

  /// The component without the properties with some names; DTEND means all notations of an end.
  func without(_ names: Set<PropertyName>) -> Component {
    var result = self
    result.properties = PropertyList(properties.filter { !names.contains(Self.key($0.name)) })
    return result
  }

  private static func key(_ name: PropertyName) -> PropertyName {
    [.dtEnd, .due, .duration].contains(name) ? .dtEnd : name
  }
}

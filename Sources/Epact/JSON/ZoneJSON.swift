// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime

extension Machine {
  /// Zones at an instant, with the source and the version of the time zones.
  package func json(of zones: [JSONValue], at instant: Instant) -> JSONValue {
    [
      "source": JSONValue(self.zones.source), "version": JSONValue(self.zones.version),
      "now": .string("\(instant)"), "zones": .array(zones),
    ]
  }
}

extension ResolvedZone {
  /// The resolution of the name.
  package var members: [JSONValue.Member] {
    [
      .init("tzid", .string(tzID)), .init("resolution", .string(source.rawValue)),
      .init("zone", JSONValue(name)), .init("canonical", JSONValue(canonicalName)),
      .init("refusal", JSONValue(refusal?.rawValue)),
    ]
  }

  /// The resolution, the offset, and the next changes of the offset, at most `count`.
  package func json(_ information: ZoneInformation, changes count: Int) -> JSONValue {
    let changes = information.nextChanges(count).map(\.json)
    return .object(members + information.members + [.init("changes", .array(changes))])
  }
}

extension ZoneInformation {
  /// The offset and the abbreviation at the instant.
  package var members: [JSONValue.Member] {
    [
      .init("offset", .string(type.offset.description)),
      .init("abbreviation", .string(type.abbreviation)),
      .init("isDaylight", .bool(type.isDaylight)),
    ]
  }
}

extension ZoneTransition {
  fileprivate var json: JSONValue {
    [
      "instant": .string(instant.description), "before": .string(before.offset.description),
      "after": .string(after.offset.description), "abbreviation": .string(after.abbreviation),
      "isDaylight": .bool(after.isDaylight),
    ]
  }
}

extension ZoneReport {
  /// The resolution of a TZID of a file, and the differences from its definition there.
  package func json(path: String) -> JSONValue {
    let differences = differences.map { stretch -> JSONValue in
      [
        "start": .string(stretch.start.description), "end": .string(stretch.end.description),
        "definition": .string(stretch.offset.description),
        "zone": .string(stretch.otherOffset.description),
      ]
    }
    return .object(
      [.init("file", .string(path))] + zone.members + [
        .init("isDefined", .bool(definition != nil)),
        .init("definitionError", JSONValue(definitionError?.message)),
        .init("differences", .array(differences)),
      ])
  }
}

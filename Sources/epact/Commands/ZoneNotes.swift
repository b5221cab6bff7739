// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax

/// Says of each time zone of a file how its name was understood, where that is not plain, and where the
/// file's own definition of it says otherwise.
///
/// A calendar may define its time zones after they are used, so what is said of the names of a
/// calendar waits for its end.
struct ZoneNotes: Sendable {
  /// The most definitions that are remembered of one calendar.
  private static let limit = 1000

  private let zones: ZoneResolver
  private let horizon: Instant
  private var definitions: [Component] = []
  private var uses = TimeZoneUses()

  /// Creates the notes on a file.
  ///
  /// - Parameters:
  ///   - zones: How names of time zones are understood.
  ///   - horizon: How far definitions are looked at if something recurs for ever.
  init(zones: ZoneResolver, horizon: Instant) {
    self.zones = zones
    self.horizon = horizon
  }

  /// What there is to say once an element of the file is read.
  mutating func notes(on element: ReaderElement) -> [Diagnostic] {
    switch element {
    case .component(let component):
      look(at: component)
      return []
    case .calendarBegan, .calendarEnded:
      let reports = takeReports()
      return reports.flatMap { $0.report.diagnostics(at: $0.property) }
        .sorted { $0.position < $1.position }
    case .property, .diagnostic: return []
    }
  }

  /// Remembers what a component defines and uses.
  mutating func look(at component: Component) {
    if component.name == .timeZone, definitions.count < Self.limit {
      definitions.append(component)
    }
    uses.add(component)
  }

  /// What is made of each TZID of the calendar that ends, in the order of their names, and where it is
  /// used first.
  mutating func takeReports() -> [(report: ZoneReport, property: Property)] {
    defer {
      definitions = []
      uses = TimeZoneUses()
    }
    return uses.uses.sorted { $0.key < $1.key }.map { tzID, use in
      (
        zones.report(on: tzID, definitions: definitions, use: use, horizon: horizon),
        use.property
      )
    }
  }
}

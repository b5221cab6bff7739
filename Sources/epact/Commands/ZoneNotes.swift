// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Says of each time zone of a file how its name was understood, where that is not plain.
///
/// A calendar may define its time zones after they are used, so what is said of the names of a
/// calendar waits for its end.
struct ZoneNotes: Sendable {
  /// The most names that are remembered of one calendar.
  private static let limit = 1000

  private let zones: ZoneResolver
  private var definitions: [Component] = []
  private var firstUses: [String: Property] = [:]

  /// Creates the notes on a file.
  init(zones: ZoneResolver) {
    self.zones = zones
  }

  /// What there is to say once an element of the file is read.
  mutating func notes(on element: ReaderElement) -> [Diagnostic] {
    switch element {
    case .component(let component):
      look(at: component)
      return []
    case .calendarBegan, .calendarEnded:
      defer {
        definitions = []
        firstUses = [:]
      }
      return
        firstUses
        .compactMap { tzID, property in
          zones.resolve(tzID, definitions: definitions).diagnostic(at: property)
        }
        .sorted { $0.position < $1.position }
    case .property, .diagnostic: return []
    }
  }

  private mutating func look(at component: Component) {
    if component.name == .timeZone, definitions.count < Self.limit {
      definitions.append(component)
    }
    for property in component.properties {
      guard let tzID = property[.tzID], firstUses.count < Self.limit, firstUses[tzID] == nil
      else { continue }
      firstUses[tzID] = property
    }
    for nested in component.components { look(at: nested) }
  }
}

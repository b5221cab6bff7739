// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import ICalSyntax

/// Counts of components and properties.
struct ComponentTally {
  private var components = 0
  private var events = 0
  private var reminders = 0
  private var journals = 0
  private var alarms = 0
  private var properties = 0

  var answers: Answers {
    [
      .components: components, .events: events, .reminders: reminders, .journals: journals,
      .alarms: alarms, .properties: properties,
    ]
  }

  /// Counts a component and all nested ones.
  mutating func add(_ component: Component) {
    components += 1
    switch component.name {
    case .event: events += 1
    case .reminder: reminders += 1
    case .journal: journals += 1
    case .alarm: alarms += 1
    default: break
    }
    properties += component.properties.count
    component.components.forEach { add($0) }
  }

  /// Counts an element of a reader.
  ///
  /// - Throws: `Failure` for a diagnostic, because the files have no errors.
  mutating func add(_ element: ReaderElement) throws {
    switch element {
    case .calendarBegan: components += 1
    case .property: properties += 1
    case .component(let component): add(component)
    case .calendarEnded: break
    case .diagnostic(let diagnostic): throw Failure("\(diagnostic)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import ICalSyntax

/// What is counted while components are walked over.
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

  /// Counts a component with all that is nested in it.
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

  /// Counts what a reader found.
  ///
  /// - Throws: `Failure` for a diagnostic: there is nothing wrong with the files.
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

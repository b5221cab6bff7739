// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// An item with its organizer and attendees, as a scheduling server treats it (RFC 6638 §3.1).
struct Meeting {
  private let item: CalendarItem
  /// The user's addresses in lower case; empty if the server does not return them.
  private let own: Set<String>

  /// Creates a meeting.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - own: The addresses of the user (`calendar-user-address-set`).
  init(_ item: CalendarItem, own: Set<String>) {
    self.item = item
    self.own = own
  }

  /// Whether an item has an organizer and attendees.
  static func isOne(_ item: CalendarItem) -> Bool {
    item.components.contains { component in
      component[.organizer] != nil && component[.attendee] != nil
    }
  }

  /// Returns the attendees whom the server notifies when the item is stored, changed or deleted.
  ///
  /// The result is empty if the user is not the organizer: the organizer's server sends the
  /// messages.
  func notified(ignoringAgent: Bool = false) -> Set<String> {
    var result: Set<String> = []
    for component in item.components where isOwn(component) {
      for person in others(in: component)
      where ignoringAgent || Self.agent(of: person) == "SERVER" {
        result.insert(person.rawValue.lowercased())
      }
    }
    return result
  }

  /// Returns the item with SCHEDULE-AGENT=CLIENT for all attendees but `kept` (RFC 6638 §7.1).
  ///
  /// The server then sends them no messages. `NONE` should have the same effect, but does not on
  /// sabre/dav.
  func quiet(except kept: Set<String> = []) -> CalendarItem {
    var isChanged = false
    let components = item.components.map { component in
      guard isOwn(component) else { return component }
      let people = Set(others(in: component).map(\.rawValue))
      var copy = component
      copy.properties = PropertyList(
        component.properties.map { property in
          guard property.isNamed(.attendee), people.contains(property.rawValue),
            !kept.contains(property.rawValue.lowercased()), Self.agent(of: property) != "CLIENT"
          else { return property }
          isChanged = true
          var person = property
          person[.scheduleAgent] = "CLIENT"
          return person
        })
      return copy
    }
    guard isChanged else { return item }
    do throws(ItemError) {
      return try item.replacing(components: components, timeZones: item.timeZones)
    } catch {
      return item
    }
  }

  /// Whether the user is the organizer; assumed if the user's addresses are unknown.
  private func isOwn(_ component: Component) -> Bool {
    guard let organizer = component[.organizer] else { return false }
    return own.isEmpty || own.contains(organizer.rawValue.lowercased())
  }

  /// Returns the attendees other than the organizer and the user.
  private func others(in component: Component) -> [Property] {
    let organizer = component[.organizer]?.rawValue.lowercased()
    return component.properties(named: .attendee).filter { person in
      let address = person.rawValue.lowercased()
      return address != organizer && !own.contains(address)
    }
  }

  private static func agent(of person: Property) -> String {
    person[.scheduleAgent]?.uppercased() ?? "SERVER"
  }
}

extension Meeting {
  /// The properties that concern only the owner of the calendar, so that attendees need no update.
  private static let personal: [PropertyName] = [
    .dtStamp, .lastModified, .created, .sequence, .categories, .transparency, .color,
  ]

  /// Whether two versions of a meeting are the same for the attendees.
  static func areSameForAttendees(_ left: CalendarItem, _ right: CalendarItem) -> Bool {
    guard let left = common(left), let right = common(right) else { return false }
    return left.fingerprint == right.fingerprint
  }

  /// Returns the item without personal properties; nil if the result is not a valid item.
  private static func common(_ item: CalendarItem) -> CalendarItem? {
    let components = item.components.map { component in
      var copy = component
      copy.components = ComponentList(component.components.filter { $0.name != .alarm })
      copy.properties = PropertyList(
        component.properties.compactMap { property in
          guard !personal.contains(where: property.isNamed) else { return nil }
          guard property.isNamed(.attendee) || property.isNamed(.organizer) else {
            return property
          }
          var person = property
          for name: ParameterName in [.scheduleAgent, .scheduleStatus, .scheduleForceSend] {
            person[name] = nil
          }
          return person
        })
      return copy
    }
    return try? item.replacing(components: components, timeZones: item.timeZones)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// An item as a scheduling server sees it: who has called whom (RFC 6638 §3.1).
struct Meeting {
  /// Who stands in the calendar of whom.
  private let item: CalendarItem
  /// Those in whose name the user acts, in lower case; empty if the server does not tell.
  private let own: Set<String>

  /// - Parameters:
  ///   - item: The item.
  ///   - own: The addresses of the user (`calendar-user-address-set`).
  init(_ item: CalendarItem, own: Set<String>) {
    self.item = item
    self.own = own
  }

  /// Whether an item calls anybody at all.
  static func isOne(_ item: CalendarItem) -> Bool {
    item.components.contains { component in
      component[.organizer] != nil && component[.attendee] != nil
    }
  }

  /// The people to whom a server sends a message when the item is stored, changed or deleted.
  ///
  /// None if somebody else has called: their server sends the messages.
  func told(ignoringAgent: Bool = false) -> Set<String> {
    var result: Set<String> = []
    for component in item.components where isOwn(component) {
      for person in others(in: component)
      where ignoringAgent || Self.agent(of: person) == "SERVER" {
        result.insert(person.rawValue.lowercased())
      }
    }
    return result
  }

  /// The item with everybody but these left to whoever manages it (SCHEDULE-AGENT=CLIENT, RFC 6638
  /// §7.1), so that a server sends them nothing.
  ///
  /// `NONE` should do the same, and on sabre/dav does not.
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

  /// Whether the user may be the one who calls; if the user's addresses are not known, it may be so.
  private func isOwn(_ component: Component) -> Bool {
    guard let organizer = component[.organizer] else { return false }
    return own.isEmpty || own.contains(organizer.rawValue.lowercased())
  }

  /// Those who are called and are not the one who calls.
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
  /// What concerns only whoever keeps the calendar, so that nobody else has to be told of its change.
  private static let personal: [PropertyName] = [
    .dtStamp, .lastModified, .created, .sequence, .categories, .transparency, .color,
  ]

  /// Whether two versions of a meeting say the same to those who were called.
  static func saysTheSame(_ left: CalendarItem, _ right: CalendarItem) -> Bool {
    guard let left = common(left), let right = common(right) else { return false }
    return left.fingerprint == right.fingerprint
  }

  /// The item without what is personal; nil if that is no item.
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

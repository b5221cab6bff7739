// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// An item with its organizer and attendees, as a scheduling server treats it (RFC 6638 §3.1).
struct Meeting {
  let item: CalendarItem
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

  /// Returns the item in a form that makes the server send no messages, as far as possible.
  ///
  /// - All attendees of the user's own meeting get SCHEDULE-AGENT=CLIENT, except those whom the
  ///   server has notified already (RFC 6638 §7.1). `NONE` should have the same effect, but does not
  ///   on sabre/dav.
  /// - In a meeting to which the user is invited, ORGANIZER gets SCHEDULE-AGENT=CLIENT, so that the
  ///   server sends no answer (RFC 6638 §3.2.2.2). If the server handles the meeting already, its
  ///   value is kept.
  /// - SCHEDULE-FORCE-SEND is a request to send a message (RFC 6638 §7.2), and is removed.
  ///
  /// - Parameter copy: The server's copy; nil if the item is added.
  /// - Returns: The item to send.
  func quiet(replacing copy: Meeting? = nil) -> CalendarItem {
    let kept = copy?.notified() ?? []
    let isInvited = own.isEmpty || isAttended
    let handler = copy.flatMap { $0.isHandledByServer ? $0 : nil }
    var isChanged = false
    let components = item.components.map { component in
      let people = isOwn(component) ? Set(others(in: component).map(\.rawValue)) : []
      var copy = component
      copy.properties = PropertyList(
        component.properties.map { property in
          guard property.isNamed(.attendee) || property.isNamed(.organizer) else { return property }
          var person = property
          person[.scheduleForceSend] = nil
          let isMarked =
            property.isNamed(.organizer)
            ? isInvited && handler == nil
            : people.contains(property.rawValue) && !kept.contains(property.rawValue.lowercased())
          if isMarked, Self.agent(of: property) != "CLIENT" { person[.scheduleAgent] = "CLIENT" }
          if isInvited, let handler, property.isNamed(.organizer) {
            person[.scheduleAgent] = handler.organizer?[.scheduleAgent]
          }
          if person != property { isChanged = true }
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

/// The answers that a server sends for the user, who is an attendee (RFC 6638 §3.2.2).
extension Meeting {
  /// An answer of the user: the parts of a component that a server sends to the organizer.
  private struct Answer: Hashable {
    let organizer: String
    /// Whether the server sends changes, according to SCHEDULE-AGENT.
    let isSent: Bool
    /// PARTSTAT and the delegation of the user; empty if the user is not invited.
    let participation: [String]
    /// The comments, and the progress of a reminder.
    let remarks: [String]
    /// The occurrences, because the server declines each that the user removes.
    let occurrences: [String]

    var isGiven: Bool { participation.contains { !$0.hasPrefix("NEEDS-ACTION") } }
  }

  /// The properties of a component that an answer contains besides ATTENDEE.
  private static let remarks: [PropertyName] = [
    .comment, .requestStatus, .percentComplete, .completed,
  ]
  private static let recurrence: [PropertyName] = [.rRule, .rDate, .exDate]

  /// Whether the user is invited by another user.
  private var isAttended: Bool {
    !item.components.contains(where: isOwn)
      && item.components.contains { $0[.organizer] != nil && !invitations(in: $0).isEmpty }
  }

  private var organizer: Property? { item.components.lazy.compactMap { $0[.organizer] }.first }

  /// Whether the server answers for the user, who is invited; assumed if the user is unknown.
  private var isHandledByServer: Bool {
    guard own.isEmpty || isAttended else { return false }
    return item.components.contains { component in
      component[.organizer].map { Self.agent(of: $0) != "CLIENT" } ?? false
    }
  }

  /// The organizers in lower case.
  var organizers: Set<String> {
    Set(item.components.compactMap { $0[.organizer]?.rawValue.lowercased() })
  }

  /// Whether a deletion makes the server decline, unless the request forbids it (RFC 6638 §8.1).
  func isDeclinedByDeletion(ignoringAgent: Bool) -> Bool {
    isAttended && (ignoringAgent || isHandledByServer)
  }

  /// Returns the organizers to whom the server sends an answer when the item is stored.
  ///
  /// - Parameters:
  ///   - copy: The item that is replaced; nil if the item is added.
  ///   - ignoringAgent: Whether the server sends messages regardless of SCHEDULE-AGENT.
  /// - Returns: The addresses of the organizers in lower case; empty if nothing is sent.
  func answered(replacing copy: Meeting?, ignoringAgent: Bool) -> Set<String> {
    let after = answers(ignoringAgent: ignoringAgent)
    let before = (copy?.answers(ignoringAgent: ignoringAgent) ?? [:]).filter(\.value.isSent)
    guard !before.isEmpty else {
      return Set(after.values.filter { $0.isSent && $0.isGiven }.map(\.organizer))
    }
    var organizers: Set<String> = []
    for (name, answer) in before {
      guard let now = after[name], now.participation == answer.participation,
        now.remarks == answer.remarks, now.occurrences == answer.occurrences
      else {
        organizers.insert(answer.organizer)
        continue
      }
    }
    // An override that the user adds, for example for an alarm, keeps the answer to the series.
    let series = before[""]
    for (name, answer) in after where before[name] == nil {
      guard answer.participation != series?.participation || answer.remarks != series?.remarks,
        answer.isGiven || series != nil
      else { continue }
      organizers.insert(answer.organizer)
    }
    return organizers
  }

  /// The answers of the user by RECURRENCE-ID; empty if the user is the organizer.
  private func answers(ignoringAgent: Bool) -> [String: Answer] {
    guard !own.isEmpty, isAttended else { return [:] }
    var result: [String: Answer] = [:]
    for component in item.components {
      guard let organizer = component[.organizer] else { continue }
      let name = component[.recurrenceID].map { "\($0[.tzID] ?? "") \($0.rawValue)" } ?? ""
      result[name] = Answer(
        organizer: organizer.rawValue.lowercased(),
        isSent: ignoringAgent || Self.agent(of: organizer) != "CLIENT",
        participation: invitations(in: component).map(Self.participation).sorted(),
        remarks: Self.values(of: Self.remarks, in: component)
          + (component.name == .reminder ? Self.values(of: [.status], in: component) : []),
        occurrences: Self.values(of: Self.recurrence, in: component))
    }
    return result
  }

  /// The ATTENDEE properties of the user.
  private func invitations(in component: Component) -> [Property] {
    component.properties(named: .attendee).filter { own.contains($0.rawValue.lowercased()) }
  }

  /// The participation as text; it begins with PARTSTAT, whose default is NEEDS-ACTION.
  private static func participation(_ person: Property) -> String {
    let delegates = [ParameterName.delegatedTo, .delegatedFrom].flatMap { name in
      person.parameters.filter { $0.name == name }.flatMap(\.values)
    }
    let status = person[.participationStatus]?.uppercased() ?? "NEEDS-ACTION"
    return ([status] + delegates.map { $0.lowercased() }).joined(separator: " ")
  }

  private static func values(of names: [PropertyName], in component: Component) -> [String] {
    component.properties.filter { property in names.contains(where: property.isNamed) }
      .map { "\($0.name.canonicalName);\($0[.tzID] ?? ""):\($0.rawValue)" }.sorted()
  }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The revision of changed components: SEQUENCE, DTSTAMP, LAST-MODIFIED and the answers to them.
extension ItemEditor {
  /// The properties whose change is a revision of the item (RFC 5545 §3.8.7.4, RFC 5546 §2.1.4).
  private static let significant: [PropertyName] = [
    .dtStart, .dtEnd, .due, .duration, .rRule, .exRule, .rDate, .exDate, .status,
  ]
  /// The properties whose change makes the answers of attendees obsolete (RFC 5546 §3.2.2.1).
  ///
  /// The other occurrences stay if one is excluded.
  private static let times: [PropertyName] = [
    .dtStart, .dtEnd, .due, .duration, .rRule, .exRule, .rDate,
  ]

  /// The organizer of a component.
  private enum Organizing {
    /// It has none.
    case nobody
    case user
    case other
    /// No address of the user is known.
    case unknown
  }

  /// Updates the timestamps of a changed component, and its SEQUENCE after a significant change.
  ///
  /// DTSTAMP is the time at which this information was written. Without METHOD it equals
  /// LAST-MODIFIED (RFC 5545 §3.8.7.2). In a meeting of another organizer, SEQUENCE and DTSTAMP are
  /// those of the organizer's last message. If it is unknown whose meeting it is, they stay too,
  /// unless the times change: alarms, categories and answers are those of an attendee.
  func stamp(_ component: inout Component, since before: Component) {
    guard component != before else { return }
    let organizing = organizing(before)
    let isRevision = isOrganizer && differ(component, before, in: Self.significant)
    let keepsRevision =
      switch organizing {
      case .nobody, .user: false
      case .unknown: !isRevision
      case .other: true
      }
    if isRevision, !keepsRevision {
      let sequence = before[.sequence].flatMap { Int($0.rawValue) } ?? 0
      if organizing == .user { reviseAnswers(to: &component, since: before, sequence) }
      set(.sequence, to: String(min(sequence, Int(Int32.max) - 1) + 1), in: &component)
    }
    guard let time = now.civil() else { return }
    if !keepsRevision { set(.dtStamp, to: "\(time)Z", in: &component) }
    set(.lastModified, to: "\(time)Z", in: &component)
  }

  private func organizing(_ component: Component) -> Organizing {
    guard let organizer = component[.organizer]?.address else { return .nobody }
    guard !userAddresses.isEmpty else { return .unknown }
    return organizer.isAny(of: userAddresses) ? .user : .other
  }

  private func differ(
    _ component: Component, _ before: Component, in names: [PropertyName]
  ) -> Bool {
    names.contains { component.properties(named: $0) != before.properties(named: $0) }
  }

  /// Asks the attendees of the user's meeting again if its times change.
  ///
  /// If an occurrence is excluded, only that one is cancelled, so that answers to the earlier revision
  /// stay valid. If a series ends earlier or later, answers stay.
  private func reviseAnswers(
    to component: inout Component, since before: Component, _ sequence: Int
  ) {
    let name = ScheduledComponent.answeredSequence
    guard differ(component, before, in: Self.times) else {
      let isExclusion =
        component.properties(named: .exDate) != before.properties(named: .exDate)
        && component[.status] == before[.status]
      if isExclusion, component[name] == nil {
        component[name] = Property(name, rawValue: String(sequence))
      } else if !isExclusion {
        component[name] = nil
      }
      return
    }
    component[name] = nil
    let names = Self.times.filter { $0 != .rRule }
    let rules = [component, before].map { part in part.properties(named: .rRule).map(\.endless) }
    guard differ(component, before, in: names) || rules[0] != rules[1] else { return }
    let organizer = component[.organizer]?.address
    component.properties = PropertyList(
      component.properties.map { property in
        guard property.isNamed(.attendee), property.isAnswer,
          organizer.map({ !$0.isSamePerson(as: property.address) }) ?? true,
          property[.participationStatus]?.isEqualIgnoringASCIICase(to: "DELEGATED") != true
        else { return property }
        var attendee = property.setting(ScheduledComponent.replyParameter, to: nil)
        attendee[.participationStatus] = "NEEDS-ACTION"
        attendee[.rsvp] = "TRUE"
        return attendee
      })
  }

  private func set(_ name: PropertyName, to value: String, in component: inout Component) {
    if var property = component[name] {
      property.rawValue = value
      component[name] = property
    } else {
      component[name] = Property(name, rawValue: value)
    }
  }
}

extension Property {
  /// The parts of a rule without its end.
  fileprivate var endless: [Substring] {
    rawValue.split(separator: ";").filter { part in
      let name = part.prefix { $0 != "=" }.uppercased()
      return name != "UNTIL" && name != "COUNT"
    }
  }
}

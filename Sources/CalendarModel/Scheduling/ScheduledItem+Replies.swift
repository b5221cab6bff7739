// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// REPLY, CANCEL and ADD (RFC 5546 §3.2.3 to §3.2.5).
extension ScheduledItem {
  /// The component that a message is about.
  enum Target {
    /// One that the item has.
    case stored(Int)
    /// One for an occurrence that has no override so far.
    case occurrence(ScheduledComponent)
    /// None, because the series does not have the occurrence.
    case none
  }

  /// Finds the component for an occurrence.
  mutating func target(_ key: OccurrenceKey) -> Target {
    if let place = places[key] { return .stored(place) }
    let main = places[.series]
    let found = withOccurrences { source -> Target? in
      if let main, !source.isRecurring, source.isStart(key) { return .stored(main) }
      guard source.hasOccurrence(key), let template = source.template(of: key) else { return nil }
      var component = ScheduledComponent(template, isChanged: true)
      component.forgetAnswers()
      return .occurrence(component)
    }
    return found ?? .none
  }

  /// Applies the answer of an attendee.
  mutating func reply(_ reply: Component, _ key: OccurrenceKey) -> SchedulingOutcome {
    var attendees = reply.properties(named: .attendee)
    // A REPLY has one ATTENDEE. If there are more, those without an answer are ignored.
    if attendees.count > 1 { attendees.removeAll { !$0.isAnswer } }
    guard !attendees.isEmpty else { return .refused(.noAttendee) }
    let answer = { (part: inout ScheduledComponent) in
      attendees.map { part.answer($0, of: reply) }.reduce(.unchanged, Self.worse)
    }
    switch target(key) {
    case .none: return .refused(.noOccurrence)
    case .stored(let place):
      let before = change(place) { part in attendees.map { part.attendee($0.address) } } ?? []
      let outcome = change(place, answer) ?? .refused(.noOccurrence)
      if key == .series, case .updated = outcome {
        for property in before.compactMap({ $0 }) { inherit(since: property, of: reply) }
      }
      return outcome
    case .occurrence(var part):
      let outcome = answer(&part)
      if case .updated = outcome { store(part.component, for: key) }
      return outcome
    }
  }

  /// Applies an answer to the series to the overrides with the same revision.
  ///
  /// An answer without RECURRENCE-ID is to all occurrences.
  private mutating func inherit(since before: Property, of reply: Component) {
    guard let place = places[.series],
      let answered = change(place, { $0.attendee(before.address) }) ?? nil
    else { return }
    let revision = main?.revision
    for other in overrides(inviting: before.address) where parts[other]?.revision == revision {
      _ = change(other) { $0.inherit(answered, since: before, of: reply) }
    }
  }

  /// The outcome to report for two outcomes: a failure takes precedence.
  private static func worse(
    _ left: SchedulingOutcome, _ right: SchedulingOutcome
  ) -> SchedulingOutcome {
    func rank(_ outcome: SchedulingOutcome) -> Int {
      switch outcome {
      case .unchanged, .informative: 0
      case .added, .updated: 1
      case .stale: 2
      case .refused: 3
      }
    }
    return rank(right) > rank(left) ? right : left
  }

  /// Adds an occurrence to the series (RFC 5546 §3.2.4).
  ///
  /// It consists of an RDATE, and an override with its content.
  mutating func add(_ component: Component, _ key: OccurrenceKey) -> SchedulingOutcome {
    guard let mainPlace = places[.series], let main = main?.revision else {
      return .refused(.noOccurrence)
    }
    guard let key = key == .series ? startKey(of: component) : key else {
      return .refused(.noStart)
    }
    let incoming = SchedulingRevision(of: component)
    if let stored = places[key].flatMap({ parts[$0]?.revision }) {
      if incoming.isEarlier(than: stored) { return .stale(stored: stored, incoming: incoming) }
      if !stored.isEarlier(than: incoming) { return .unchanged }
    } else if incoming.isEarlier(than: main) {
      return .stale(stored: main, incoming: incoming)
    }
    let found = withOccurrences { source in
      source.time(of: key).map { ($0, source.hasOccurrence(key)) }
    }
    guard let (time, isOccurrence) = found else { return .refused(.noStart) }
    if !isOccurrence, places[key] == nil {
      _ = change(mainPlace) { $0.append(PropertyCodec.time.property(.rDate, time)) }
    }
    store(component.withoutRecurrence.named(time), for: key)
    let isComplete = incoming.sequence <= main.sequence + 1
    if isComplete { _ = change(mainPlace) { $0.raise(to: incoming) } }
    return .updated(.occurrenceAdded(isComplete: isComplete))
  }
}

extension Component {
  /// The component as the override for an occurrence.
  fileprivate func named(_ time: EventTime) -> Component {
    var component = self
    component.properties.removeAll { $0.isNamed(.recurrenceID) }
    let place = component.properties.firstIndex { $0.isNamed(.uid) }.map { $0 + 1 } ?? 0
    component.properties.insert(PropertyCodec.time.property(.recurrenceID, time), at: place)
    return component
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax

/// The messages by which an organizer informs the attendees of a change of a meeting (RFC 5546
/// §3.2.2, §3.2.5).
///
/// ```swift
/// let change = MeetingChange(from: before, to: edited, zones: resolver)
/// for message in try change.messages(at: now) { print(message.method) }
/// ```
///
/// | change | message |
/// |---|---|
/// | a new meeting, or new values | REQUEST with all components |
/// | new values of single occurrences only | REQUEST with these occurrences |
/// | an excluded occurrence, or the original one, is back | REQUEST with all components |
/// | an attendee is removed | CANCEL for that attendee |
/// | an occurrence is excluded | CANCEL with RECURRENCE-ID |
/// | the meeting is deleted | CANCEL |
///
/// Alarms, categories of no attendee and other changes that no message contains need none.
public struct MeetingChange: Sendable {
  private let before: CalendarItem?
  private let after: CalendarItem?
  private let zones: ZoneResolver

  /// Creates the change of an item.
  ///
  /// - Parameters:
  ///   - before: The item before the change; nil for a new one.
  ///   - after: The item after the change; nil for a deletion.
  ///   - zones: Resolves the time zones of occurrences.
  public init(from before: CalendarItem?, to after: CalendarItem?, zones: ZoneResolver) {
    (self.before, self.after, self.zones) = (before, after, zones)
  }

  /// Creates the messages in the order in which they are to be sent.
  ///
  /// - Parameter now: The time of the messages.
  /// - Returns: The messages; empty if neither version is a meeting, or no attendee is concerned.
  /// - Throws: `SchedulingRefusal` if a message cannot be created.
  public func messages(at now: Instant) throws(SchedulingRefusal) -> [SchedulingMessage] {
    switch (before.flatMap(\.meeting), after.flatMap(\.meeting)) {
    case (nil, nil): return []
    case (nil, let new?): return try requests(for: new, at: now)
    case (let old?, nil):
      var messages = [try old.cancellation(at: now, zones: zones).restricted(to: old.wholeGuests)]
      for (time, guests) in old.occurrenceGuests {
        messages.append(
          try old.cancellation(for: .occurrence(time), at: now, zones: zones)
            .restricted(to: guests))
      }
      return messages.filter { !$0.guests.isEmpty }
    case (let old?, let new?): return try messages(from: old, to: new, at: now)
    }
  }

  /// The REQUEST with all components for those who are invited to the item as a whole, and the changed
  /// occurrences for those who are invited to them alone.
  ///
  /// - Parameters:
  ///   - new: The meeting.
  ///   - back: The original starts of occurrences that were changed or excluded, and are as the series
  ///     has them again. A series without them would leave the earlier messages about them in force
  ///     (RFC 5546 §3.2.2).
  ///   - now: The time of the messages.
  /// - Returns: The messages.
  /// - Throws: `SchedulingRefusal` if a message cannot be created.
  private func requests(
    for new: CalendarItem, resetting back: [EventTime] = [], at now: Instant
  ) throws(SchedulingRefusal) -> [SchedulingMessage] {
    let reset = back.compactMap { new.occurrence(at: $0, zones, now) }
    let whole = try new.request(of: new.components + reset, at: now)
    var messages = [whole.restricted(to: new.wholeGuests)]
    for (time, guests) in new.occurrenceGuests {
      let parts = new.overrides.filter { Event($0).recurrenceID?.time == time }
      messages.append(try new.request(of: parts, at: now).restricted(to: guests))
    }
    return messages.filter { !$0.guests.isEmpty }
  }

  private func messages(
    from old: CalendarItem, to new: CalendarItem, at now: Instant
  ) throws(SchedulingRefusal) -> [SchedulingMessage] {
    var messages: [SchedulingMessage] = []
    let invited = Set(new.guests)
    let withdrawn = Set(old.guests.filter { !invited.contains($0) })
    if !withdrawn.isEmpty { messages.append(try old.withdrawal(of: withdrawn, at: now)) }
    // A series that was shorter did not have the occurrence, and the REQUEST has the exclusion.
    for time in excluded(from: old, to: new) where old.occurrence(at: time, zones, now) != nil {
      messages.append(try old.cancellation(for: .occurrence(time), at: now, zones: zones))
    }
    let known = Set(old.overrides.map { $0.visible(at: now) })
    let changed = new.overrides.filter { !known.contains($0.visible(at: now)) }
    let back = new.overridesLacking(of: old) + excluded(from: new, to: old)
    if !back.isEmpty || old.main?.visible(at: now) != new.main?.visible(at: now) {
      messages += try requests(for: new, resetting: back, at: now)
    } else if !changed.isEmpty {
      messages.append(try new.request(of: changed, at: now))
    }
    return messages
  }

  /// The version after the change, whose components have no lower SEQUENCE than all messages about the
  /// version before it, and those that attendees see changed a higher one (RFC 5546 §2.1.4).
  ///
  /// An earlier version that is restored needs it, because attendees ignore what is not newer than the
  /// version that they have. The CANCEL of a deleted meeting had the next SEQUENCE. An event that is no
  /// meeting any more needs it, too: it may become one again.
  ///
  /// - Returns: The version; nil if none of both is a meeting, or if it has these revisions already.
  package func superseding() -> CalendarItem? {
    guard let after, after.isMeeting || before?.isMeeting == true else { return nil }
    let earlier = before?.components ?? []
    let highest = (earlier + after.components).map { SchedulingRevision(of: $0).sequence }.max()
    let next = (highest ?? 0) + (before == nil ? 2 : 1)
    let known = Set(earlier.map(\.withoutRevision))
    let sent = Dictionary(
      earlier.map { ($0[.recurrenceID], SchedulingRevision(of: $0).sequence) },
      uniquingKeysWith: max)
    let isWhole = before.map { !after.overridesLacking(of: $0).isEmpty } ?? true
    var components = after.components
    for (place, component) in components.enumerated() {
      let isChanged =
        !known.contains(component.withoutRevision) || isWhole && !component.isOverride
      let own = SchedulingRevision(of: component).sequence
      let sequence = isChanged ? next : max(own, sent[component[.recurrenceID]] ?? 0)
      guard sequence > own else { continue }
      components[place][.sequence] = Property(.sequence, rawValue: String(sequence))
    }
    guard components != after.components else { return nil }
    return try? after.replacing(components: components, timeZones: after.timeZones)
  }

  /// Whether attendees see the change.
  package var isVisible: Bool {
    guard let before, let after else { return before != nil || after != nil }
    return Set(before.components.map(\.withoutRevision))
      != Set(after.components.map(\.withoutRevision))
  }

  /// The original starts of the occurrences that the change removes one by one.
  private func excluded(from old: CalendarItem, to new: CalendarItem) -> [EventTime] {
    // The exclusions move with the start, and the REQUEST has all of them.
    guard old.main?[.dtStart] == new.main?[.dtStart] else { return [] }
    func times(_ item: CalendarItem) -> [EventTime] {
      guard let main = item.main else {
        return item.overrides.compactMap { Event($0).recurrenceID?.time }
      }
      return Event(main).recurrence.excludedDates
    }
    // An item with only overrides loses them; a series gets exclusions.
    let (before, after) = new.main == nil ? (times(new), times(old)) : (times(old), times(new))
    let known = Set(before)
    return after.filter { !known.contains($0) }
  }
}

extension CalendarItem {
  /// The item, if it is an event or a reminder with an organizer and other attendees.
  fileprivate var meeting: CalendarItem? { isMeeting ? self : nil }

  /// Whether the item is an event or a reminder with an organizer and other attendees.
  package var isMeeting: Bool {
    (kind == .event || kind == .reminder) && components.allSatisfy { $0[.organizer] != nil }
      && !guests.isEmpty
  }

  /// Whether the item is a meeting whose organizer has one of some addresses.
  package func isMeeting(organizedBy user: Set<CalendarAddress>) -> Bool {
    guard isMeeting, let organizer = components.first?[.organizer] else { return false }
    return CalendarAddress(organizer.rawValue).isAny(of: user)
  }

  /// The original starts of the occurrences that are changed in another version, and neither changed nor
  /// excluded here.
  fileprivate func overridesLacking(of other: CalendarItem) -> [EventTime] {
    func times(_ overrides: [Component]) -> [EventTime] {
      overrides.compactMap { Event($0).recurrenceID?.time }
    }
    let known = Set(times(overrides) + (main.map { Event($0).recurrence.excludedDates } ?? []))
    return times(other.overrides).filter { !known.contains($0) }
  }

  /// The attendees other than the organizer who are invited to the item as a whole.
  fileprivate var wholeGuests: Set<CalendarAddress> {
    guard let main else { return Set(guests) }
    let invited = Set(main.properties(named: .attendee).map(\.address))
    return Set(guests.filter { invited.contains($0) })
  }

  /// The attendees who are invited to single occurrences alone, by original start.
  fileprivate var occurrenceGuests: [(time: EventTime, guests: Set<CalendarAddress>)] {
    guard main != nil else { return [] }
    let single = Set(guests).subtracting(wholeGuests)
    guard !single.isEmpty else { return [] }
    return overrides.compactMap { override in
      let invited = Set(override.properties(named: .attendee).map(\.address))
      let own = single.intersection(invited)
      return own.isEmpty ? nil : Event(override).recurrenceID.map { ($0.time, own) }
    }
  }

  /// The addresses of the attendees other than the organizer, each once.
  fileprivate var guests: [CalendarAddress] {
    SchedulingMessage(.request, self).guests.map(\.address)
  }
}

extension Component {
  /// The component as attendees see it, without its revision and its exclusions.
  ///
  /// An exclusion has a message of its own.
  fileprivate func visible(at now: Instant) -> Component {
    var component = sent(at: now)
    component.properties.removeAll { $0.isNamed(.sequence) || $0.isNamed(.exDate) }
    return component
  }

  /// The component as attendees see it, without its revision.
  fileprivate var withoutRevision: Component {
    var component = sent(at: Instant(secondsSinceEpoch: 0))
    component.properties.removeAll { $0.isNamed(.sequence) }
    return component
  }
}

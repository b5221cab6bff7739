// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax

/// The messages of an organizer: REQUEST and CANCEL (RFC 5546 §3.2.2, §3.2.5).
///
/// ```swift
/// let invitation = try meeting.request(at: now)
/// let cancellation = try meeting.cancellation(for: .occurrence(start), at: now, zones: resolver)
/// ```
///
/// A message has what its receivers need: no alarms, no answers to earlier messages, no comments of
/// attendees, and no values of this library or of one calendar server. Its DTSTAMP is the time of the
/// message. SEQUENCE is that of the item, which ``ItemEditor`` increments.
extension CalendarItem {
  /// Creates the REQUEST that invites all attendees, or that informs them of a change.
  ///
  /// - Parameter now: The time of the message.
  /// - Returns: The message.
  /// - Throws: `SchedulingRefusal` if the item is not a meeting: it has no organizer or no attendees,
  ///   or is neither an event nor a reminder.
  public func request(at now: Instant) throws(SchedulingRefusal) -> SchedulingMessage {
    try request(of: components, at: now)
  }

  /// Creates the REQUEST with some of the components.
  func request(
    of components: [Component], at now: Instant
  ) throws(SchedulingRefusal) -> SchedulingMessage {
    try expectMeeting(components)
    return try message(.request, components.map { $0.sent(at: now) })
  }

  /// Creates the CANCEL for the item, or for one occurrence.
  ///
  /// Its SEQUENCE is higher than any of the cancelled components (RFC 5546 §2.1.4).
  ///
  /// - Parameters:
  ///   - span: The item as a whole, or an occurrence of the item before it is deleted.
  ///   - now: The time of the message.
  ///   - zones: Resolves the time zone of the occurrence.
  /// - Returns: The message.
  /// - Throws: `SchedulingRefusal` if the item is not a meeting, there is no such occurrence, or the
  ///   span is a part of a series, which a REQUEST with an earlier end of the series cancels.
  public func cancellation(
    for span: EditSpan = .all, at now: Instant, zones: ZoneResolver
  ) throws(SchedulingRefusal) -> SchedulingMessage {
    try expectMeeting(components)
    switch span {
    case .all:
      let cancelled = main.map { [$0] } ?? overrides
      let everyone = components.flatMap { $0.properties(named: .attendee) }
      let sequence = (components.map { SchedulingRevision(of: $0).sequence }.max() ?? 0) + 1
      return try message(
        .cancel, cancelled.map { $0.cancelled(for: everyone, sequence: sequence, at: now) })
    case .occurrence(let time):
      guard let component = occurrence(at: time, zones, now) else { throw .noOccurrence }
      let series = main.map { SchedulingRevision(of: $0).sequence } ?? 0
      let sequence = max(series, SchedulingRevision(of: component).sequence) + 1
      let guests = component.properties(named: .attendee)
      return try message(
        .cancel, [component.cancelled(for: guests, sequence: sequence, at: now)])
    case .future:
      throw .unsupported("the later part of a series is cancelled by a new end of the series")
    }
  }

  /// Creates the CANCEL that withdraws the invitations of some attendees.
  ///
  /// It has no STATUS, because the meeting takes place without them (RFC 5546 §3.2.5).
  ///
  /// - Parameters:
  ///   - attendees: The attendees in the item.
  ///   - now: The time of the message.
  /// - Returns: The message.
  /// - Throws: `SchedulingRefusal` if the item is not a meeting, or none of them is invited.
  public func withdrawal(
    of attendees: Set<CalendarAddress>, at now: Instant
  ) throws(SchedulingRefusal) -> SchedulingMessage {
    try expectMeeting(components)
    var parts: [Component] = []
    let whole = Set(main?.properties(named: .attendee).map(\.address) ?? [])
    let series = main.map { SchedulingRevision(of: $0).sequence } ?? 0
    for component in (main.map { [$0] } ?? []) + overrides {
      // The withdrawal of the series does not reach occurrences with a higher SEQUENCE. A higher one
      // for the series would exceed that of a later invitation.
      let sequence = SchedulingRevision(of: component).sequence
      let guests = component.properties(named: .attendee).filter { attendee in
        attendees.contains(attendee.address)
          && (!component.isOverride || sequence > series || !whole.contains(attendee.address))
      }
      guard !guests.isEmpty else { continue }
      var part = component.cancelled(for: guests, sequence: sequence, at: now)
      part[.status] = nil
      parts.append(part)
    }
    guard !parts.isEmpty else { throw .noAttendee }
    return try message(.cancel, parts)
  }

  private func expectMeeting(_ components: [Component]) throws(SchedulingRefusal) {
    guard kind == .event || kind == .reminder else { throw .otherMethod(kind) }
    guard !components.isEmpty, components.allSatisfy({ $0[.organizer] != nil }) else {
      throw .noOrganizer
    }
    guard components.contains(where: { !$0.guests.isEmpty }) else { throw .noAttendee }
  }

  /// The component of an occurrence with the values that the series has for it; nil if the series does
  /// not have the occurrence.
  func occurrence(
    at time: EventTime, _ zones: ZoneResolver, _ now: Instant
  ) -> Component? {
    let editor = ItemEditor(zones: zones, now: now) { uid }
    switch kind {
    case .reminder:
      let found: (content: Reminder, component: Component)? = editor.occurrence(at: time, of: self)
      return found?.component
    default:
      let found: (content: Event, component: Component)? = editor.occurrence(at: time, of: self)
      return found?.component
    }
  }

  private func message(
    _ method: SchedulingMethod, _ components: [Component]
  ) throws(SchedulingRefusal) -> SchedulingMessage {
    try SchedulingMessage(method, components, timeZones: timeZones)
  }
}

extension SchedulingMessage {
  /// Creates a message of components, with the definitions of the time zones that they use.
  init(
    _ method: SchedulingMethod, _ components: [Component], timeZones: [Component]
  ) throws(SchedulingRefusal) {
    let used = components.usedTimeZones
    do throws(ItemError) {
      self.init(
        method,
        try CalendarItem(
          components: components,
          timeZones: timeZones.filter { used.contains($0[.tzID]?.text ?? "") },
          calendarProperties: [
            Property(.version, rawValue: "2.0"),
            Property(.productID, rawValue: CalendarItem.productID),
            Property(.method, rawValue: method.rawValue),
          ]))
    } catch {
      throw .unsupported(error.message)
    }
  }

  /// The attendees to whom the organizer sends the message, each once.
  public var guests: [Attendee] {
    var known: Set<CalendarAddress> = []
    var guests: [Attendee] = []
    for component in item.components {
      let all = item.kind == .reminder ? Reminder(component).attendees : Event(component).attendees
      let organizer = component[.organizer]?.address
      guests += all.filter { attendee in
        organizer.map { !$0.isSamePerson(as: attendee.address) } ?? true
          && audience?.contains(attendee.address) ?? true
          && known.insert(attendee.address).inserted
      }
    }
    return guests
  }
}

extension Component {
  /// The attendees other than the organizer.
  fileprivate var guests: [Property] {
    let organizer = self[.organizer]?.address
    return properties(named: .attendee).filter { attendee in
      organizer.map { !$0.isSamePerson(as: attendee.address) } ?? true
    }
  }

  /// The component of a message: no alarms, no remarks of attendees, no state of one calendar.
  ///
  /// COMMENT and REQUEST-STATUS are those of attendees' answers.
  func sent(at now: Instant) -> Component {
    let dropped: Set<PropertyName> = [
      .comment, .requestStatus, .dtStamp, .created, .lastModified,
    ]
    var component = self
    component.components.removeAll { $0.name == .alarm }
    component.properties = PropertyList(
      properties.compactMap { property in
        if dropped.contains(property.name) || property.name.isOfOwnCalendar { return nil }
        guard property.isNamed(.attendee) || property.isNamed(.organizer) else { return property }
        return property.sent
      })
    component.insertStamp(now)
    return component
  }

  /// The cancellation of the component for some attendees.
  fileprivate func cancelled(
    for attendees: [Property], sequence: Int, at now: Instant
  ) -> Component {
    let kept: Set<PropertyName> = [
      .uid, .recurrenceID, .organizer, .dtStart, .dtEnd, .due, .duration, .summary, .location,
    ]
    var known: Set<CalendarAddress> = []
    var component = Component(name, properties: properties.filter { kept.contains($0.name) })
    for attendee in attendees where known.insert(attendee.address).inserted {
      component.properties.append(attendee)
    }
    component = component.sent(at: now)
    component[.sequence] = Property(.sequence, rawValue: String(sequence))
    component[.status] = Property(.status, rawValue: "CANCELLED")
    return component
  }

  /// Inserts the DTSTAMP of a message after the UID.
  mutating func insertStamp(_ now: Instant) {
    let place = properties.firstIndex { $0.isNamed(.uid) }.map { $0 + 1 } ?? 0
    properties.insert(PropertyCodec.instant.property(.dtStamp, now), at: place)
  }
}

extension Property {
  /// The ORGANIZER or ATTENDEE without parameters for the organizer's server and calendar (RFC 6638
  /// §7).
  var sent: Property {
    var property = self
    property.parameters.removeAll { parameter in
      let name = parameter.name
      return name == .scheduleAgent || name == .scheduleStatus || name == .scheduleForceSend
        || name.canonicalName.hasPrefix("X-EPACT-")
    }
    return property
  }
}

extension PropertyName {
  /// Whether the property is of this library, or the state of one user's alarms in another program.
  fileprivate var isOfOwnCalendar: Bool {
    ["X-EPACT-", "X-MOZ-LASTACK", "X-MOZ-SNOOZE-TIME"].contains { canonicalName.hasPrefix($0) }
  }
}

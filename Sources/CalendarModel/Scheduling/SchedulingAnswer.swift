// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax

/// The answer of an attendee to an invitation (RFC 5546 §3.2.3, §3.2.7).
///
/// ```swift
/// var answer = SchedulingAnswer(.accepted, by: CalendarAddress("mailto:ben@example.com"))
/// answer.comment = "With pleasure"
/// let reply = try answer.reply(to: meeting, at: now)
/// ```
///
/// An answer has the UID, the RECURRENCE-ID and the SEQUENCE of the invitation. Its DTSTAMP is the
/// time of the answer, by which the organizer orders the answers of an attendee.
public struct SchedulingAnswer: Hashable, Sendable {
  /// The address of the attendee, as in the invitation.
  public let attendee: CalendarAddress
  /// The answer.
  public let status: ParticipationStatus
  /// A comment for the organizer; nil for none.
  public var comment: String?
  /// The calendar user who acts for the attendee (SENT-BY, RFC 5545 §3.2.18); nil for none.
  public var agent: CalendarAddress?

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - status: The answer.
  ///   - attendee: The address of the attendee.
  public init(_ status: ParticipationStatus, by attendee: CalendarAddress) {
    self.status = status
    self.attendee = attendee
  }

  /// Creates the REPLY to an invitation.
  ///
  /// It answers each component that invites the attendee. Times keep their zones, whose definitions
  /// are part of the message.
  ///
  /// - Parameters:
  ///   - invitation: The item of the invitation.
  ///   - now: The time of the answer.
  /// - Returns: The message.
  /// - Throws: `SchedulingRefusal` if the attendee is not invited, or there is no organizer.
  public func reply(
    to invitation: CalendarItem, at now: Instant
  ) throws(SchedulingRefusal) -> SchedulingMessage {
    let replies = try components(of: invitation).map { reply(to: $0, at: now) }
    return try SchedulingMessage(.reply, replies, timeZones: invitation.timeZones)
  }

  /// Creates a COUNTER that proposes another time.
  ///
  /// - Parameters:
  ///   - invitation: The item of the invitation.
  ///   - start: The proposed start.
  ///   - end: The proposed end of an event or due time of a reminder; exclusive, as DTEND.
  ///   - now: The time of the answer.
  /// - Returns: The message.
  /// - Throws: `SchedulingRefusal` if the attendee is not invited, there is no organizer, or the
  ///   invitation is not for one event or one occurrence.
  public func counter(
    to invitation: CalendarItem, start: EventTime, end: EventTime, at now: Instant
  ) throws(SchedulingRefusal) -> SchedulingMessage {
    let components = try components(of: invitation)
    guard components.count == 1, let invited = components.first, invited[.rRule] == nil,
      invited[.rDate] == nil
    else {
      throw .unsupported("another time can be proposed for one event or one occurrence only")
    }
    var component = invited.sent(at: now)
    component.properties = PropertyList(
      component.properties.compactMap { property in
        switch property.name {
        case .attendee:
          property.address == attendee ? answered(property, keepsRSVP: true) : property
        case .duration: nil
        default: property
        }
      })
    component[.dtStart] = PropertyCodec.time.property(.dtStart, start)
    let ending: PropertyName = component.name == .reminder ? .due : .dtEnd
    component[ending] = PropertyCodec.time.property(ending, end)
    addComment(to: &component)
    return try SchedulingMessage(.counter, [component], timeZones: invitation.timeZones)
  }

  /// The components that invite the attendee.
  private func components(
    of invitation: CalendarItem
  ) throws(SchedulingRefusal) -> [Component] {
    let components = invitation.components.filter { component in
      component.properties(named: .attendee).contains { $0.address == attendee }
    }
    guard !components.isEmpty else { throw .unknownAttendee(attendee) }
    guard components.allSatisfy({ $0[.organizer] != nil }) else { throw .noOrganizer }
    return components
  }

  private func reply(to component: Component, at now: Instant) -> Component {
    let kept: Set<PropertyName> = [
      .uid, .recurrenceID, .sequence, .organizer, .dtStart, .dtEnd, .due, .duration, .summary,
      .location,
    ]
    var isAnswered = false
    var reply = Component(
      component.name,
      properties: component.properties.compactMap { property in
        if kept.contains(property.name) {
          return property.isNamed(.organizer) ? property.sent : property
        }
        guard !isAnswered, property.isNamed(.attendee), property.address == attendee else {
          return nil
        }
        isAnswered = true
        return answered(property, keepsRSVP: false)
      })
    reply.insertStamp(now)
    addComment(to: &reply)
    return reply
  }

  private func answered(_ property: Property, keepsRSVP: Bool) -> Property {
    var property = property
    property.parameters.removeAll { parameter in
      let name = parameter.name
      return name == .rsvp && !keepsRSVP || name == .scheduleAgent || name == .scheduleStatus
        || name == .scheduleForceSend || name.canonicalName.hasPrefix("X-")
    }
    property[.participationStatus] = status.rawValue
    property[.sentBy] = agent?.rawValue
    return property
  }

  private func addComment(to component: inout Component) {
    if let comment { component.properties.append(Property(.comment, text: comment)) }
  }
}

extension SchedulingMessage {
  /// The item with its METHOD, as the message is written.
  public var object: CalendarItem {
    var properties = calendarProperties
    properties.append(Property(.method, rawValue: method.rawValue))
    let object = try? CalendarItem(
      components: item.components, timeZones: item.timeZones, calendarProperties: properties)
    return object ?? item
  }
}

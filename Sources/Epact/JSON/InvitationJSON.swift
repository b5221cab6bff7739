// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import ICalSyntax

extension Invitation {
  /// The invitation as JSON.
  ///
  /// - Parameters:
  ///   - review: The comparison with the user's calendars.
  ///   - user: The attendee who is the user; nil if unknown.
  ///   - addresses: The user's addresses, by which the organizer is recognized.
  /// - Returns: The object.
  package func json(
    _ review: InvitationReview, user: Attendee?, addresses: Set<CalendarAddress> = []
  ) -> JSONValue {
    let isOrganizer = isOrganizer(among: addresses)
    let user = isOrganizer ? nil : user
    return [
      "uid": .string(item.uid.rawValue), "method": JSONValue(method?.rawValue),
      "component": .string(item.kind.rawValue), "summary": .string(item.title),
      "location": JSONValue(component[.location]?.text),
      "description": JSONValue(component[.descriptionText]?.text),
      "comment": JSONValue(component[.comment]?.text),
      "status": JSONValue(component[.status]?.text),
      "sequence": .integer(Self.content(of: component).sequence),
      "from": mail.authors.map { .array($0.map { .string($0.description) }) } ?? .null,
      "sender": JSONValue(mail.transmitter?.description),
      "organizer": organizer.map { .string($0.displayName) } ?? .null,
      "concerns": .array(review.concerns.map(\.json)),
      "you": JSONValue(isOrganizer ? organizer?.displayName : user?.displayName),
      "attendees": .array(
        attendees.map { attendee in
          [
            "name": .string(attendee.displayName),
            "status": .string(attendee.participationStatus.rawValue),
            "role": .string(attendee.role.rawValue),
          ]
        }),
      "occurrences": .array(review.occurrences.map { $0.span }),
      "copies": .array(
        review.copies.map { copy in
          [
            "calendar": .string(copy.calendar.name), "standing": .string(copy.standing.rawValue),
            "answer": JSONValue(user.flatMap { copy.answer(of: $0) }?.rawValue),
          ]
        }),
      "collisions": .array(review.collisions.map { $0.json }),
    ]
  }
}

extension SchedulingConcern {
  /// The concern with its words.
  var json: JSONValue { ["code": .string(code), "message": .string(description)] }
}

extension InvitationReview.Collision {
  fileprivate var json: JSONValue {
    [
      "occurrence": .string(occurrence.start.rfc3339), "uid": .string(other.uid.rawValue),
      "summary": .string(other.title), "start": .string(other.start.rfc3339),
      "end": .string(other.end.rfc3339), "calendar": .string(calendar),
    ]
  }
}

extension Occurrence {
  /// The times of the occurrence as JSON.
  fileprivate var span: JSONValue {
    [
      "start": .string(start.rfc3339), "end": .string(end.rfc3339),
      "recurrenceId": JSONValue(recurrenceID?.rfc3339),
    ]
  }
}

extension OutgoingMail {
  /// The mail as JSON.
  ///
  /// - Parameter isSent: Whether it was sent; otherwise the object has the complete mail.
  /// - Returns: The object.
  package func json(isSent: Bool) -> JSONValue {
    [
      "to": .array(recipients.map { .string($0.description) }), "subject": .string(subject),
      "method": JSONValue(calendar?.method), "sent": .bool(isSent),
      "mail": isSent ? .null : .string(String(decoding: bytes, as: UTF8.self)),
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact

/// Describes the effect of a scheduling message.
struct SchedulingText {
  private let method: SchedulingMethod
  private let place: String

  /// Creates the description of a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - place: The file and the line of the component.
  init(_ message: SchedulingMessage, place: String) {
    method = message.method
    self.place = place
  }

  /// The effect of a component of the message.
  func words(_ result: SchedulingResult) -> String {
    let occurrence = result.recurrenceID.map { " for the occurrence \($0)" } ?? ""
    return "\(method.rawValue)\(occurrence) in \(place): \(words(result.outcome))"
  }

  private func words(_ outcome: SchedulingOutcome) -> String {
    switch outcome {
    case .added: "new"
    case .updated(let change): words(change)
    case .unchanged: "the calendar has it already"
    case .stale(let stored, let incoming):
      if stored.sequence == incoming.sequence {
        "its DTSTAMP is \(incoming.stamp), the calendar has one with \(stored.stamp)"
      } else {
        "its SEQUENCE is \(incoming.sequence), the calendar has one with \(stored.sequence)"
      }
    case .informative: question
    case .refused(let refusal): words(refusal)
    }
  }

  private var question: String {
    switch method {
    case .refresh: "an attendee asks for the latest version; nothing is changed"
    case .counter: "an attendee proposes a change; nothing is changed"
    case .declineCounter: "the organizer declines a proposed change; nothing is changed"
    default: "it asks for busy time; nothing is changed"
    }
  }

  private func words(_ change: SchedulingChange) -> String {
    switch change {
    case .revised: "a new version"
    case .answered(let attendee, let status): "\(name(attendee)) answers \(status.rawValue)"
    case .cancelled: "cancelled"
    case .cancelledFuture: "cancelled from this occurrence on"
    case .uninvited(let attendees):
      "no longer invited: \(attendees.map(name).joined(separator: ", "))"
    case .occurrenceAdded(let isComplete):
      isComplete
        ? "an occurrence is added" : "an occurrence is added; revisions before it are missing"
    }
  }

  private func words(_ refusal: SchedulingRefusal) -> String {
    switch refusal {
    case .unknownMethod: "RFC 5546 defines no such method; nothing is changed"
    case .otherMethod(let kind): "RFC 5546 defines no such method for a \(kind.rawValue)"
    case .noItem: "the calendar has no item with this UID"
    case .otherKind(let stored): "this is the UID of a \(stored.rawValue)"
    case .noOccurrence: "the item has no such occurrence"
    case .noAttendee: "expected an ATTENDEE, found none"
    case .unknownAttendee(let attendee): "\(name(attendee)) is not invited"
    case .noStart: "expected a DTSTART that can be read"
    case .unsupported(let reason): reason
    }
  }

  private func name(_ attendee: CalendarAddress) -> String {
    attendee.email ?? attendee.rawValue
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
import ICalSyntax

/// An answer to an invitation: the mail to the organizer, and the change of the user's calendar.
///
/// ```swift
/// var answer = InvitationAnswer(.accepted, to: invitation, by: ada, at: machine.now())
/// answer.comment = "With pleasure"
/// try await answer.store(in: home, machine: machine)
/// let mail = try answer.mail(viewer: berlin, machine: machine)
/// ```
///
/// Nothing is sent; see ``MailCommand``.
public struct InvitationAnswer: Sendable {
  /// The invitation.
  public let invitation: Invitation
  /// The answer: accepted, tentative or declined.
  public let status: ParticipationStatus
  /// The attendee who answers.
  public let attendee: Attendee
  /// The time of the answer.
  public let time: Instant
  /// A comment for the organizer; nil for none.
  public var comment: String?
  /// Another time that the attendee proposes; nil for none.
  public var proposal: ProposedTime?

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - status: The answer.
  ///   - invitation: The invitation.
  ///   - attendee: The attendee who answers.
  ///   - time: The time of the answer.
  public init(
    _ status: ParticipationStatus, to invitation: Invitation, by attendee: Attendee,
    at time: Instant
  ) {
    self.status = status
    self.invitation = invitation
    self.attendee = attendee
    self.time = time
  }

  /// The message to the organizer: a REPLY, or a COUNTER with a proposal.
  ///
  /// - Parameters:
  ///   - viewer: The time zone of local times in the proposal.
  ///   - machine: The time zones and the clock.
  /// - Returns: The message.
  /// - Throws: `EpactError` if the invitation cannot be answered in this way.
  public func message(
    viewer: ZoneRules, machine: Machine
  ) throws(EpactError) -> SchedulingMessage {
    // The organizer needs definitions of all time zones in the message (RFC 5546 §3.2.3).
    let item = invitation.item.definingTimeZones(zones: machine.zoneResolver)
    var answer = SchedulingAnswer(status, by: attendee.address)
    answer.comment = comment
    do throws(SchedulingRefusal) {
      guard let proposal else { return try answer.reply(to: item, at: time) }
      let occurrences = invitation.occurrences(viewer: viewer, machine: machine)
      guard let occurrence = occurrences.first else {
        throw .unsupported("the invitation has no time that could be changed")
      }
      let times = try Result { () throws(EpactError) in
        try proposal.times(insteadOf: occurrence, viewer: viewer)
      }.mapError { SchedulingRefusal.unsupported($0.message) }.get()
      return try answer.counter(to: item, start: times.start, end: times.end, at: time)
    } catch {
      throw EpactError(
        proposal == nil ? .failed : .argument, "\(invitation.mail.label): \(Self.words(error))",
        subject: invitation.mail.label)
    }
  }

  private static func words(_ refusal: SchedulingRefusal) -> String {
    switch refusal {
    case .unsupported(let reason): reason
    case .noOrganizer: "expected an ORGANIZER, found none"
    default: "expected an invitation of the attendee, found none"
    }
  }

  /// The mail to the organizer.
  ///
  /// - Parameters:
  ///   - viewer: The time zone of local times in the proposal.
  ///   - machine: The time zones and the clock.
  /// - Returns: The mail.
  /// - Throws: `EpactError` if the invitation cannot be answered in this way, or the organizer or
  ///   the attendee has no mail address.
  public func mail(viewer: ZoneRules, machine: Machine) throws(EpactError) -> OutgoingMail {
    let message = try message(viewer: viewer, machine: machine)
    guard let organizer = invitation.organizer, let recipient = organizer.mailbox else {
      throw noMailAddress(
        "organizer", invitation.organizer?.displayName ?? "")
    }
    guard let sender = attendee.mailbox else {
      throw noMailAddress("attendee", attendee.displayName)
    }
    let words = AnswerWords(answer: self, message: message, viewer: viewer, machine: machine)
    var mail = OutgoingMail(from: sender, to: recipient, subject: words.subject)
    mail.time = time
    mail.text = words.body
    mail.inReplyTo = invitation.mail.messageID
    mail.references = invitation.mail.references
    mail.calendar = OutgoingMail.Calendar(message)
    return mail
  }

  private func noMailAddress(_ who: String, _ name: String) -> EpactError {
    EpactError(
      .failed, "\(invitation.mail.label): expected a mail address of the \(who), found \"\(name)\"",
      subject: invitation.mail.label)
  }

  /// Stores the event with the answer in a calendar, as an import that can be undone.
  ///
  /// The invitation and the answer are applied as messages: the calendar keeps a newer version, and
  /// answering again changes only the answer.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - historyDays: The number of days for which the history keeps runs.
  ///   - machine: The time zones, the clock, and the folder of the history.
  /// - Returns: Whether the calendar changed.
  /// - Throws: `EpactError` if the calendar has a newer version, or cannot be changed;
  ///   `StoreError`; `CancellationError`.
  @discardableResult
  public func store(
    in calendar: CalendarLocation, historyDays: Int = 30, machine: Machine
  ) async throws -> Bool {
    let answer = SchedulingAnswer(status, by: attendee.address)
    let reply: SchedulingMessage
    do throws(SchedulingRefusal) {
      reply = try answer.reply(to: invitation.item, at: time)
    } catch {
      throw EpactError(.failed, "\(invitation.mail.label): \(Self.words(error))")
    }
    let sources = [invitation.message, reply].map { message in
      FileSource.bytes(message.object.serialized(), label: invitation.mail.label)
    }
    var request = ImportRequest(sources: sources, into: calendar)
    request.historyDays = historyDays
    var reason: String?
    let summary = try await CalendarImport.run(request, machine: machine) { event in
      guard case .item(let item) = event, [.older, .rejected].contains(item.outcome) else { return }
      reason = reason ?? item.reason
    }
    if let reason {
      throw EpactError(.failed, "\(calendar.name): \(reason)", subject: calendar.path)
    }
    return summary[.added] + summary[.updated] > 0
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
import ICalSyntax

/// An answer to an invitation: the mail to the organizer, and the change of the user's calendar.
///
/// ```swift
/// var answer = InvitationAnswer(.accepted, to: invitation, by: ada, at: machine.now())
/// answer.comment = "With pleasure"
/// try await answer.store(in: home.location, machine: machine)
/// let mail = try answer.mail(viewer: berlin, machine: machine)
/// ```
///
/// Nothing is sent; see ``MailCommand``. An invitation with concerns is neither stored nor answered,
/// unless the user confirmed it (``isConfirmed``).
public struct InvitationAnswer: Sendable {
  /// The invitation.
  public let invitation: Invitation
  /// The answer: accepted, tentative or declined.
  public let status: ParticipationStatus
  /// The attendee who answers.
  public let attendee: Attendee
  /// The time of the answer.
  public let time: Instant
  /// The user's addresses; empty if the user is the attendee by their own word.
  ///
  /// If the attendee has none of them, the answer names the calendar user who acts for the attendee
  /// (SENT-BY).
  public var user: Set<CalendarAddress> = []
  /// A comment for the organizer; nil for none.
  public var comment: String?
  /// Another time that the attendee proposes; nil for none.
  public var proposal: ProposedTime?
  /// Whether the user confirmed the invitation in spite of ``InvitationReview/concerns``.
  public var isConfirmed = false
  /// Whether the user sends the mail, so that a server must not send the answer again.
  ///
  /// The organizer of a stored invitation then has SCHEDULE-AGENT=CLIENT (RFC 6638 §3.2.2.2).
  public var isSentByUser = false

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
    if status != .declined, let text = invitation.component.unreadableTimes.first {
      throw EpactError(
        .failed, "\(invitation.mail.label): the time cannot be read, \(text)",
        subject: invitation.mail.label)
    }
    // The organizer needs definitions of all time zones in the message (RFC 5546 §3.2.3).
    let item = invitation.item.definingTimeZones(zones: machine.zoneResolver)
    var answer = SchedulingAnswer(status, by: attendee.address)
    answer.comment = comment
    answer.agent = agent
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

  /// The calendar user who acts for the attendee, if the user is not the attendee.
  private var agent: CalendarAddress? {
    guard let agent = attendee.sentBy, !attendee.isAny(of: user) else { return nil }
    return agent.isAny(of: user) ? agent : nil
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
    try expectConfirmed(invitation.concerns(about: nil, machine: machine))
    let message = try message(viewer: viewer, machine: machine)
    guard let organizer = invitation.organizer, let recipient = organizer.mailbox else {
      throw noMailAddress(
        "organizer", invitation.organizer?.displayName ?? "")
    }
    guard let sender = sender else {
      throw noMailAddress("attendee", attendee.displayName)
    }
    let words = AnswerWords(answer: self, message: message, viewer: viewer, machine: machine)
    var mail = OutgoingMail(from: sender, to: [recipient], subject: words.subject)
    mail.time = time
    mail.text = words.body
    mail.inReplyTo = invitation.mail.messageID
    mail.references = invitation.mail.references
    mail.calendar = OutgoingMail.Calendar(message)
    return mail
  }

  /// The mailbox of the user: the attendee, or the calendar user who acts for the attendee.
  private var sender: Mailbox? {
    if let agent { return Mailbox(agent, name: nil) }
    let own = attendee.addresses.first { $0.isAny(of: user) }
    return own.flatMap { Mailbox($0, name: attendee.commonName) } ?? attendee.mailbox
  }

  private func expectConfirmed(_ concerns: [SchedulingConcern]) throws(EpactError) {
    guard !isConfirmed, !concerns.isEmpty else { return }
    throw EpactError(unconfirmed: concerns, in: invitation.mail.label)
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
  /// - Throws: `EpactError` if the calendar has a newer version or cannot be changed, or if the
  ///   invitation has concerns that the user did not confirm; `StoreError`; `CancellationError`.
  @discardableResult
  public func store(
    in calendar: CalendarLocation, historyDays: Int = 30, machine: Machine
  ) async throws -> Bool {
    try await stored(in: calendar, historyDays: historyDays, machine: machine) != nil
  }

  /// Stores the event with the answer, as ``store(in:historyDays:machine:)`` does.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - historyDays: The number of days for which the history keeps runs.
  ///   - machine: The clock and the time zones.
  /// - Returns: The stored event; nil if the calendar has the answer already.
  /// - Throws: The errors of ``store(in:historyDays:machine:)``.
  package func stored(
    in calendar: CalendarLocation, historyDays: Int, machine: Machine
  ) async throws -> ImportedItem? {
    let copy = try await InvitationReview.item(
      invitation.item.uid, ifPresentIn: calendar, machine)
    try expectConfirmed(invitation.concerns(about: copy, machine: machine))
    var answer = SchedulingAnswer(status, by: attendee.address)
    answer.agent = agent
    let reply: SchedulingMessage
    do throws(SchedulingRefusal) {
      reply = try answer.reply(to: invitation.item, at: time)
    } catch {
      throw EpactError(.failed, "\(invitation.mail.label): \(Self.words(error))")
    }
    // The concerns of the invitation are decided, and the reply is the user's own.
    let request = isSentByUser ? invitation.message.scheduledByClient : invitation.message
    let sources = [request, reply].map { message in
      ImportSource(
        .bytes(message.object.serialized(), label: invitation.mail.label),
        origin: SchedulingOrigin(isConfirmed: true))
    }
    var importing = ImportRequest(sources: sources, into: calendar)
    importing.historyDays = historyDays
    var (reason, stored): (String?, ImportedItem?)
    _ = try await CalendarImport.run(importing, machine: machine) { event in
      guard case .item(let item) = event else { return }
      switch item.outcome {
      case .older, .rejected: reason = reason ?? item.reason
      case .added, .updated: stored = stored ?? item
      case .unchanged, .noted: break
      }
    }
    if let reason {
      throw EpactError(.failed, "\(calendar.name): \(reason)", subject: calendar.path)
    }
    return stored
  }
}

extension SchedulingMessage {
  /// The message with SCHEDULE-AGENT=CLIENT for the organizer (RFC 6638 §3.2.2.2).
  fileprivate var scheduledByClient: SchedulingMessage {
    let components = item.components.map { component in
      var copy = component
      copy.properties = PropertyList(
        component.properties.map { property in
          guard property.isNamed(.organizer) else { return property }
          var organizer = property
          organizer[.scheduleAgent] = "CLIENT"
          return organizer
        })
      return copy
    }
    let marked = try? item.replacing(components: components, timeZones: item.timeZones)
    return marked.map { SchedulingMessage(method, $0) } ?? self
  }
}

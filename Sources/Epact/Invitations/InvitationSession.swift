// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime

/// The handling of invitations with the user's calendars and addresses.
package struct InvitationSession {
  /// The event that an answer stored.
  package enum Storing {
    case stored(ImportedItem, in: CalendarLocation)
    /// The calendar has the answer already.
    case unchanged(in: CalendarLocation)
  }

  /// The configuration with the user's addresses.
  package let configuration: Configuration
  package let viewer: ZoneRules
  private let machine: Machine
  private let calendars: InvitationCalendars
  private let hasChosenCalendar: Bool
  /// The address that the user chose; nil for none.
  private let address: String?
  /// Reports the problems of files.
  package var report: (FileEvent) -> Void = { _ in }

  /// Takes the calendars of a library.
  ///
  /// - Parameters:
  ///   - library: The calendars of the configuration.
  ///   - configuration: The configuration.
  ///   - calendar: The calendar that the user chose; nil for none.
  ///   - address: The address that the user chose; nil for none.
  ///   - viewer: The viewer's time zone.
  /// - Throws: `LibraryError` if the configuration is invalid.
  package init(
    _ library: CalendarLibrary, _ configuration: Configuration, in calendar: CalendarLocation?,
    as address: String?, viewer: ZoneRules
  ) throws {
    (self.configuration, self.viewer, self.address) = (configuration, viewer, address)
    machine = library.machine
    calendars = try InvitationCalendars(library, chosen: calendar)
    hasChosenCalendar = calendar != nil
  }

  /// The user's addresses, with the chosen one.
  package var addresses: Set<CalendarAddress> {
    let chosen = address.map { CalendarAddress($0.contains(":") ? $0 : "mailto:\($0)") }
    return configuration.knownAddresses.union([chosen].compactMap(\.self))
  }

  /// Reads a mail or a calendar file.
  package func read(_ file: String) throws -> ReceivedMail {
    try ReceivedMail(reading: FileSource(path: file), report: report)
  }

  /// Compares an invitation with the user's calendars.
  package func review(
    _ invitation: Invitation, for user: Attendee?
  ) async throws -> InvitationReview {
    var request = ReviewRequest(calendars.all, viewer: viewer)
    request.user = configuration.knownAddresses
    if let user { request.user.insert(user.address) }
    return try await InvitationReview(of: invitation, request, machine: machine, report: report)
  }

  /// The attendee who is the user.
  ///
  /// - Parameters:
  ///   - invitation: The invitation.
  ///   - choose: Asks the user if several attendees have an address of the user, or if no address of
  ///     the user is known; nil if the user cannot be asked.
  /// - Returns: The attendee.
  /// - Throws: `EpactError` if the attendee is not known; the errors of `choose`.
  package func user(
    of invitation: Invitation, _ choose: (([Attendee]) throws -> Attendee)?
  ) throws -> Attendee {
    let known = configuration.knownAddresses
    let candidates = invitation.candidates(for: known)
    guard let choose, address == nil, candidates.count > (known.isEmpty ? 0 : 1),
      invitation.mail.label != "-"
    else { return try invitation.attendee(as: address, addresses: known) }
    return try choose(candidates)
  }

  /// Stores the event of an answer.
  ///
  /// - Returns: The event; nil if it was declined, and is neither stored nor in a chosen calendar.
  /// - Throws: `EpactError` if a server sends the answer of the user; the errors of
  ///   ``InvitationAnswer/store(in:historyDays:machine:)``.
  package func store(
    _ answer: InvitationAnswer, _ review: InvitationReview
  ) async throws -> Storing? {
    guard answer.status != .declined || !review.copies.isEmpty || hasChosenCalendar else {
      return nil
    }
    let calendar = try calendars.destination(
      of: answer.invitation.item.kind, with: review.copies)
    if answer.isSentByUser, !review.copies.isEmpty,
      let sync = configuration.syncThatAnswers(for: calendar)
    {
      throw EpactError(
        .argument, "\(calendar.name): the server of the sync \(sync) sends the answer itself",
        subject: sync, remedy: .leaveAnswer(sync: sync))
    }
    let stored = try await answer.stored(
      in: calendar, historyDays: configuration.historyDays, machine: machine)
    return stored.map { .stored($0, in: calendar) } ?? .unchanged(in: calendar)
  }
}

// SPDX-License-Identifier: Apache-2.0

package import CalendarModel

/// How the attendees of the user's own meetings are informed of an edit.
package struct MeetingNotice: Sendable {
  /// The address of the organizer that the user chose; nil for none.
  package let address: CalendarAddress?
  /// A comment for the attendees; nil for none.
  package let comment: String?
  /// Whether the messages are sent, instead of printed.
  package let isSent: Bool

  /// Creates a notice.
  ///
  /// - Throws: `EpactError` if the address is not one.
  package init(as address: String?, comment: String?, isSent: Bool) throws(EpactError) {
    self.address = try address.map { text throws(EpactError) in try CalendarAddress(parsing: text) }
    (self.comment, self.isSent) = (comment, isSent)
  }

  /// The mails for an undo or a redo, which is made already; empty if a server sends the messages.
  ///
  /// - Throws: `EpactError` if they cannot be written.
  package func mails(for undo: UndoOutcome, _ editor: LibraryEditor) throws -> [OutgoingMail] {
    var meetings = try MeetingMails(for: undo, editor)
    meetings.comment = comment
    return try meetings.scheduler() == nil ? meetings.all() : []
  }

  /// The people of a meeting.
  ///
  /// - Parameters:
  ///   - invited: The attendees to invite.
  ///   - withdrawn: The attendees to remove.
  ///   - library: The configuration with the addresses of the user.
  /// - Returns: The organizer and the attendees; nil if none is invited or removed.
  /// - Throws: `EpactError` if an address is invalid, or if that of the user is not known.
  package func people(
    inviting invited: [String], withdrawing withdrawn: [String] = [], in library: CalendarLibrary
  ) throws -> MeetingDetails? {
    guard !invited.isEmpty || !withdrawn.isEmpty else { return nil }
    let known = try library.userAddresses()
    guard let own = address ?? (known.count == 1 ? known.first : nil) else {
      throw EpactError(
        .argument, "expected one address of the organizer, found \(known.count)",
        remedy: .other(
          "Choose it with --as ADDRESS, or add addresses = [\"ADDRESS\"] to the configuration."))
    }
    let guests = try invited.map { text throws(EpactError) -> Attendee in
      var attendee = try Attendee(parsing: text)
      attendee.expectsReply = true
      if isSent { attendee.scheduleAgent = .client }
      return attendee
    }
    return MeetingDetails(
      by: Organizer(own), guests,
      withdrawing: try withdrawn.map { text throws(EpactError) in
        try Attendee(parsing: text).address
      })
  }
}

extension CalendarLibrary {
  /// The program that sends mails.
  ///
  /// - Throws: `EpactError` if the configuration names none; `LibraryError` if it is invalid.
  package var mailCommand: MailCommand {
    get throws { try MailCommand(try configuration().sendmailCommand, machine: machine) }
  }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole

/// How the attendees of the user's own meetings are informed of an edit.
struct MeetingOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Be the organizer with this address. By default it is the one of addresses in the "
        + "configuration.", valueName: "address"))
  var address: String?

  @Option(help: ArgumentHelp("Add a comment for the attendees.", valueName: "text"))
  var comment: String?

  @Flag(
    help: ArgumentHelp(
      "Send the messages to attendees with the sendmail-command of the configuration, instead of "
        + "printing them."))
  var send = false

  /// The address that the user chose; nil for none.
  ///
  /// - Throws: `EpactError` if it is not an address.
  func chosenAddress() throws(EpactError) -> CalendarAddress? {
    guard let address else { return nil }
    return try CalendarAddress(parsing: address)
  }

  /// The mails for an edit.
  ///
  /// - Throws: `Failure` if they are to be sent, but the edit changes no meeting of the user;
  ///   `EpactError` if a server sends them, or they cannot be written.
  func mails(for edit: PreparedEdit, _ session: EditSession) throws -> [OutgoingMail] {
    let meetings = prepared(try MeetingMails(for: edit, session.editor))
    guard !send || edit.isEmpty || meetings.isOfOrganizer else {
      throw Failure(
        .usage, "--send is for meetings of yours with attendees",
        hint: "Name yourself with --as ADDRESS, or add addresses = [\"ADDRESS\"] to the "
          + "configuration.")
    }
    if let address = try chosenAddress(), let own = meetings.organizer(otherThan: address) {
      throw Failure(.usage, "the organizer is \(own), and --as names another one")
    }
    if let sync = try meetings.scheduler() {
      guard !send else {
        throw EpactError(
          .argument, "the server of the sync \(sync) sends the messages itself", subject: sync,
          remedy: .other("Omit --send."))
      }
      return []
    }
    return try meetings.all()
  }

  /// The mails for an undo or a redo, which is made already; empty if a server sends the messages.
  ///
  /// - Throws: `EpactError` if they cannot be written.
  func mails(for undo: UndoOutcome, _ editor: LibraryEditor) throws -> [OutgoingMail] {
    let meetings = prepared(try MeetingMails(for: undo, editor))
    return try meetings.scheduler() == nil ? meetings.all() : []
  }

  private func prepared(_ meetings: MeetingMails) -> MeetingMails {
    var meetings = meetings
    meetings.comment = comment
    return meetings
  }
}

/// The attendees to invite.
struct InviteOptions: ParsableArguments {
  @Option(
    name: .customLong("invite"),
    help: ArgumentHelp(
      "Invite this attendee, such as ana@example.org or \"Ana <ana@example.org>\" (repeatable).",
      valueName: "address"))
  var invited: [String] = []

  /// The people of the meeting that the options name.
  ///
  /// - Parameters:
  ///   - options: How attendees are informed, with the address of the user.
  ///   - session: The calendars.
  ///   - withdrawn: The attendees to remove.
  /// - Returns: The organizer and the attendees; nil if none is invited or removed.
  /// - Throws: `EpactError` if an address is invalid; `Failure` if that of the user is not known.
  func invitation(
    _ options: MeetingOptions, _ session: EditSession, withdrawing withdrawn: [String] = []
  ) throws -> MeetingDetails? {
    guard !invited.isEmpty || !withdrawn.isEmpty else { return nil }
    let known = try session.library.userAddresses()
    let own: CalendarAddress
    if let address = try options.chosenAddress() {
      own = address
    } else if let only = known.first, known.count == 1 {
      own = only
    } else {
      throw Failure(
        .usage, "expected one address of the organizer, found \(known.count)",
        hint: "Choose it with --as ADDRESS, or add addresses = [\"ADDRESS\"] to the configuration.")
    }
    let guests = try invited.map { text throws(EpactError) -> Attendee in
      var attendee = try Attendee(parsing: text)
      attendee.expectsReply = true
      if options.send { attendee.scheduleAgent = .client }
      return attendee
    }
    return MeetingDetails(
      by: Organizer(own), guests,
      withdrawing: try withdrawn.map { text throws(EpactError) in
        try Attendee(parsing: text).address
      })
  }
}

/// The attendees to remove.
struct WithdrawalOptions: ParsableArguments {
  @Option(
    name: .customLong("uninvite"),
    help: ArgumentHelp(
      "Remove this attendee, who gets a cancellation (repeatable).", valueName: "address"))
  var withdrawn: [String] = []
}

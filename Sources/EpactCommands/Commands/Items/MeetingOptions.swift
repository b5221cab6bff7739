// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact

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

  /// The choices of the options.
  ///
  /// - Throws: `EpactError` if the address is not one.
  var notice: MeetingNotice {
    get throws { try MeetingNotice(as: address, comment: comment, isSent: send) }
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
}

/// The attendees to remove.
struct WithdrawalOptions: ParsableArguments {
  @Option(
    name: .customLong("uninvite"),
    help: ArgumentHelp(
      "Remove this attendee, who gets a cancellation (repeatable).", valueName: "address"))
  var withdrawn: [String] = []
}

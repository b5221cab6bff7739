// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import CalendarModel
import CivilTime
import Epact
import EpactConsole

/// `epact invitation`: shows, answers and applies the scheduling messages of mails.
struct InvitationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invitation",
    abstract: "Show, answer and apply invitations from mails.",
    discussion: """
      Reads a mail or an iCalendar file with scheduling messages (RFC 5546, RFC 6047). A mail is \
      read with all its parts; - is standard input. Nothing is sent unless --send is given.

      In mutt, bind keys to an open message, with the whole message and not a decoded one:

        set pipe_decode=no
        macro index,pager ,i "<pipe-message>epact invitation -<enter>"
        macro index,pager ,y "<pipe-message>epact invitation accept --send -<enter>"
        macro index,pager ,n "<pipe-message>epact invitation decline --send -<enter>"

      In aerc:

        [messages]
        ,i = :pipe -m epact invitation -<Enter>
        ,y = :pipe -m epact invitation accept --send -<Enter>
      """,
    subcommands: [
      InvitationShow.self, InvitationAccept.self, InvitationTentative.self, InvitationDecline.self,
      InvitationApply.self,
    ], defaultSubcommand: InvitationShow.self)
}

/// The options by which an invitation is compared with the user's calendars.
struct InvitationArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A mail, an iCalendar file, or - for standard input.", valueName: "file"),
    completion: .file())
  var file: String

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Be the attendee with this address. By default it is one of addresses in the configuration.",
      valueName: "address"))
  var address: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Use this calendar: a name of the configuration, a folder, or a file that ends in .ics. By "
        + "default it is the one that has the event, or the one for new events.",
      valueName: "calendar"), completion: .calendars)
  var calendar: String?

  @OptionGroup var zone: ZoneOption
}

extension Context {
  /// The handling of invitations.
  func invitationSession(_ invitation: InvitationArguments) throws -> InvitationSession {
    let configuration = try configuration()
    let viewer = try viewerZone(invitation.zone.name)
    var session = try InvitationSession(
      library, configuration, in: try invitation.calendar.map { try arguments.location($0) },
      as: invitation.address, viewer: viewer)
    session.report = { [console] in console.report($0) }
    return session
  }
}

/// `epact invitation show`.
struct InvitationShow: Command {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show who invites, when and where, and which events collide.",
    discussion: """
      Shows each message of a mail with the attendees and their answers, the copies of the event \
      in the user's calendars, and the user's events that overlap with it within a year. Transparent, \
      cancelled and declined events do not collide. Nothing is written.
      """)

  @OptionGroup var arguments: InvitationArguments

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let session = try context.invitationSession(arguments)
    let mail = try session.read(arguments.file)
    let invitations = mail.messages.compactMap { Invitation($0, of: mail) }
    guard !invitations.isEmpty else {
      throw Failure(.nothingDone, "\(mail.label): expected a scheduling message, found none")
    }
    var values: [JSONValue] = []
    for (number, invitation) in invitations.enumerated() {
      let user = try? invitation.attendee(
        as: arguments.address, addresses: session.configuration.knownAddresses)
      let review = try await session.review(invitation, for: user)
      if json {
        values.append(invitation.json(review, user: user, addresses: session.addresses))
        continue
      }
      if number > 0 { context.console.show("") }
      var page = try InvitationPage(
        locale: context.machine.dateLocale, viewer: session.viewer, user: user,
        addresses: session.addresses)
      context.console.show(try page.lines(of: invitation, review))
    }
    if json {
      context.console.write(["file": .string(mail.label), "messages": .array(values)])
    }
    return .done
  }
}

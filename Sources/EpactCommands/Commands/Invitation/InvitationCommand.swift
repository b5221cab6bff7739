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

/// An invitation in its surroundings: the user's calendars and the time zone.
struct InvitationScene {
  let context: Context
  let configuration: Configuration
  let viewer: ZoneRules
  let calendars: InvitationCalendars
  /// The address that the user chose; nil for none.
  let address: String?

  /// The user's addresses, with the chosen one.
  var addresses: Set<CalendarAddress> {
    let chosen = address.map { CalendarAddress($0.contains(":") ? $0 : "mailto:\($0)") }
    return configuration.knownAddresses.union([chosen].compactMap(\.self))
  }

  /// Reads the configuration.
  ///
  /// - Throws: `Failure`; `ConfigurationError`; `EpactError`.
  init(_ arguments: InvitationArguments, _ context: Context) throws {
    self.context = context
    configuration = try context.configuration()
    viewer = try context.viewerZone(arguments.zone.name)
    calendars = try context.invitationCalendars(chosen: arguments.calendar)
    address = arguments.address
  }

  /// Reads a mail or a calendar file.
  func read(_ file: String) throws -> ReceivedMail {
    try ReceivedMail(reading: FileSource(path: file)) { context.console.report($0) }
  }

  /// Compares an invitation with the user's calendars.
  func review(_ invitation: Invitation, for user: Attendee?) async throws -> InvitationReview {
    var request = ReviewRequest(calendars.all, viewer: viewer)
    request.user = configuration.knownAddresses
    if let user { request.user.insert(user.address) }
    return try await InvitationReview(of: invitation, request, machine: context.machine) {
      context.console.report($0)
    }
  }

  /// The attendee who is the user; asks on a terminal if several have an address of the user, or if
  /// no address of the user is known.
  func user(of invitation: Invitation) throws -> Attendee {
    let known = configuration.knownAddresses
    let candidates = invitation.candidates(for: known)
    guard address == nil, candidates.count > (known.isEmpty ? 0 : 1), context.console.canAsk,
      invitation.mail.label != "-"
    else {
      return try invitation.attendee(as: address, addresses: known)
    }
    for (number, attendee) in candidates.enumerated() {
      context.console.report("  \(number + 1)  \(attendee.displayName)")
    }
    let numbers = candidates.count == 1 ? "1" : "1–\(candidates.count)"
    let answer = try context.console.answer(to: "Which attendee are you? [\(numbers)]")
    guard let number = answer.flatMap({ Int($0) }), candidates.indices.contains(number - 1) else {
      throw Failure(.usage, "expected one of the numbers; nothing was done")
    }
    return candidates[number - 1]
  }
}

extension Context {
  /// The calendars for invitations.
  ///
  /// - Throws: `Failure` or `ConfigurationError`.
  func invitationCalendars(chosen: String?) throws -> InvitationCalendars {
    let file = configurationFile
    let library = CalendarLibrary(
      machine: machine, configuration: file.isExplicit ? file.path : nil)
    return try InvitationCalendars(library, chosen: try chosen.map { try arguments.location($0) })
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
    let scene = try InvitationScene(arguments, context)
    let mail = try scene.read(arguments.file)
    let invitations = mail.messages.compactMap { Invitation($0, of: mail) }
    guard !invitations.isEmpty else {
      throw Failure(.nothingDone, "\(mail.label): expected a scheduling message, found none")
    }
    var values: [JSONValue] = []
    for (number, invitation) in invitations.enumerated() {
      let user = try? invitation.attendee(
        as: arguments.address, addresses: scene.configuration.knownAddresses)
      let review = try await scene.review(invitation, for: user)
      if json {
        values.append(invitation.json(review, user: user, addresses: scene.addresses))
        continue
      }
      if number > 0 { context.console.show("") }
      var page = try InvitationPage(
        locale: context.machine.dateLocale, viewer: scene.viewer, user: user,
        addresses: scene.addresses)
      for line in try page.lines(of: invitation, review) { context.console.show(line) }
    }
    if json {
      context.console.write(["file": .string(mail.label), "messages": .array(values)])
    }
    return .done
  }
}

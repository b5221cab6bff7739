// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import CalendarFiles
import CalendarModel
public import Epact
import EpactConsole

/// The options of all answers.
struct AnswerArguments: ParsableArguments {
  @OptionGroup var invitation: InvitationArguments

  @Option(help: ArgumentHelp("Add a comment for the organizer.", valueName: "text"))
  var comment: String?

  @Flag(
    help: "Send the answer with the sendmail-command of the configuration, instead of printing it.")
  var send = false

  @Flag(name: .customLong("no-calendar"), help: "Write no calendar, only the answer.")
  var isReplyOnly = false

  @OptionGroup var trust: TrustOption

  func validate() throws {
    guard !isReplyOnly || invitation.calendar == nil else {
      throw ValidationError("--no-calendar and --in exclude each other")
    }
  }

  /// Answers the invitation: changes the calendar, then prints or sends the mail.
  ///
  /// The mail is prepared first, so that an invitation that cannot be answered changes nothing. An
  /// invitation with concerns is answered only if the user confirms it.
  ///
  /// - Throws: `Failure`; errors of the front.
  func answer(
    _ status: ParticipationStatus, proposing proposal: ProposedTime? = nil, in context: Context
  ) async throws -> ExitStatus {
    let console = context.console
    let session = try context.invitationSession(invitation)
    let command = try send ? context.library.mailCommand : nil
    let message = try Invitation(answerableIn: try session.read(invitation.file))
    let user = try session.user(
      of: message, console.canAsk ? { try console.choose(among: $0) } : nil)
    var answer = InvitationAnswer(status, to: message, by: user, at: context.machine.now())
    answer.comment = comment
    answer.proposal = proposal
    answer.user = session.addresses
    answer.isSentByUser = send
    let review = try await session.review(message, for: user)
    if !review.concerns.isEmpty, !trust.trustsSender {
      try console.expectTrust(in: message, review.concerns)
    }
    answer.isConfirmed = true
    let mail = try answer.mail(viewer: session.viewer, machine: context.machine)
    if let newer = review.copies.first(where: { $0.standing == .outdated }) {
      throw Failure(
        .nothingDone,
        "\(message.mail.label): \(newer.calendar.name) has a newer version of the invitation")
    }
    switch isReplyOnly ? nil : try await session.store(answer, review) {
    case nil:
      console.note(
        "No calendar has this answer, and \(SuggestedCommand.undo) does not take it back.")
    case .unchanged(let calendar): console.note("\(calendar.name) has the answer already.")
    case .stored(let item, let calendar):
      let editor = LibraryEditor(context.library, viewer: session.viewer)
      console.note(editor.lines(of: answer, stored: item, in: calendar.name))
    }
    if let command { try console.send(mail, with: command) } else { console.write(mail.bytes) }
    return .done
  }
}

/// The option `--propose`.
struct ProposalOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Propose another time: a start, or a start and an end, such as "
        + "\"2026-11-01T09:00 2026-11-01T10:00\". The end of whole days is the last day.",
      valueName: "time"))
  var propose: ProposedTime?
}

extension ProposedTime: ExpressibleByArgument {
  /// Parses the argument; nil if it is no date and no time.
  public init?(argument: String) {
    guard let proposal = try? ProposedTime(parsing: argument) else { return nil }
    self = proposal
  }
}

/// `epact invitation accept`.
struct InvitationAccept: Command {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Accept an invitation.",
    discussion: """
      Stores the event with the answer in a calendar, and prints the answer as a complete mail to \
      the organizer. With --send, the mail is sent instead. The change of the calendar is a run in \
      `epact history`, and `epact undo` undoes it.
      """)

  @OptionGroup var arguments: AnswerArguments

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try await arguments.answer(.accepted, in: context)
  }
}

/// `epact invitation tentative`.
struct InvitationTentative: Command {
  static let configuration = CommandConfiguration(
    commandName: "tentative", abstract: "Accept an invitation tentatively.",
    discussion: """
      Works like accept. With --propose, the mail proposes another time to the organizer \
      (COUNTER), who decides; the event in the calendar keeps its time until the organizer changes it.
      """)

  @OptionGroup var arguments: AnswerArguments

  @OptionGroup var proposal: ProposalOption

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try await arguments.answer(.tentative, proposing: proposal.propose, in: context)
  }
}

/// `epact invitation decline`.
struct InvitationDecline: Command {
  static let configuration = CommandConfiguration(
    commandName: "decline", abstract: "Decline an invitation.",
    discussion: """
      Works like accept, but adds the event to no calendar unless --in names one. An event that is \
      stored already gets the answer. With --propose, the mail proposes another time to the \
      organizer (COUNTER).
      """)

  @OptionGroup var arguments: AnswerArguments

  @OptionGroup var proposal: ProposalOption

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try await arguments.answer(.declined, proposing: proposal.propose, in: context)
  }
}

/// `epact invitation apply`: applies the messages of mails to the user's calendars.
struct InvitationApply: Command {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply the messages of mails to calendars.",
    discussion: """
      Applies each message to the event that it concerns, by SEQUENCE and DTSTAMP, as `epact \
      import` does: REQUEST and PUBLISH store a newer version, REPLY changes the answer of one \
      attendee, ADD adds an occurrence, CANCEL cancels. REFRESH, COUNTER and DECLINECOUNTER need a \
      decision of the user; they are reported and change nothing. An older message changes \
      nothing. A message that cannot be applied is rejected, and the status is 1.

      A message is rejected if the mail is not from the person who may send it, or if the calendar \
      has another organizer; see --trust-sender.
      """)

  @Argument(
    help: ArgumentHelp("Mails, iCalendar files, or - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Use this calendar: a name of the configuration, a folder, or a file that ends in .ics. By "
        + "default it is the one that has the event, or the one for new events.",
      valueName: "calendar"), completion: .calendars)
  var calendar: String?

  @OptionGroup var trust: TrustOption

  @Flag(name: .customLong("dry-run"), help: "Print the changes, and write nothing.")
  var isDryRun = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let calendars = try InvitationCalendars(
      context.library, chosen: try calendar.map { try context.arguments.location($0) })
    let historyDays = try context.configuration().historyDays
    context.warnAboutFallback()
    let mails = try files.map { file in
      // The import reports the problems of the calendars.
      try ReceivedMail(reading: FileSource(path: file)) { _ in }
    }
    let destinations = try await calendars.destinations(of: mails)
    let label = destinations.count == 1 ? destinations.first?.calendar.name : nil
    var report = try context.importReport(into: label, isDryRun: isDryRun, asJSON: json)
    for (calendar, sources) in destinations {
      var request = ImportRequest(sources: sources, into: calendar, isDryRun: isDryRun)
      request.historyDays = historyDays
      request.isConfirmed = trust.trustsSender
      request.userAddresses = try context.library.userAddresses()
      report = try await context.run(request, for: report)
    }
    return context.end(report)
  }
}

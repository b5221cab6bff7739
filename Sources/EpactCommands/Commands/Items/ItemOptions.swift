// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole

/// The values that new and edited items have in common.
struct ItemOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Set the location.", valueName: "place"))
  var at: String?

  @Option(help: ArgumentHelp("Set the description.", valueName: "text"))
  var note: String?

  @Option(help: ArgumentHelp("Set the address of a page about it.", valueName: "url"))
  var url: String?

  @Option(
    name: .customLong("category"),
    help: ArgumentHelp(
      "Set a category, or several that commas separate (repeatable).", valueName: "word"))
  var categories: [String] = []

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp(
      "Set who may see it: public, private or confidential.", valueName: "class"),
    completion: .list(["public", "private", "confidential"]))
  var classification: String?

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Repeat it: daily, weekly, monthly, yearly, weekdays, \"every 2 weeks\", \"every mon and "
        + "thu\", \"every last friday of the month\", a rule such as FREQ=MONTHLY;BYDAY=-1FR, "
        + "or never.", valueName: "rule"))
  var repetition: String?

  @Option(help: ArgumentHelp("End the repetition after this many times.", valueName: "N"))
  var times: Int?

  @Option(
    help: ArgumentHelp("End the repetition on this day or at this time.", valueName: "date"))
  var until: String?

  @Option(
    name: .customLong("alarm"),
    help: ArgumentHelp(
      "Alert this long before it, such as 15m or 1d; +5m after it, and none for no alarm "
        + "(repeatable).", valueName: "time"))
  var alarms: [String] = []

  @Option(
    name: .customLong("zone"),
    help: ArgumentHelp(
      "Use this time zone for its times, or floating for none.", valueName: "zone"),
    completion: .zoneNames)
  var zone: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Set the duration, such as 45m, 1h30m or 2d.", valueName: "duration"))
  var duration: String?

  func validate() throws {
    guard times.map({ 1...1_000_000 ~= $0 }) ?? true else {
      throw ValidationError("--times is a number from 1 through 1000000")
    }
    guard times == nil || until == nil else {
      throw ValidationError("--times and --until exclude each other")
    }
  }

  /// The values that are given.
  ///
  /// - Throws: `Failure` or `EpactError` for an invalid value.
  func details(_ dates: DateReading) throws -> ItemDetails {
    var details = ItemDetails()
    (details.location, details.note, details.url, details.zone) = (at, note, url, zone)
    if !categories.isEmpty { details.categories = categories.flatMap(ItemDetails.categories) }
    details.classification = try classification.map { try Classification(word: $0) }
    if repetition != nil || times != nil || until != nil {
      // An empty value removes the end.
      let last = until?.isEmpty == true ? nil : try until.map { try dates.lastDay($0) }
      details.repetition = try dates.repetition(repetition, count: times, until: last)
      if until?.isEmpty == true { details.repetition?.isEndless = true }
    }
    let words = alarms.flatMap { $0.split(separator: ",") }.map(String.init)
    if !alarms.isEmpty {
      details.alarms = try words.filter { $0 != "none" && !$0.isEmpty }.map {
        try AlarmTime(parsing: $0)
      }
    }
    details.duration = try duration.map { text in
      guard let duration = dates.duration(text) else {
        throw Failure(
          .usage, "expected a duration such as 45m, 1h30m or 2d, found \"\(text)\"")
      }
      return duration
    }
    return details
  }
}

/// How an edit is made and reported.
struct EditOptions: ParsableArguments {
  @Flag(name: .customLong("dry-run"), help: "Print the changes, and write nothing.")
  var isDryRun = false

  @Flag(name: .customLong("yes"), help: "Ask no question.")
  var isUnattended = false

  @Flag(help: "Print one JSON object, with the UID and the calendar.")
  var json = false
}

extension Context {
  /// Opens the calendars of the configuration for a command that names or changes items.
  ///
  /// - Throws: `EpactError` or `ICUError`.
  func editSession(
    _ edit: EditOptions? = nil, informing meeting: MeetingOptions? = nil
  ) throws -> EditSession {
    var session = try EditSession(
      library, viewer: try viewerZone(nil), console, informing: try meeting?.notice)
    guard let edit else { return session }
    (session.isDryRun, session.isUnattended) = (edit.isDryRun, edit.isUnattended)
    session.asJSON = edit.json
    return session
  }
}

/// The item of a command.
struct ItemArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The title, a beginning of it, of one of its words or of the UID, with a date if several have "
        + "it, or the number in the last list.",
      valueName: "item"))
  var item: String

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Look for the item in this calendar only.", valueName: "calendar"),
    completion: .calendars)
  var calendar: String?
}

/// The further words of a title that is not in quotation marks.
struct TitleWords: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "More words of the title, or the date that chooses one of several items.",
      valueName: "word"))
  var words: [String] = []

  /// The name of the item.
  func name(after item: ItemArgument) -> String {
    ([item.item] + words).joined(separator: " ")
  }
}

/// The part of a series.
struct SpanOptions: ParsableArguments {
  @Option(
    name: .customLong("this"),
    help: ArgumentHelp("Use only the occurrence on this date.", valueName: "date"))
  var this: String?

  @Option(
    help: ArgumentHelp(
      "Use the occurrence on this date and all later ones.", valueName: "date"))
  var future: String?

  @Flag(help: "Use all occurrences.")
  var all = false

  func validate() throws {
    guard [this != nil, future != nil, all].count(where: \.self) <= 1 else {
      throw ValidationError("--this, --future and --all exclude each other")
    }
  }

  /// The chosen occurrences; nil if no option states them.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - words: The words after the first one of the item's name, which may be the rest of a date.
  /// - Returns: The choice.
  /// - Throws: `EpactError` for an invalid date.
  func choice(_ session: EditSession, beside words: [String]) throws -> SpanChoice? {
    try session.dates.expectWhole([this, future], beside: words)
    if let this { return try session.dates.this(this) }
    if let future { return try session.dates.future(future) }
    return all ? .all : nil
  }
}

/// The options of edits.
struct ChangeOptions: ParsableArguments {
  @OptionGroup var options: ItemOptions

  @OptionGroup var span: SpanOptions

  @OptionGroup var invite: InviteOptions

  @OptionGroup var withdrawal: WithdrawalOptions

  @OptionGroup var meeting: MeetingOptions

  @OptionGroup var edit: EditOptions

  /// Changes an item or a part of a series to values, and to the people that the options name.
  ///
  /// - Throws: `EpactError`, `LibraryError` or `Failure`.
  func make(
    _ details: ItemDetails, in found: FoundItem, _ choice: SpanChoice?, _ session: EditSession
  ) throws -> ExitStatus {
    var details = details
    details.invitation = try session.notice?.people(
      inviting: invite.invited, withdrawing: withdrawal.withdrawn, in: session.library)
    return try session.change(found, details, choice)
  }
}

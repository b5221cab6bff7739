// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Epact

/// The commands of the tour in order, with their expected exit statuses.
struct TourScript: Sendable {
  /// One command.
  struct Step: Sendable {
    /// The title of the section that starts with this command.
    var title: String?
    /// The program and its arguments.
    let words: [String]
    /// The expected exit status.
    var status = ExitStatus.done
  }

  /// The folder of the example calendars.
  let calendars: String
  /// The working folder of the tour.
  let folder: String

  /// Writes the configuration of the tour.
  ///
  /// - Throws: `StoreError`.
  func writeConfiguration() throws(StoreError) {
    try AtomicFile.write(
      Array(Self.configuration.utf8), to: folder + "/config.toml", permissions: .secret)
  }

  /// Writes the embedded example calendars.
  ///
  /// - Throws: `Failure` or `StoreError`.
  func writeCalendars() throws {
    try PrivateFolder.make(calendars)
    for file in TourCalendars.files {
      try AtomicFile.write(file.bytes, to: "\(calendars)/\(file.name)", permissions: .secret)
    }
  }

  private static let configuration = """
    # What `epact sync` is to keep in step.
    [calendar.home]
    path = "~/home"

    [remote.attic]
    kind = "folder"
    path = "~/attic"

    [remote.club]
    kind = "folder"
    path = "~/club"

    [remote.office]
    kind = "folder"
    path = "~/office"

    [[sync]]
    name = "to-attic"
    calendar = "home"
    remote = "attic"

    [[sync]]
    name = "to-club"
    calendar = "home"
    remote = "club"
    access = "write-only"

    [[sync]]
    name = "to-office"
    calendar = "home"
    remote = "office"

    """

  private static let budget = "budget_40tour.example.ics"
  private static let concert = "concert_40tour.example.ics"
  private static let flight = "flight_40tour.example.ics"

  /// All commands, in order.
  var steps: [Step] { reading + access + edits + conflict + deletions + export }

  private var reading: [Step] {
    [
      Step(
        title: "A configuration, and some calendars that arrived", words: ["cat", "config.toml"]),
      Step(words: ["mkdir", "-p", "config/epact", "attic", "club", "loft", "office"]),
      Step(words: ["mv", "config.toml", "config/epact/config.toml"]),
      Step(words: ["cp", "-R", calendars, "inbox"]),
      Step(
        title: "One of them is damaged; check says where",
        words: ["epact", "check", "inbox/damaged.ics"], status: .found),
      Step(
        title: "Import takes what can be read, and keeps what it does not understand",
        words: ["epact", "import", "inbox", "--into", "home", "--dry-run"]),
      Step(words: ["epact", "import", "inbox", "--into", "home"]),
      Step(
        title: "Once more changes nothing", words: ["epact", "import", "inbox", "--into", "home"]),
      Step(
        title: "What happens when, for a person",
        words: [
          "epact", "agenda", "inbox/family.ics", "inbox/work.ics", "--from", "2026-03-16", "--days",
          "4", "--zone", "Europe/Berlin",
        ]),
      Step(
        words: ["epact", "month", "2026-03", "inbox/family.ics", "--zone", "Europe/Berlin"]),
      Step(
        title: "When is there time, and what will ring",
        words: [
          "epact", "freebusy", "inbox/work.ics", "--from", "2026-03-16", "--days", "2", "--zone",
          "Europe/Berlin",
        ]),
      Step(
        words: [
          "epact", "alarms", "inbox/family.ics", "inbox/work.ics", "--from", "2026-03-11", "--days",
          "2", "--zone", "Europe/Berlin",
        ]),
      Step(
        title: "All of it for programs",
        words: [
          "epact", "occurrences", "inbox/family.ics", "--from", "2026-04-01", "--to", "2026-04-03",
          "--zone",
          "Europe/Berlin",
        ]),
    ]
  }

  private var access: [Step] {
    [
      Step(
        title: "A recurrence rule, what it means, and why it leaves a day out",
        words: [
          "epact", "rrule", "FREQ=MONTHLY;BYDAY=-1FR", "--start", "20261127T090000", "--zone",
          "Europe/Berlin", "--at", "20261225", "--at", "20261218",
        ]),
      Step(
        title: "What a name of a time zone in a file means",
        words: [
          "epact", "zones", "W. Europe Standard Time", "/example.org/America/New_York", "--at",
          "20261121T000000Z", "--next", "2",
        ]),
      Step(
        title: "Without any access, events are handed to one's own calendar",
        words: ["epact", "handoff", "inbox/work.ics", "--links"]),
      Step(words: ["epact", "handoff", "inbox/work.ics", "--print", "-o", "handed-on.ics", "-q"]),
      Step(
        title: "No remote is contacted before somebody allows it",
        words: ["epact", "sync"], status: .noAccess),
      Step(title: "Three tiers: none …", words: ["epact", "access", "attic", "--grant", "none"]),
      Step(words: ["epact", "sync", "to-attic"], status: .noAccess),
      Step(
        title: "… write-only, which adds events and reads nothing …",
        words: [
          "epact", "access", "club", "--grant", "write-only", "--purpose",
          "Tells the club which evenings are taken, so that it can plan",
        ]),
      Step(words: ["epact", "sync", "to-club"]),
      Step(words: ["epact", "sync", "to-club"]),
      Step(
        title: "… and full",
        words: [
          "epact", "access", "office", "--grant", "full", "--purpose",
          "Keeps the calendar at the office in step with the one at home",
        ]),
      Step(words: ["epact", "sync", "to-office", "--dry-run"]),
      Step(words: ["epact", "sync", "to-office"]),
      Step(title: "A second sync has nothing to do", words: ["epact", "sync", "to-office"]),
      Step(words: ["epact", "access"]),
      Step(title: "What was requested under each grant", words: ["epact", "access", "--log"]),
      Step(title: "Is everything in order", words: ["epact", "doctor"]),
      Step(
        title: "Another calendar is added to the configuration, which stays as it is",
        words: [
          "epact", "init", "./loft", "--path", "~/calendars", "--access", "write-only", "--purpose",
          "Puts what was planned aside, so that it is found again", "--no-check",
        ]),
      Step(
        title: "Every night from now on, if it were no dry run",
        words: ["epact", "schedule", "install", "--at", "3:15", "--dry-run"]),
    ]
  }

  private var edits: [Step] {
    [
      Step(
        title: "Edits on both sides travel",
        words: ["sed", "-i", "s/Gate 12/Gate 34/", "home/\(Self.flight)"]),
      Step(words: ["sed", "-i", "s/Budget review/Budget at last/", "office/\(Self.budget)"]),
      Step(words: ["epact", "sync", "to-office", "-v"]),
      Step(words: ["grep", "SUMMARY", "home/\(Self.budget)"]),
      Step(words: ["grep", "LOCATION", "office/\(Self.flight)"]),
    ]
  }

  private var conflict: [Step] {
    [
      Step(
        title: "Two edits of one event that do not touch each other are merged",
        words: ["sed", "-i", "s/Gate 34/Gate 56/", "home/\(Self.flight)"]),
      Step(words: ["sed", "-i", "s/SUMMARY:Flight/SUMMARY:Late flight/", "office/\(Self.flight)"]),
      Step(words: ["epact", "sync", "to-office", "-v"]),
      Step(words: ["epact", "diff", "home", "office"]),
      Step(
        title: "Two edits of the same property: each side keeps its own, and both are stored",
        words: ["sed", "-i", "s/SUMMARY:Concert/SUMMARY:Jazz/", "home/\(Self.concert)"]),
      Step(words: ["sed", "-i", "s/SUMMARY:Concert/SUMMARY:Choir/", "office/\(Self.concert)"]),
      Step(words: ["epact", "sync", "to-office"], status: .conflicts),
      Step(words: ["epact", "conflicts", "concert"], status: .conflicts),
      Step(
        title: "Somebody chooses, and the next sync sends the choice",
        words: ["epact", "conflicts", "concert", "--take", "local"]),
      Step(words: ["epact", "sync", "to-office"]),
      Step(
        title: "Files are merged in the same way, and so git can merge calendars",
        words: [
          "epact", "merge", "home/\(Self.concert)", "home/\(Self.concert)",
          "office/\(Self.concert)", "-o", "merged.ics",
        ]),
    ]
  }

  private var deletions: [Step] {
    [
      Step(
        title: "One deletion travels",
        words: ["rm", "home/\(Self.concert)"]),
      Step(words: ["epact", "sync", "to-office"]),
      Step(
        title: "What a run did is remembered, and can be taken back", words: ["epact", "history"]),
      Step(words: ["epact", "undo"]),
      Step(words: ["epact", "sync", "to-office"]),
      Step(
        title: "How the sync stands",
        words: ["epact", "status", "to-office"]),
      Step(
        title: "An emptied folder does not",
        words: ["find", "home", "-name", "*.ics", "-delete"]),
      Step(words: ["epact", "sync", "to-office"], status: .stoppedByGuard),
      Step(words: ["epact", "export", "office", "-o", "rescued.ics"]),
      Step(words: ["epact", "import", "rescued.ics", "--into", "home", "-q"]),
      Step(words: ["epact", "sync", "to-office"]),
    ]
  }

  private var export: [Step] {
    [
      Step(
        title: "All in one file, with each time zone once",
        words: ["epact", "export", "home", "-o", "all.ics"]),
      Step(words: ["grep", "-c", "BEGIN:V", "all.ics"]),
      Step(words: ["grep", "-c", "BEGIN:VTIMEZONE", "all.ics"]),
    ]
  }
}

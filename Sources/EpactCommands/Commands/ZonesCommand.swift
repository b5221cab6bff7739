// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import CalendarModel
import CivilTime
import Epact
import EpactConsole

/// `epact zones`: shows time zones, and resolves time zone names.
struct ZonesCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "zones",
    abstract: "Show time zones, and resolve time zone names.",
    discussion: """
      Without a name, prints the source of the time zones, and the name and the current time of \
      each zone. With names, prints how each is resolved, as in files, and the next changes of its \
      clocks; a name that cannot be resolved is an error with a reason.

      With --file, prints how each TZID of a file is resolved, and where the file's own definition \
      (VTIMEZONE) differs for the times in use. Exits with status 4 if a definition differs or a \
      TZID cannot be resolved.

      A change is printed as the UTC time, and the offsets before and after it.

      Time zones are read from the folder of --zoneinfo, an option of every command, otherwise \
      from $TZDIR or from the system. If there are none, and with --zoneinfo ICU, those of ICU are \
      used, which are often out of date.
      """)

  @Argument(help: ArgumentHelp("Names of time zones.", valueName: "tzid"), completion: .zoneNames)
  var names: [String] = []

  @Option(
    help: ArgumentHelp(
      "Report on the time zones of this file, folder, or - for standard input (repeatable).",
      valueName: "file"), completion: .file())
  var file: [String] = []

  @OptionGroup var charset: CharsetOption

  @Option(
    help: ArgumentHelp(
      "Use this time instead of the current one, in UTC or with an offset.", valueName: "time"))
  var at: String?

  @Option(help: "Print this many changes of the clocks.")
  var next = 4

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func validate() throws {
    if !file.isEmpty, !names.isEmpty {
      throw ValidationError("names and --file exclude each other")
    }
    guard 0...1000 ~= next else { throw ValidationError("--next is a number from 0 through 1000") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let now = try moment(in: context)
    context.warnAboutFallback()
    let listing = ZoneListing(now: now, next: next, isJSON: json, in: context)
    guard file.isEmpty else {
      return try listing.report(on: file, charset: charset.choice)
    }
    return names.isEmpty ? listing.list() : listing.explain(names)
  }

  private func moment(in context: Context) throws -> Instant {
    guard let at else { return context.machine.now() }
    return try context.arguments.moment(at, option: "--at", in: .utc).instant(in: .utc)
  }
}

/// Prints time zones: the whole database, the resolution of names, or that of files.
struct ZoneListing {
  /// The maximum number of differing periods printed for a zone of a file.
  private static let differenceLimit = 3

  private let now: Instant
  /// The maximum number of transitions printed for a zone.
  private let next: Int
  private let isJSON: Bool
  private let machine: Machine
  private let console: Console

  init(now: Instant, next: Int, isJSON: Bool, in context: Context) {
    self.now = now
    self.next = next
    self.isJSON = isJSON
    machine = context.machine
    console = context.console
  }

  // MARK: - All zones

  /// Prints the source of the time zones, and the name and current offset of each.
  func list() -> ExitStatus {
    guard let source = machine.zones.source else {
      console.complain(
        Failure(.nothingDone, "there are no time zones", hint: "Install tzdata on Debian."))
      return .nothingDone
    }
    let names = machine.zoneNames
    var status = ExitStatus.done
    var members: [JSONValue] = []
    if !isJSON {
      console.show(
        "\(version), \(source): \(Count(names.zones.count, "zone")), "
          + "\(Count(names.otherNameCount, "other name")) of them"
      )
    }
    for name in names.zones {
      do throws(ZoneError) {
        let zone = try machine.zone(named: name, at: now)
        if isJSON {
          members.append(.object([.init("name", .string(name))] + zone.members))
        } else {
          console.show("\(name)  \(zone.type.offset) \(zone.type.abbreviation)")
        }
      } catch {
        console.complain(Failure(.someFailed, "\(error)"))
        status = .someFailed
      }
      guard !console.isBroken else { return status }
    }
    if isJSON {
      console.write(.object(machine.zoneMembers(at: now) + [.init("zones", .array(members))]))
    }
    return status
  }

  // MARK: - Names

  /// Prints the resolution of each name; unresolved names are reported as errors.
  func explain(_ names: [String]) -> ExitStatus {
    var refused = 0
    var members: [JSONValue] = []
    let resolver = machine.zoneResolver
    for (index, name) in names.enumerated() {
      let zone = resolver.resolve(name)
      do throws(ZoneResolutionError) {
        let information = try machine.zone(zone, at: now)
        if isJSON {
          members.append(
            .object(zone.members + information.members + [information.changes(next)]))
        } else {
          if index > 0 { console.show("") }
          show(zone, information)
        }
      } catch {
        refused += 1
        complain(zone, error)
        if isJSON { members.append(.object(zone.members)) }
      }
    }
    if isJSON {
      console.write(.object(machine.zoneMembers(at: now) + [.init("zones", .array(members))]))
    }
    return refused == 0 ? .done : refused < names.count ? .someFailed : .nothingDone
  }

  private func show(_ zone: ResolvedZone, _ information: ZoneInformation) {
    let type = information.type
    console.show("\(zone.tzID) is \(zone.meaning) (time zones \(version))")
    console.show(
      "now \(information.localTime?.description ?? "\(now)")  \(type.offset) \(type.abbreviation)")
    let changes = information.nextChanges(next)
    for change in changes {
      console.show(
        "\(change.instant)  \(change.before.offset) \(change.before.abbreviation) -> "
          + "\(change.after.offset) \(change.after.abbreviation)")
    }
    if changes.isEmpty, next > 0 { console.show("The clocks do not change any more.") }
  }

  private func complain(_ zone: ResolvedZone, _ error: ZoneResolutionError) {
    guard let refusal = zone.refusal else {
      return console.complain(Failure(.nothingDone, "\(error)"))
    }
    let hint = machine.similarZoneName(to: zone.tzID).map { "Did you mean \($0)?" as ConsoleText }
    console.complain(
      Failure(
        .nothingDone, "expected the name of a time zone, found \"\(zone.tzID)\", \(refusal.clause)",
        hint: hint))
  }

  // MARK: - Files

  /// Prints the resolution of each TZID in files, and the differences from their definitions.
  ///
  /// - Throws: `CancellationError`.
  func report(on files: [String], charset: CharsetChoice) throws -> ExitStatus {
    var statuses: Set<ExitStatus> = []
    var members: [JSONValue] = []
    let sources = FileSource.find(files, needsFiles: true) { event in
      console.report(event)
      statuses.insert(.nothingDone)
    }
    for source in sources {
      do {
        for report in try source.zoneReports(charset: charset, now: now, machine: machine) {
          if report.isFault { statuses.insert(.found) }
          if isJSON {
            members.append(report.json(path: source.label))
          } else {
            show(report, path: source.label)
          }
        }
      } catch let error where error is FileError || error is EpactError {
        console.complain(Failure(describing: error))
        statuses.insert(.nothingDone)
      }
    }
    if isJSON { console.write(["timeZones": .array(members)]) }
    return ExitStatus.worst(of: statuses)
  }

  private func show(_ report: ZoneReport, path: String) {
    let zone = report.zone
    let meaning =
      zone.refusal.map { "refused, \($0.clause); its times float" } ?? zone.meaning
    console.show("\(path): \(zone.tzID): \(meaning)\(Self.definition(in: report))")
    for stretch in report.differences.prefix(Self.differenceLimit) {
      console.show(
        "  \(stretch.start) to \(stretch.end): \(stretch.offset) by the definition, "
          + "\(stretch.otherOffset) by the zone")
    }
    if report.differences.count > Self.differenceLimit {
      console.show("  and \(report.differences.count - Self.differenceLimit) times more")
    }
  }

  /// The suffix about the definition of a zone.
  private static func definition(in report: ZoneReport) -> String {
    if report.definition == nil { return report.zone.source == .unknown ? "" : "; not defined" }
    if let error = report.definitionError { return "; \(error.message)" }
    if !report.differences.isEmpty { return "; the definition differs" }
    return report.zone.source == .definition ? "" : "; the definition agrees"
  }

  // MARK: - Parts

  private var version: String { machine.zones.version ?? "of an unknown version" }
}

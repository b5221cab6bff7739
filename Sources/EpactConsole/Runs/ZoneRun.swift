// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
package import CivilTime
package import Epact

/// Shows time zones, and how their names are resolved.
package struct ZoneRun {
  /// The maximum number of differences from a definition that are shown.
  private static let differenceLimit = 3

  private let machine: Machine
  private let console: Console
  private let now: Instant
  private let asJSON: Bool
  private let remedies: any Remedies

  /// Creates a run that shows the time zones of a machine at a time.
  package init(
    _ machine: Machine, at now: Instant, _ console: Console, asJSON: Bool,
    _ remedies: any Remedies
  ) {
    (self.machine, self.now, self.console) = (machine, now, console)
    (self.asJSON, self.remedies) = (asJSON, remedies)
  }

  /// Shows all zones.
  package func list() -> ExitStatus {
    guard let source = machine.zones.source else {
      console.complain(
        Failure(.nothingDone, "there are no time zones", hint: "Install tzdata on Debian."))
      return .nothingDone
    }
    let names = machine.zoneNames
    var status = ExitStatus.done
    var members: [JSONValue] = []
    if !asJSON { console.show(heading(of: names, from: source)) }
    for name in names.zones {
      do throws(ZoneError) {
        let zone = try machine.zone(named: name, at: now)
        if asJSON {
          members.append(.object([.init("name", .string(name))] + zone.members))
        } else {
          console.show(line(of: name, zone))
        }
      } catch {
        console.complain(Failure(.someFailed, "\(error)"))
        status = .someFailed
      }
      guard !console.isBroken else { return status }
    }
    if asJSON { console.write(machine.json(of: members, at: now)) }
    return status
  }

  /// Shows how names are resolved, with at most `count` changes of each clock.
  package func explain(_ names: [String], changes count: Int) -> ExitStatus {
    var refused = 0
    var members: [JSONValue] = []
    for (index, name) in names.enumerated() {
      let zone = machine.zoneResolver.resolve(name)
      do throws(ZoneResolutionError) {
        let information = try machine.zone(zone, at: now)
        members.append(zone.json(information, changes: count))
        guard !asJSON else { continue }
        if index > 0 { console.show("") }
        console.show(lines(of: zone, information, changes: count))
      } catch {
        refused += 1
        members.append(.object(zone.members))
        console.complain(failure(zone, error))
      }
    }
    if asJSON { console.write(machine.json(of: members, at: now)) }
    return refused == 0 ? .done : refused < names.count ? .someFailed : .nothingDone
  }

  private func failure(_ zone: ResolvedZone, _ error: ZoneResolutionError) -> Failure {
    guard let refusal = zone.refusal else { return Failure(.nothingDone, "\(error)") }
    return Failure(
      .nothingDone, "expected the name of a time zone, found \"\(zone.tzID)\", \(refusal.clause)",
      hint: machine.similarZoneName(to: zone.tzID).map { "Did you mean \($0)?" })
  }

  /// Shows how the names in files are resolved.
  package func report(on files: [String], charset: CharsetChoice) throws -> ExitStatus {
    var statuses: Set<ExitStatus> = []
    var members: [JSONValue] = []
    let sources = FileSource.find(files, needsFiles: true) { event in
      console.write([event.message(remedies)])
      statuses.insert(.nothingDone)
    }
    for source in sources {
      do {
        let reports = try source.zoneReports(charset: charset, now: now, machine: machine)
        if reports.contains(where: \.isFault) { statuses.insert(.found) }
        members += reports.map { $0.json(path: source.label) }
        if !asJSON { console.show(reports.flatMap { lines(of: $0, path: source.label) }) }
      } catch let error where error is FileError || error is EpactError {
        console.complain(remedies.failure(error))
        statuses.insert(.nothingDone)
      }
    }
    if asJSON { console.write(["timeZones": .array(members)]) }
    return ExitStatus.worst(of: statuses)
  }

  /// The version of the time zones.
  private var version: String { machine.zones.version ?? "of an unknown version" }

  /// The line about the source and the number of the time zones.
  private func heading(of names: ZoneNames, from source: String) -> ConsoleText {
    "\(version), \(source): \(Count(names.zones.count, "zone")), "
      + "\(Count(names.otherNameCount, "other name")) of them"
  }

  /// The line of a zone in the list of all zones.
  private func line(of name: String, _ zone: ZoneInformation) -> ConsoleText {
    "\(name)  \(zone.type.offset) \(zone.type.abbreviation)"
  }

  /// The lines of a resolved name, with at most `count` changes of its clocks.
  private func lines(
    of zone: ResolvedZone, _ information: ZoneInformation, changes count: Int
  ) -> [ConsoleText] {
    let type = information.type
    let time = information.localTime?.description ?? "\(information.instant)"
    let changes = information.nextChanges(count)
    return [
      "\(zone.tzID) is \(zone.meaning) (time zones \(version))",
      "now \(time)  \(type.offset) \(type.abbreviation)",
    ]
      + changes.map { change in
        "\(change.instant)  \(change.before.offset) \(change.before.abbreviation) -> "
          + "\(change.after.offset) \(change.after.abbreviation)"
      } + (changes.isEmpty && count > 0 ? ["The clocks do not change any more."] : [])
  }

  /// The lines about a name of a file, and about its definition there.
  private func lines(of report: ZoneReport, path: String) -> [ConsoleText] {
    let zone = report.zone
    let meaning = zone.refusal.map { "refused, \($0.clause); its times float" } ?? zone.meaning
    let differences = report.differences.map { stretch -> ConsoleText in
      "  \(stretch.start) to \(stretch.end): \(stretch.offset) by the definition, "
        + "\(stretch.otherOffset) by the zone"
    }
    return ["\(path): \(zone.tzID): \(meaning)\(Self.definition(in: report))"]
      + differences.limited(to: Self.differenceLimit) { "  and \($0) times more" }
  }

  /// The words about the definition, after those about the name.
  private static func definition(in report: ZoneReport) -> String {
    if report.definition == nil { return report.zone.source == .unknown ? "" : "; not defined" }
    if let error = report.definitionError { return "; \(error.message)" }
    if !report.differences.isEmpty { return "; the definition differs" }
    return report.zone.source == .definition ? "" : "; the definition agrees"
  }
}

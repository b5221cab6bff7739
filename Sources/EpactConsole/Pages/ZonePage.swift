// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CivilTime
package import Epact

/// Formats time zones, and the resolution of their names.
package struct ZonePage {
  /// The maximum number of differences from a definition that are shown.
  private static let differenceLimit = 3

  /// The version of the time zones.
  private let version: String

  /// Creates a page of the time zones of a machine.
  package init(_ machine: Machine) {
    version = machine.zones.version ?? "of an unknown version"
  }

  /// The line about the source and the number of the time zones.
  package func heading(of names: ZoneNames, from source: String) -> ConsoleText {
    "\(version), \(source): \(Count(names.zones.count, "zone")), "
      + "\(Count(names.otherNameCount, "other name")) of them"
  }

  /// The line of a zone in the list of all zones.
  package func line(of name: String, _ zone: ZoneInformation) -> ConsoleText {
    "\(name)  \(zone.type.offset) \(zone.type.abbreviation)"
  }

  /// The lines of a resolved name, with at most `count` changes of its clocks.
  package func lines(
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
  package func lines(of report: ZoneReport, path: String) -> [ConsoleText] {
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

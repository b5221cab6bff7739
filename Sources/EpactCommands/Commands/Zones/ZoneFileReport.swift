// SPDX-License-Identifier: Apache-2.0

import Epact
import CalendarModel
import CivilTime
import ICUServices
import ICalSyntax

/// Prints the resolution of each TZID in files, and the differences from their definitions.
struct ZoneFileReport {
  /// The maximum number of differing periods printed for a zone.
  private static let differenceLimit = 3

  private let charset: CharsetChoice?
  private let isJSON: Bool
  private let console: Console
  private let resolver: ZoneResolver
  private let horizon: Instant

  init(charset: CharsetChoice?, isJSON: Bool, in context: Context, now: Instant) {
    self.charset = charset
    self.isJSON = isJSON
    console = context.console
    resolver = context.zoneResolver
    horizon = Machine.zoneHorizon(after: now)
  }

  func report(on files: [String]) throws -> ExitStatus {
    var statuses: Set<ExitStatus> = []
    var members: [JSONValue] = []
    func fail(_ path: String, _ message: String) {
      console.complain(Failure(.nothingDone, "\(path): \(message)"))
      statuses.insert(.nothingDone)
    }
    let sources = InputFiles.find(files) { path, error in fail(path, "\(error)") }
    for source in sources {
      do {
        for report in try reports(on: source) {
          if report.zone.source == .unknown || report.definitionError != nil
            || !report.differences.isEmpty
          {
            statuses.insert(.found)
          }
          if isJSON {
            members.append(Self.json(report, path: source.label))
          } else {
            show(report, path: source.label)
          }
        }
      } catch let error as SystemError {
        fail(source.label, "\(error)")
      } catch let error as ICUError {
        fail(source.label, error.message)
      }
    }
    if isJSON { console.write(["timeZones": .array(members)]) }
    return ExitStatus.worst(of: statuses)
  }

  private func reports(on source: InputFiles.Source) throws -> [ZoneReport] {
    var notes = ZoneNotes(zones: resolver, horizon: horizon)
    var reading = try CalendarReading(source, charset: charset)
    var reports: [ZoneReport] = []
    while let element = try reading.next() {
      switch element {
      case .component(let component): notes.look(at: component)
      case .calendarBegan, .calendarEnded: reports += notes.takeReports().map(\.report)
      case .property, .diagnostic: break
      }
    }
    return reports + notes.takeReports().map(\.report)
  }

  private func show(_ report: ZoneReport, path: String) {
    let zone = report.zone
    let meaning =
      zone.refusal.map { "refused, \($0.clause); its times float" } ?? ZoneListing.words(for: zone)
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

  private static func json(_ report: ZoneReport, path: String) -> JSONValue {
    let differences = report.differences.map { stretch -> JSONValue in
      [
        "start": .string(stretch.start.description), "end": .string(stretch.end.description),
        "definition": .string(stretch.offset.description),
        "zone": .string(stretch.otherOffset.description),
      ]
    }
    let members: [JSONValue.Member] = [
      .init(name: "isDefined", value: .bool(report.definition != nil)),
      .init(name: "definitionError", value: JSONValue(report.definitionError?.message)),
      .init(name: "differences", value: .array(differences)),
    ]
    let file = JSONValue.Member(name: "file", value: .string(path))
    return .object([file] + ZoneListing.members(of: report.zone) + members)
  }
}

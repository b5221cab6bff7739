// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
public import CalendarModel
public import CivilTime
import ICalSyntax

/// Reports how the time zone names of a file are resolved.
///
/// It reports names with an ambiguous resolution, and definitions that contradict the resolved
/// zone.
///
/// A calendar may define time zones after their use, so that notes are reported at the end of a
/// calendar.
struct ZoneNotes: Sendable {
  /// The maximum number of definitions kept for a calendar.
  private static let limit = 1000

  private let zones: ZoneResolver
  private let horizon: Instant
  private var definitions: [Component] = []
  private var uses = TimeZoneUses()

  /// Creates the notes on a file.
  ///
  /// - Parameters:
  ///   - zones: The resolver of time zone names.
  ///   - horizon: The end of the comparison of definitions for endless recurrences.
  init(zones: ZoneResolver, horizon: Instant) {
    self.zones = zones
    self.horizon = horizon
  }

  /// The diagnostics that an element of the file completes.
  mutating func notes(on element: ReaderElement) -> [Diagnostic] {
    switch element {
    case .component(let component):
      look(at: component)
      return []
    case .calendarBegan, .calendarEnded:
      let reports = takeReports()
      return reports.flatMap { $0.report.diagnostics(at: $0.property) }
        .sorted { $0.position < $1.position }
    case .property, .diagnostic: return []
    }
  }

  /// Records the time zones that a component defines and uses.
  mutating func look(at component: Component) {
    if component.name == .timeZone, definitions.count < Self.limit {
      definitions.append(component)
    }
    uses.add(component)
  }

  /// A report for each TZID of the finished calendar, sorted by name, with its first use.
  mutating func takeReports() -> [(report: ZoneReport, property: Property)] {
    defer {
      definitions = []
      uses = TimeZoneUses()
    }
    return uses.uses.sorted { $0.key < $1.key }.map { tzID, use in
      (
        zones.report(on: tzID, definitions: definitions, use: use, horizon: horizon),
        use.property
      )
    }
  }
}

extension FileSource {
  /// Reports how each TZID of the file is resolved, and where its definition in the file differs.
  ///
  /// - Parameters:
  ///   - charset: The charset of the file.
  ///   - now: The current time; endless recurrences are compared for about ten years from then on.
  ///   - machine: The time zones.
  /// - Returns: The reports of each calendar of the file, sorted by name.
  /// - Throws: `EpactError` if the file cannot be read; `CancellationError`.
  public func zoneReports(
    charset: CharsetChoice = .auto, now: Instant? = nil, machine: Machine = .live()
  ) throws -> [ZoneReport] {
    try reporting {
      var notes = ZoneNotes(
        zones: machine.zoneResolver, horizon: Machine.zoneHorizon(after: now ?? machine.now()))
      var reader = try CalendarReader(self, options: ReadingOptions(charset: charset))
      var reports: [ZoneReport] = []
      while let element = try reader.next() {
        switch element {
        case .component(let component): notes.look(at: component)
        case .calendarBegan, .calendarEnded: reports += notes.takeReports().map(\.report)
        case .property, .diagnostic: break
        }
      }
      return reports + notes.takeReports().map(\.report)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// The first view of a day: today, the next days, and the overdue reminders.
///
/// ```swift
/// let today = try library.today(days: 7, in: berlin)
/// for day in today.days { print(day.date, day.entries.map { today.calendar(of: $0.occurrence) }) }
/// ```
public struct TodayView: Sendable {
  /// Today, and the other days with occurrences.
  public let days: [AgendaDays.Day]
  /// The reminders that were due before today and are not completed, by due time.
  public let overdue: [Occurrence]
  /// The date of today in the viewer's time zone.
  public let date: CivilDate
  /// Whether files could not be read, so that something may be missing.
  public let isPartial: Bool
  private let names: [Int: String]

  /// The name of the calendar of an occurrence.
  public func calendar(of occurrence: Occurrence) -> String { names[occurrence.source] ?? "" }

  fileprivate init(_ view: OccurrenceView, from date: CivilDate) {
    self.date = date
    let found = Array(view.days())
    let isEmpty = found.first?.date != date
    days = (isEmpty ? [AgendaDays.Day(date: date, entries: [], rest: 0)] : []) + found
    overdue = view.overdue()
    isPartial = view.outcome != .complete
    var names: [Int: String] = [:]
    for entry in days.flatMap(\.entries) {
      names[entry.occurrence.source] = view.calendar(ofSource: entry.occurrence.source)
    }
    for occurrence in overdue {
      names[occurrence.source] = view.calendar(ofSource: occurrence.source)
    }
    self.names = names
  }
}

extension CalendarLibrary {
  /// The occurrences of the next days in all calendars, and what is overdue.
  ///
  /// - Parameters:
  ///   - days: The number of days, from today on.
  ///   - viewer: The viewer's time zone.
  /// - Returns: The view.
  /// - Throws: `LibraryError` if the configuration is invalid; `CancellationError`.
  public func today(days: Int, in viewer: ZoneRules) throws -> TodayView {
    let now = machine.now()
    let date = viewer.civil(at: now)?.date ?? .first
    let start = viewer.instant(of: CivilDateTime(date, .midnight))
    let end = viewer.end(of: date.adding(days: max(1, days) - 1) ?? .last)
    var request = try viewRequest(in: start..<max(start, end), viewer: viewer)
    request.reminders = .due
    request.collectsOverdue = true
    return TodayView(try OccurrenceView(request, machine: machine) { _ in }, from: date)
  }

  /// The request of a view of all calendars.
  ///
  /// - Throws: `LibraryError` if the configuration is invalid.
  package func viewRequest(
    in range: Range<Instant>, viewer: ZoneRules
  ) throws -> ViewRequest {
    let configuration = try configuration()
    let locations = configuration.calendars.values.filter { !$0.isInDatabase }
      .sorted { $0.name < $1.name }
      .map { CalendarLocation(path: $0.path, name: $0.name) }
    var request = ViewRequest(locations, in: range, viewer: viewer)
    request.indexedPaths = configuration.indexedPaths
    request.library = self
    request.user = configuration.knownAddresses
    request.copySuffixes = configuration.copySuffixes
    request.diagnosticLimit = 1
    return request
  }
}

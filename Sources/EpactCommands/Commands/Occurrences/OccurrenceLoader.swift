// SPDX-License-Identifier: Apache-2.0

import Epact
import CalendarModel
import CivilTime
import ICUServices
import ICalSyntax

/// Passes calendars from files to a query, and reports problems.
struct OccurrenceLoader {
  /// The maximum number of diagnostics printed for a file; `epact check` prints all.
  private static let diagnosticLimit = 200

  private let console: Console
  private let charset: CharsetChoice?
  /// The requested days, which allow components outside of them to be skipped; nil for all.
  private let days: ClosedRange<CivilDate>?
  /// The time zones for floating times if the calendar's declared zone applies, otherwise nil.
  private let zones: ZoneResolver?
  /// The map from read lines to file lines of each source, if lines were skipped.
  private var lineMaps: [LineMap?] = []
  /// The VFREEBUSY components of the files.
  private(set) var freeBusy: [Component] = []
  /// The VAVAILABILITY components with the time zones of their file, by source.
  private(set) var availabilities:
    [(source: Int, components: [Component], timeZones: [Component])] =
      []
  private var labels: [String] = []
  private var calendars: [String] = []
  private var diagnosticCounts: [Int] = []
  private var hasFailures = false
  private var hasCalendar = false

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - console: The output of diagnostics.
  ///   - charset: The charset of the files if the user specified it.
  ///   - days: The requested days, if components outside of them can be skipped.
  ///   - zones: The time zones for floating times if the calendar's declared zone applies.
  init(
    console: Console, charset: CharsetChoice? = nil, days: ClosedRange<CivilDate>? = nil,
    zones: ZoneResolver? = nil
  ) {
    self.console = console
    self.charset = charset
    // A component skipped by its day might move into the range in another zone.
    self.days = zones == nil ? days : nil
    self.zones = zones
  }

  /// The exit status of the reading.
  var status: ExitStatus {
    if !hasCalendar { return .nothingDone }
    return hasFailures ? .someFailed : .done
  }

  /// The name of the calendar that contains a source of a query.
  func calendar(ofSource source: Int) -> String {
    calendars.indices.contains(source) ? calendars[source] : ""
  }

  /// Adds the items of files and folders to a query; a source number is an index in this loader.
  ///
  /// - Throws: An error that makes it impossible to continue; problems of the files are only
  ///   reported.
  mutating func load(
    _ inputs: [CalendarInput], into query: inout some ComponentQuery
  ) throws {
    for input in inputs {
      let sources = InputFiles.find([input.path]) { path, error in cannotRead(path, "\(error)") }
      // A calendar without items is valid.
      if sources.isEmpty { hasCalendar = true }
      try load(sources, of: input, into: &query)
    }
    tell(query.findings)
  }

  private mutating func load(
    _ sources: [InputFiles.Source], of input: CalendarInput, into query: inout some ComponentQuery
  ) throws {
    for source in sources {
      labels.append(source.label)
      calendars.append(input.name)
      lineMaps.append(nil)
      diagnosticCounts.append(0)
      do {
        try read(source, into: &query)
      } catch let error as SystemError {
        cannotRead(source.label, "\(error)")
      } catch let error as ICUError {
        cannotRead(source.label, error.message)
      }
    }
  }

  /// Reports the findings of a query with the names of the files.
  mutating func tell(_ findings: [OccurrenceFinding]) {
    for finding in findings {
      if finding.diagnostic.severity == .error { hasFailures = true }
      let map = lineMaps.indices.contains(finding.source) ? lineMaps[finding.source] : nil
      tell(map?.moved(finding.diagnostic) ?? finding.diagnostic, source: finding.source)
    }
  }

  private mutating func cannotRead(_ path: String, _ reason: String) {
    hasFailures = true
    console.complain(Failure(.nothingDone, "\(path): \(reason)"))
  }

  private mutating func read(
    _ source: InputFiles.Source, into query: inout some ComponentQuery
  ) throws {
    let place = labels.count - 1
    var contents = try self.contents(of: source, days)
    if !contents.tornItems.isEmpty {
      contents = try self.contents(of: source, days, keeping: contents.tornItems)
      // The file has changed since the last pass.
      if !contents.tornItems.isEmpty { contents = try self.contents(of: source, nil) }
    }
    if let charset = contents.charset { console.note("\(source.label): read as \(charset).") }
    for diagnostic in contents.diagnostics { tell(diagnostic, source: place) }
    if contents.hasFailures { hasFailures = true }
    lineMaps[place] = contents.lineMap
    contents.items.finish(into: &query, source: place)
    freeBusy += contents.items.freeBusy
    if !contents.items.availabilities.isEmpty {
      availabilities.append((place, contents.items.availabilities, contents.items.timeZones))
    }
    if contents.isCalendar {
      hasCalendar = true
    } else {
      cannotRead(source.label, "not a calendar")
    }
  }

  /// The contents of a file.
  private struct Contents {
    var items = OccurrenceReading()
    var diagnostics: [Diagnostic] = []
    var hasFailures = false
    var isCalendar = false
    var charset: String?
    var lineMap: LineMap?
    /// The items of which skipped parts may be missing.
    var tornItems: Set<UInt64> = []
  }

  private func contents(
    of source: InputFiles.Source, _ days: ClosedRange<CivilDate>?, keeping items: Set<UInt64> = []
  ) throws -> Contents {
    var contents = Contents()
    let sieve = days.map { ComponentSieve(days: $0, keeping: items) }
    var reading = try CalendarReading(source, charset: charset, sieve: sieve, zones: zones)
    contents.charset = reading.charset
    while let element = try reading.next() {
      switch element {
      case .calendarBegan, .component: contents.isCalendar = true
      case .diagnostic(let diagnostic) where diagnostic.severity == .error:
        let isAtLimit = diagnostic.code.rawValue.hasPrefix("limit.")
        if diagnostic.isStructural || diagnostic.code == .malformedJSON || isAtLimit {
          contents.hasFailures = true
        }
        if contents.diagnostics.count <= Self.diagnosticLimit {
          contents.diagnostics.append(diagnostic)
        }
      case .diagnostic, .property, .calendarEnded: break
      }
      contents.items.take(element)
    }
    contents.lineMap = reading.sieve?.lineMap
    contents.tornItems = reading.sieve?.tornItems ?? []
    return contents
  }

  private mutating func tell(_ diagnostic: Diagnostic, source: Int) {
    let label = labels.indices.contains(source) ? labels[source] : ""
    diagnosticCounts[source] += 1
    guard diagnosticCounts[source] <= Self.diagnosticLimit else {
      if diagnosticCounts[source] == Self.diagnosticLimit + 1 {
        console.note(
          "\(label): there are more diagnostics; to see all: \(SuggestedCommand.check(label))")
      }
      return
    }
    let text = DiagnosticText.of(diagnostic, path: label)
    if diagnostic.severity == .note { console.note(text) } else { console.report(text) }
  }
}

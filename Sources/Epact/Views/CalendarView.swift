// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
public import CalendarLanguage
public import CalendarModel
public import CivilTime
import ICalSyntax

/// The calendars of a view, the range of time, and how they are read.
public struct ViewRequest: Sendable {
  /// The calendars.
  public var inputs: [CalendarLocation]
  /// The range of time; its end is exclusive.
  public var range: Range<Instant>
  /// The viewer's time zone, for dates and floating times.
  public var viewer: ZoneRules
  /// The choices for reading.
  public var options = ReadingOptions()
  /// Whether cancelled occurrences are included.
  public var includesCancelled = false
  /// The time of reminders' occurrences.
  public var reminders = OccurrenceOptions.ReminderPlace.span
  /// Whether reminders that were due before the range are collected, if they are not completed.
  public var collectsOverdue = false
  /// The condition on occurrences; nil for all of them.
  public var filter: QueryMatcher?
  /// The words, in lower case and ASCII, without which an item has nothing to show.
  var requiredWords: [[UInt8]] = []
  /// The user's addresses, by which declined and tentative events are recognized.
  public var user: Set<CalendarAddress> = []
  /// The ends of the UIDs of copies that the user's mirrors made, usually
  /// ``Configuration/copySuffixes``; a copy overlaps nothing.
  package var copySuffixes: [String] = []
  /// The folders that may be read by their index in the user's cache, which is written for the next
  /// view, usually ``Configuration/indexedPaths``.
  public var indexedPaths: Set<String> = []
  /// The library whose indexes in memory are used instead of those on disk; nil for none.
  var library: CalendarLibrary?
  /// The maximum number of diagnostics that are reported for a file; the others are counted.
  public var diagnosticLimit = DiagnosticBudget.standardLimit

  /// Creates a request.
  public init(_ inputs: [CalendarLocation], in range: Range<Instant>, viewer: ZoneRules) {
    self.inputs = inputs
    self.range = range
    self.viewer = viewer
  }
}

/// Several calendars, read for their occurrences or alarms in a range of time.
///
/// ```swift
/// var request = ViewRequest([CalendarLocation(path: "home")], in: week, viewer: berlin)
/// request.reminders = .due
/// let view = try CalendarView(request) { event in print(event) }
/// for day in view.days() { print(day.date, day.entries.count) }
/// ```
///
/// Files are read as streams. Components outside of the range are skipped before they are parsed,
/// where that is safe. So are the files of large folders by an index, if the request allows it.
///
/// ## Topics
///
/// ### Reading
/// - ``init(_:machine:report:)``
/// - ``init(alarmsOf:limit:machine:report:)``
/// - ``outcome``
///
/// ### Results
/// - ``occurrences()``
/// - ``days()``
/// - ``freeBusy(allDayBlocks:report:)``
/// - ``alarms``
/// - ``calendar(ofSource:)``
/// - ``file(ofSource:)``
/// - ``events(for:)``
public struct CalendarView<Query: ComponentQuery>: Sendable {
  /// A file of the view; its number is the source number of occurrences.
  private struct Source: Sendable {
    let label: String
    let calendar: String
    /// The map from read lines to file lines, if lines were skipped.
    var lineMap: LineMap?
    var budget: DiagnosticBudget
  }

  /// The query, to which all items are added.
  private(set) var query: Query
  let request: ViewRequest
  let machine: Machine
  private var sources: [Source] = []
  private var hasFailures = false
  private var hasCalendar = false
  /// The VFREEBUSY components of the files.
  private(set) var freeBusyComponents: [Component] = []
  /// The VAVAILABILITY components with the time zones of their calendar, by source.
  private(set) var availabilities: [Availabilities] = []
  /// The query for reminders that were due before the range; nil if they are not requested.
  private var overdueReminders: OverdueReminders?

  /// The VAVAILABILITY components of a calendar.
  struct Availabilities: Sendable {
    let source: Int
    let contents: OccurrenceReading.Availabilities
  }

  /// Reads the calendars.
  ///
  /// - Parameters:
  ///   - query: An empty query.
  ///   - request: The calendars.
  ///   - skips: Whether components that are outside of the range may be skipped.
  ///   - machine: The time zones.
  ///   - report: Receives the events of the files.
  /// - Throws: `CancellationError`; problems of the files are only reported.
  init(
    _ query: Query, _ request: ViewRequest, skips: Bool, machine: Machine,
    report: (FileEvent) -> Void
  ) throws {
    self.query = query
    self.request = request
    self.machine = machine
    if request.collectsOverdue { overdueReminders = OverdueReminders(request, machine) }
    // A component that is skipped by its day might move into the range in another zone.
    let days =
      skips && request.options.declaredZones == nil ? request.range.days(in: request.viewer) : nil
    for input in request.inputs {
      let needed = NeededFiles(of: input, for: request, machine, skips: skips && days != nil)
      let files =
        needed.map { FileSource.find($0.names, inFolder: input.path) { take($0, report) } }
        ?? FileSource.find([input.path]) { take($0, report) }
      // A calendar without items is valid.
      if files.isEmpty || needed?.leavesOut == true { hasCalendar = true }
      let isFolder = files.first.map { $0.label != input.path } ?? false
      var found: [FoundFile] = []
      for file in files {
        sources.append(
          Source(
            label: file.label, calendar: input.name,
            budget: DiagnosticBudget(limit: request.diagnosticLimit)))
        let event = try file.unreadable { found.append(try read(file, days, report)) }
        if let event { take(event, report) }
      }
      finish(found, isFolder: isFolder, report)
    }
    for event in events(for: self.query.findings) { report(event) }
    for source in sources {
      if let event = source.budget.rest(path: source.label) { report(event) }
    }
  }

  /// How much of the files was read.
  public var outcome: FileOutcome {
    if !hasCalendar { return .nothing }
    return hasFailures ? .partial : .complete
  }

  /// The name of the calendar that contains a source of an occurrence.
  public func calendar(ofSource source: Int) -> String {
    sources.indices.contains(source) ? sources[source].calendar : ""
  }

  /// The path of the file that is a source of an occurrence.
  public func file(ofSource source: Int) -> String {
    sources.indices.contains(source) ? sources[source].label : ""
  }

  /// The events for findings, such as those of an iterator of occurrences.
  ///
  /// Errors change the ``outcome``.
  public mutating func events(for findings: [OccurrenceFinding]) -> [FileEvent] {
    findings.compactMap { finding in
      if finding.diagnostic.severity == .error { hasFailures = true }
      guard sources.indices.contains(finding.source) else { return nil }
      guard sources[finding.source].budget.admits() else { return nil }
      let source = sources[finding.source]
      let diagnostic = source.lineMap?.moved(finding.diagnostic) ?? finding.diagnostic
      return .diagnostic(path: source.label, diagnostic)
    }
  }

  private mutating func take(_ event: FileEvent, _ report: (FileEvent) -> Void) {
    if event.isFailure { hasFailures = true }
    report(event)
  }
}

// MARK: Reading

extension CalendarView {
  /// The contents of a file.
  private struct Contents {
    var items = OccurrenceReading()
    var diagnostics: [Diagnostic] = []
    var budget = DiagnosticBudget()
    var hasFailures = false
    var isCalendar = false
    var charset: FileCharset?
    var lineMap: LineMap?
    /// The items of which skipped parts may be missing.
    var tornItems: Set<UInt64> = []
    /// The item of a file with exactly one.
    var onlyItem: SharedItems.Key?
  }

  /// A file that was read.
  private struct FoundFile {
    let source: Int
    let contents: Contents
  }

  /// Adds the contents of the files of a calendar to the query.
  ///
  /// In a folder, a file is left out if its item belongs to another file with the same UID.
  private mutating func finish(
    _ files: [FoundFile], isFolder: Bool, _ report: (FileEvent) -> Void
  ) {
    var copies: [String: String] = [:]
    if isFolder {
      copies =
        SharedItems(
          files.map { (sources[$0.source].label, $0.contents.onlyItem) }, machine
        ).copies
    }
    for file in files {
      let label = sources[file.source].label
      if let reason = copies[label] {
        hasCalendar = true
        take(.unreadable(path: label, reason: reason), report)
      } else {
        finish(file.contents, file.source, report)
      }
    }
  }

  private mutating func finish(
    _ contents: Contents, _ number: Int, _ report: (FileEvent) -> Void
  ) {
    contents.items.finish(into: &query, source: number)
    if var reminders = overdueReminders {
      overdueReminders = nil
      contents.items.finish(into: &reminders, source: number)
      overdueReminders = reminders
    }
    freeBusyComponents += contents.items.freeBusy
    availabilities += contents.items.availabilities.map {
      Availabilities(source: number, contents: $0)
    }
    if contents.isCalendar {
      hasCalendar = true
    } else {
      take(.notCalendar(path: sources[number].label), report)
    }
  }

  private mutating func read(
    _ file: FileSource, _ days: ClosedRange<CivilDate>?, _ report: (FileEvent) -> Void
  ) throws -> FoundFile {
    let number = sources.count - 1
    // A pipe cannot be read again if too much of it was dropped.
    let spool: SpooledInput
    if days == nil {
      spool = SpooledInput()
    } else {
      spool = try SpooledInput.copy(of: file, in: machine.environment["TMPDIR"] ?? "/var/tmp")
    }
    let source = spool.source ?? file
    var contents = try contents(of: source, days)
    if !contents.tornItems.isEmpty {
      contents = try self.contents(of: source, days, keeping: contents.tornItems)
      // The file has changed since the last pass.
      if !contents.tornItems.isEmpty { contents = try self.contents(of: source, nil) }
    }
    extendLifetime(spool)
    if let charset = contents.charset { report(.decoded(path: file.label, charset: charset)) }
    for diagnostic in contents.diagnostics {
      report(.diagnostic(path: file.label, diagnostic))
    }
    sources[number].budget = contents.budget
    if contents.hasFailures { hasFailures = true }
    sources[number].lineMap = contents.lineMap
    return FoundFile(source: number, contents: contents)
  }

  private func contents(
    of file: FileSource, _ days: ClosedRange<CivilDate>?, keeping items: Set<UInt64> = []
  ) throws -> Contents {
    var contents = Contents()
    contents.budget = DiagnosticBudget(limit: request.diagnosticLimit)
    let sieve = days.map {
      ComponentSieve(days: $0, keeping: items, keepsReminders: request.collectsOverdue)
    }
    var reader = try CalendarReader(file, options: request.options, sieve: sieve)
    contents.charset = reader.charset
    while let element = try reader.next() {
      switch element {
      case .calendarBegan, .component: contents.isCalendar = true
      case .diagnostic(let diagnostic) where diagnostic.severity == .error:
        if diagnostic.losesContents { contents.hasFailures = true }
        if contents.budget.admits() { contents.diagnostics.append(diagnostic) }
      case .diagnostic, .property, .calendarEnded: break
      }
      contents.items.take(element)
    }
    contents.lineMap = reader.sieve?.lineMap
    contents.tornItems = reader.sieve?.tornItems ?? []
    contents.onlyItem =
      reader.sieve.map { $0.onlyItem.map { .sifted($0) } }
      ?? contents.items.onlyUID.map { .parsed($0) }
    return contents
  }
}

// MARK: Occurrences

/// Calendars that are read for their occurrences.
public typealias OccurrenceView = CalendarView<OccurrenceQuery>

extension CalendarView where Query == OccurrenceQuery {
  /// Reads calendars for their occurrences.
  ///
  /// - Parameters:
  ///   - request: The calendars and the range.
  ///   - machine: The time zones.
  ///   - report: Receives the events of the files.
  /// - Throws: `CancellationError`; problems of the files are only reported.
  public init(
    _ request: ViewRequest, machine: Machine = .live(), report: (FileEvent) -> Void
  ) throws {
    var options = OccurrenceOptions()
    options.includesCancelled = request.includesCancelled
    options.reminders = request.reminders
    options.recurrence = machine.recurrenceOptions
    let query = OccurrenceQuery(
      in: request.range, viewer: request.viewer, zones: machine.zoneResolver, options: options)
    try self.init(query, request, skips: true, machine: machine, report: report)
  }

  /// The occurrences, in order and computed on demand.
  ///
  /// The findings of its iterator concern searches that ended at a limit; see ``events(for:)``.
  public func occurrences() -> ViewOccurrences {
    ViewOccurrences(query.occurrences(), where: condition)
  }

  /// The reminders that were due before the range and are not completed, by due time.
  ///
  /// Of a series, it is the first such occurrence, as in a list of tasks. It is empty unless the request collects them.
  public func overdue() -> [Occurrence] {
    overdueReminders?.occurrences(where: condition ?? { _ in true }) ?? []
  }

  /// The filter of the request, with the names of the calendars.
  private var condition: (@Sendable (Occurrence) -> Bool)? {
    guard let filter = request.filter else { return nil }
    let names = sources.map(\.calendar)
    return { occurrence in
      let place = occurrence.source
      return filter.matches(occurrence, calendar: names.indices.contains(place) ? names[place] : "")
    }
  }

  /// The days of the range with their occurrences.
  public func days() -> AgendaDays {
    AgendaDays(
      occurrences(), in: request.range, viewer: request.viewer, user: request.user,
      copySuffixes: request.copySuffixes)
  }

  /// The busy time, with that of VFREEBUSY and VAVAILABILITY components.
  ///
  /// - Parameters:
  ///   - allDayBlocks: Whether all-day events without TRANSP make the user busy.
  ///   - report: Receives the events of the search.
  /// - Returns: The busy time.
  /// - Throws: `EpactError` if there are too many events or periods; `CancellationError`.
  public mutating func freeBusy(
    allDayBlocks: Bool = true, report: (FileEvent) -> Void
  ) throws -> FreeBusy {
    var options = OccurrenceOptions()
    options.recurrence = machine.recurrenceOptions
    var busy = BusyTime(
      in: request.range, viewer: request.viewer, zones: machine.zoneResolver, options: options)
    busy.allDayBlocks = allDayBlocks
    busy.user = request.user
    var iterator = occurrences()
    try busy.add(&iterator)
    for event in events(for: iterator.findings) { report(event) }
    busy.add(freeBusyComponents)
    for file in availabilities {
      busy.add(file.contents, source: file.source)
    }
    for event in events(for: busy.findings) { report(event) }
    return try busy.finish()
  }
}

// MARK: Alarms

/// Calendars that are read for their alarms.
public typealias AlarmView = CalendarView<AlarmQuery>

extension CalendarView where Query == AlarmQuery {
  /// Reads calendars for their alarms.
  ///
  /// - Parameters:
  ///   - request: The calendars and the range.
  ///   - limit: The maximum number of alarms, the earliest ones.
  ///   - machine: The time zones.
  ///   - report: Receives the events of the files.
  /// - Throws: `CancellationError`; problems of the files are only reported.
  public init(
    alarmsOf request: ViewRequest, limit: Int = AlarmQuery.limit, machine: Machine = .live(),
    report: (FileEvent) -> Void
  ) throws {
    var options = OccurrenceOptions()
    options.recurrence = machine.recurrenceOptions
    let query = AlarmQuery(
      in: request.range, viewer: request.viewer, zones: machine.zoneResolver, options: options,
      limit: limit)
    try self.init(query, request, skips: false, machine: machine, report: report)
  }

  /// The alarms in chronological order.
  ///
  /// Events that the user declined have none.
  public var alarms: [AlarmOccurrence] {
    guard !request.user.isEmpty else { return query.alarms }
    return query.alarms.filter { $0.occurrence.answer(of: request.user) != .declined }
  }

  /// Whether later alarms were dropped because of the limit.
  public var isCut: Bool { query.isCut }
}

extension Range<Instant> {
  /// The days of the range in a time zone, possibly with the following day.
  fileprivate func days(in zone: ZoneRules) -> ClosedRange<CivilDate> {
    let first = zone.civil(at: lowerBound)?.date ?? .first
    let last = zone.civil(at: upperBound)?.date ?? .last
    return first...Swift.max(first, last)
  }
}

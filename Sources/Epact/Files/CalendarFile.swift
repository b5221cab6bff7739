// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
public import CivilTime
public import ICalSyntax

/// A calendar file in memory, of any format and charset, with everything that can be done with it.
///
/// ```swift
/// let file = try CalendarFile(contentsOf: "team.ics")
/// for diagnostic in file.diagnostics { print(diagnostic.formatted(path: file.name)) }
/// for occurrence in file.occurrences(in: week, zone: berlin) { print(occurrence.start.rfc3339) }
/// let merged = try CalendarFile.merge(base: base, local: mine, remote: theirs)
/// try file.write(to: "team.json", as: .jCal)
/// ```
///
/// Reading reports problems in ``diagnostics`` and throws only if there is no calendar. For files
/// that are longer than memory allows, use ``FileConversion``, ``FileCheck`` and
/// ``CalendarImport``, which read streams.
///
/// ## Topics
///
/// ### Reading
/// - ``init(contentsOf:options:machine:)``
/// - ``init(_:name:options:machine:)``
///
/// ### Contents
/// - ``calendars``
/// - ``components``
/// - ``items``
/// - ``diagnostics``
/// - ``occurrences(in:zone:options:)``
/// - ``alarms(in:zone:)``
/// - ``days(in:zone:)``
/// - ``freeBusy(in:zone:)``
///
/// ### Checking
/// - ``check()``
/// - ``fixed()``
///
/// ### Comparing and merging
/// - ``changes(from:)``
/// - ``merge(base:local:remote:policies:)``
///
/// ### Writing
/// - ``bytes(as:)``
/// - ``write(to:as:)``
public struct CalendarFile: Sendable {
  /// The maximum size of a file, in bytes.
  static let sizeLimit = 512 << 20

  /// The path of the file, or the name that the caller gave to bytes.
  public let name: String
  /// The format.
  public let form: FileForm
  /// The charset from which the file was converted; nil if it is UTF-8.
  public let charset: FileCharset?
  /// The original bytes.
  public let bytes: [UInt8]
  /// The calendars (VCALENDAR) with their components, usually one.
  public private(set) var calendars: [Component] = []
  /// The components outside of any calendar.
  public private(set) var strays: [Component] = []
  /// The diagnostics of the parser, in order of their positions.
  public private(set) var diagnostics: [Diagnostic] = []
  /// The elements of the file, in order; they share the memory of the parsed file.
  private let elements: [ReaderElement]
  private let options: ReadingOptions
  let machine: Machine

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path, or `-` for standard input.
  ///   - options: The choices for reading.
  ///   - machine: The time zones for occurrences and comparisons.
  /// - Throws: `EpactError` if the file cannot be read or contains no calendar;
  ///   `CancellationError`.
  public init(
    contentsOf path: String, options: ReadingOptions = ReadingOptions(),
    machine: Machine = .live()
  ) throws {
    let source = FileSource(path: path)
    let bytes = try source.bytes(limit: Self.sizeLimit, "larger than 512 MiB")
    try self.init(bytes, name: path, options: options, machine: machine)
  }

  /// Reads the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - name: The name in messages.
  ///   - options: The choices for reading.
  ///   - machine: The time zones for occurrences and comparisons.
  /// - Throws: `EpactError` if the bytes contain no calendar.
  public init(
    _ bytes: [UInt8], name: String = "calendar.ics", options: ReadingOptions = ReadingOptions(),
    machine: Machine = .live()
  ) throws {
    self.name = name
    self.bytes = bytes
    self.options = options
    self.machine = machine
    let source = FileSource.bytes(bytes, label: name)
    (form, charset, elements) = try source.reporting {
      var reader = try CalendarReader(source, options: options)
      var elements: [ReaderElement] = []
      while let element = try reader.next() { elements.append(element) }
      return (reader.form ?? .iCalendar, reader.charset, elements)
    }
    collect()
    guard !calendars.isEmpty || !strays.isEmpty else {
      let reason = diagnostics.first { $0.severity == .error }?.message ?? "not a calendar"
      throw EpactError(.failed, "\(name): \(reason)", subject: name)
    }
  }

  /// Collects the calendars, the strays and the diagnostics from the elements.
  private mutating func collect() {
    var open: (properties: [Property], components: [Component], position: SourcePosition)?
    func close() -> [Component] {
      guard let calendar = open else { return [] }
      open = nil
      return [
        Component(
          .calendar, properties: calendar.properties, components: calendar.components,
          position: calendar.position)
      ]
    }
    for element in elements {
      switch element {
      case .calendarBegan(let position, _):
        calendars += close()
        open = ([], [], position)
      case .property(let property): open?.properties.append(property)
      case .component(let component) where open == nil: strays.append(component)
      case .component(let component): open?.components.append(component)
      case .calendarEnded: calendars += close()
      case .diagnostic(let diagnostic): diagnostics.append(diagnostic)
      }
    }
    calendars += close()
    diagnostics.sort { $0.position < $1.position }
  }

  /// The components of all calendars and the strays, in order.
  public var components: [Component] { calendars.flatMap { Array($0.components) } + strays }

  private var source: FileSource { .bytes(bytes, label: name) }

  /// The items: the components of each UID, with the time zones that they use.
  ///
  /// Components that belong to no item are omitted.
  public var items: [CalendarItem] { collection.items.values.sorted { $0.uid < $1.uid } }

  /// The items by UID, with the problems of the components that belong to none.
  private var collection: ItemCollection {
    var collection = ItemCollection()
    collection.add(elements, of: name)
    return collection
  }
}

// MARK: Views

extension CalendarFile {
  /// The occurrences in a range of time.
  ///
  /// - Parameters:
  ///   - range: The range; its end is exclusive.
  ///   - zone: The viewer's time zone, for dates and floating times.
  ///   - options: The choices where the RFC is ambiguous; by default those of the machine.
  /// - Returns: The occurrences, in order and computed on demand.
  public func occurrences(
    in range: Range<Instant>, zone: ZoneRules, options: OccurrenceOptions? = nil
  ) -> Occurrences {
    query(in: range, zone: zone, options: options).occurrences()
  }

  /// The days of a range with their occurrences; reminders are on the day on which they are due.
  public func days(in range: Range<Instant>, zone: ZoneRules) -> AgendaDays {
    var options = occurrenceOptions
    options.reminders = .due
    let occurrences = query(in: range, zone: zone, options: options).occurrences()
    return AgendaDays(occurrences, in: range, viewer: zone)
  }

  /// The alarms in a range of time, in chronological order.
  public func alarms(in range: Range<Instant>, zone: ZoneRules) -> [AlarmOccurrence] {
    var query = AlarmQuery(
      in: range, viewer: zone, zones: machine.zoneResolver, options: occurrenceOptions)
    reading.finish(into: &query, source: 0)
    return query.alarms
  }

  /// The busy time in a range of time, with that of VFREEBUSY and VAVAILABILITY components.
  ///
  /// - Throws: `EpactError` if there are too many events or periods; `CancellationError`.
  public func freeBusy(in range: Range<Instant>, zone: ZoneRules) throws -> FreeBusy {
    var busy = BusyTime(in: range, viewer: zone, machine: machine)
    var iterator = ViewOccurrences(occurrences(in: range, zone: zone))
    try busy.add(&iterator)
    let reading = reading
    busy.add(reading.freeBusy)
    for contents in reading.availabilities { busy.add(contents, source: 0) }
    return try busy.finish()
  }

  private var occurrenceOptions: OccurrenceOptions {
    var options = OccurrenceOptions()
    options.recurrence = machine.recurrenceOptions
    return options
  }

  private var reading: OccurrenceReading {
    var reading = OccurrenceReading()
    for element in elements { reading.take(element) }
    return reading
  }

  private func query(
    in range: Range<Instant>, zone: ZoneRules, options: OccurrenceOptions?
  ) -> OccurrenceQuery {
    var query = OccurrenceQuery(
      in: range, viewer: zone, zones: machine.zoneResolver, options: options ?? occurrenceOptions)
    reading.finish(into: &query, source: 0)
    return query
  }
}

// MARK: Checking, comparing and writing

extension CalendarFile {
  /// All problems of the file: of its lines, its structure and its values.
  public func check() throws -> [Diagnostic] {
    try FileCheck(of: source, charset: options.charset, now: machine.now()).diagnostics
  }

  /// The file with everything repaired that can be repaired without guessing.
  ///
  /// - Throws: `EpactError` if the file is not iCalendar in UTF-8.
  public func fixed() throws -> FileRepair { try source.repaired(now: machine.now()) }

  /// The differences of this file from another version of it, by meaning.
  public func changes(from other: CalendarFile) throws -> CalendarComparison {
    try CalendarComparison(
      from: other.collection, to: collection, normalForm: machine.normalForm)
  }

  /// The file in another format.
  ///
  /// - Throws: `EpactError`.
  public func bytes(as form: CalendarForm) throws -> [UInt8] {
    var output: [UInt8] = []
    var conversion = FileConversion(to: form, options: options) { _ in }
    try conversion.add(source) { output += $0 }
    try conversion.finish { output += $0 }
    return output
  }

  /// Writes the file in a format; an existing file is replaced at once.
  ///
  /// - Throws: `StoreError`.
  public func write(to path: String, as form: CalendarForm = .iCalendar) throws {
    try AtomicFile.write(
      try bytes(as: form), to: machine.paths.absolute(path), permissions: .shared)
  }
}

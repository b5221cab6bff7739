// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
public import ICUServices
public import ICalSyntax
public import Recurrence

/// A calendar file in memory, of any format and charset.
///
/// ```swift
/// import CalendarFiles
///
/// let file = try CalendarFile(contentsOf: "team.ics")
/// for diagnostic in file.diagnostics { print(diagnostic.formatted(path: file.name)) }
/// for item in file.items { print(item.title) }
/// let jCal = try file.bytes(as: .jCal)
/// ```
///
/// Reading reports problems in ``diagnostics`` and throws only if there is no calendar. Use
/// ``FileConversion`` and ``FileCheck``, which read streams, for files that are longer than memory
/// allows. The library Epact adds merges, comparisons and free/busy time.
///
/// ## Topics
///
/// ### Reading
/// - ``init(contentsOf:options:zones:calendars:)``
/// - ``init(_:name:options:zones:calendars:)``
///
/// ### Contents
/// - ``calendars``
/// - ``components``
/// - ``items``
/// - ``diagnostics``
/// - ``occurrences(in:zone:options:)``
/// - ``alarms(in:zone:)``
///
/// ### Checking
/// - ``check(now:)``
/// - ``fixed(now:)``
///
/// ### Writing
/// - ``bytes(as:)``
public struct CalendarFile: Sendable {
  /// The maximum size of a file, in bytes.
  package static let sizeLimit = 512 << 20

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
  /// The resolver of time zone names.
  public let zones: ZoneResolver
  /// The calendar systems other than Gregorian, for rules with RSCALE (RFC 7529).
  package let calendarSystems: [any CalendarSystem]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path, or `-` for standard input.
  ///   - options: The choices for reading.
  ///   - zones: The resolver of time zone names.
  ///   - calendars: The calendar systems other than Gregorian, for rules with RSCALE.
  /// - Throws: `FileError` if the file cannot be read or contains no calendar;
  ///   `CancellationError`.
  public init(
    contentsOf path: String, options: ReadingOptions = ReadingOptions(),
    zones: ZoneResolver = .system, calendars: [any CalendarSystem] = NonGregorianCalendar.shared
  ) throws {
    let source = FileSource(path: path)
    let bytes = try source.bytes(limit: Self.sizeLimit, "larger than 512 MiB")
    try self.init(bytes, name: path, options: options, zones: zones, calendars: calendars)
  }

  /// Reads the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - name: The name in messages.
  ///   - options: The choices for reading.
  ///   - zones: The resolver of time zone names.
  ///   - calendars: The calendar systems other than Gregorian, for rules with RSCALE.
  /// - Throws: `FileError` if the bytes contain no calendar.
  public init(
    _ bytes: [UInt8], name: String = "calendar.ics", options: ReadingOptions = ReadingOptions(),
    zones: ZoneResolver = .system, calendars: [any CalendarSystem] = NonGregorianCalendar.shared
  ) throws {
    self.name = name
    self.bytes = bytes
    self.options = options
    self.zones = zones
    calendarSystems = calendars
    let source = FileSource.bytes(bytes, label: name)
    (form, charset, elements) = try source.reporting {
      var reader = try CalendarReader(source, options: options)
      var elements: [ReaderElement] = []
      while let element = try reader.next() { elements.append(element) }
      return (reader.form ?? .iCalendar, reader.charset, elements)
    }
    collect()
    // The parameter has the same name.
    guard !self.calendars.isEmpty || !strays.isEmpty else {
      let reason = diagnostics.first { $0.severity == .error }?.message ?? "not a calendar"
      throw FileError(.noCalendar, name, reason)
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
  package var collection: ItemCollection {
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

  /// The alarms in a range of time, in chronological order.
  public func alarms(in range: Range<Instant>, zone: ZoneRules) -> [AlarmOccurrence] {
    var query = AlarmQuery(
      in: range, viewer: zone, zones: zones, options: occurrenceOptions)
    reading.finish(into: &query, source: 0)
    return query.alarms
  }

  /// The options of views, with the calendar systems.
  package var occurrenceOptions: OccurrenceOptions {
    var options = OccurrenceOptions()
    options.recurrence.calendars = calendarSystems
    return options
  }

  /// The components, for queries.
  package var reading: OccurrenceReading {
    var reading = OccurrenceReading()
    for element in elements { reading.take(element) }
    return reading
  }

  /// A query for the occurrences in a range of time.
  package func query(
    in range: Range<Instant>, zone: ZoneRules, options: OccurrenceOptions?
  ) -> OccurrenceQuery {
    var query = OccurrenceQuery(
      in: range, viewer: zone, zones: zones, options: options ?? occurrenceOptions)
    reading.finish(into: &query, source: 0)
    return query
  }
}

// MARK: Checking and writing

extension CalendarFile {
  /// All problems of the file: of its lines, its structure and its values.
  ///
  /// - Parameter now: The current time; nil to skip the checks of stamps in the future.
  /// - Returns: The diagnostics, at most 100,000.
  /// - Throws: `FileError` if the file exceeds a limit.
  public func check(now: Instant? = nil) throws -> [Diagnostic] {
    try FileCheck(
      of: source, charset: options.charset, limits: options.limits, now: now
    ).diagnostics
  }

  /// The file with everything repaired that can be repaired without guessing.
  ///
  /// - Parameter now: The current time; nil to skip the checks of stamps in the future.
  /// - Returns: The repaired text, the applied fixes and the remaining diagnostics.
  /// - Throws: `FileError` if the file is not iCalendar in UTF-8.
  public func fixed(now: Instant? = nil) throws -> FileRepair {
    try source.repaired(limits: options.limits, now: now)
  }

  /// The file in another format.
  ///
  /// - Parameter form: The format.
  /// - Returns: The bytes.
  /// - Throws: `FileError`.
  public func bytes(as form: CalendarForm) throws -> [UInt8] {
    var output: [UInt8] = []
    var conversion = FileConversion(to: form, options: options) { _ in }
    try conversion.add(source) { output += $0 }
    try conversion.finish { output += $0 }
    return output
  }
}

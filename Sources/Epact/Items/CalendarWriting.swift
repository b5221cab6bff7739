// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
public import CalendarSync
public import ICalSyntax

/// Writes a calendar as one iCalendar file, with each time zone once.
///
/// ```swift
/// let writing = try await CalendarWriting(of: home.location)
/// try writing.write(to: "home.ics")
/// ```
///
/// Time zones that items use without a definition are defined, because programs such as Outlook
/// cannot interpret the times otherwise.
public struct CalendarWriting: Sendable {
  /// The items.
  public let items: [CalendarItem]
  /// The entries of the calendar that are not valid items, and so are not written.
  public let unreadable: [UnreadableEntry]
  /// The errors of time zones that items use and that cannot be defined.
  public let undefinedZones: [ZoneResolutionError]
  /// The name, the colour and the description of the calendar.
  private let properties: [Property]
  /// The definitions of time zones that items use without a definition, sorted by name.
  private let definitions: [Component]
  private let machine: Machine

  /// Reads the items of a calendar.
  ///
  /// - Parameters:
  ///   - calendar: The calendar: a folder, or a file that ends in `.ics`.
  ///   - machine: The time zones.
  /// - Throws: `EpactError` if there is no calendar; `StoreError`.
  public init(of calendar: CalendarLocation, machine: Machine = .live()) async throws {
    guard calendar.exists else {
      throw EpactError(
        .failed, "there is no calendar at \(calendar.path)", subject: calendar.path)
    }
    let listing = try await calendar.open(for: .reading, knowing: machine.knownNames).scan()
    self.init(
      listing.entries.map(\.item), properties: try CalendarHeading(of: calendar).properties,
      unreadable: listing.unreadable, machine: machine)
  }

  /// Takes items.
  ///
  /// - Parameters:
  ///   - items: The items, in the order in which they are written.
  ///   - unreadable: The entries of the calendar that are not valid items.
  ///   - machine: The time zones.
  public init(
    _ items: [CalendarItem], unreadable: [UnreadableEntry] = [], machine: Machine = .live()
  ) {
    self.init(items, properties: [], unreadable: unreadable, machine: machine)
  }

  private init(
    _ items: [CalendarItem], properties: [Property], unreadable: [UnreadableEntry],
    machine: Machine
  ) {
    self.items = items
    self.properties = properties
    self.unreadable = unreadable
    self.machine = machine
    let missing = MissingDefinitions(of: items, zones: machine.zoneResolver)
    (definitions, undefinedZones) = (missing.definitions, missing.errors)
  }

  /// Returns the writing of the items that satisfy a condition.
  public func filtered(_ condition: (CalendarItem) -> Bool) -> CalendarWriting {
    CalendarWriting(
      items.filter(condition), properties: properties, unreadable: unreadable, machine: machine)
  }

  /// Writes the items to a file, which is replaced at once or not at all.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - form: The form of unchanged content.
  /// - Returns: The TZIDs that items define differently, and that were renamed.
  /// - Throws: `StoreError`; `CancellationError`.
  @discardableResult
  public func write(to path: String, form: Serializer.Form = .verbatim) throws -> [Diagnostic] {
    let file = try AtomicFile(replacing: machine.paths.absolute(path), permissions: .shared)
    let diagnostics = try write(form: form) { try file.write($0) }
    try file.commit()
    return diagnostics
  }

  /// Writes the items to a receiver of bytes.
  ///
  /// - Parameters:
  ///   - form: The form of unchanged content.
  ///   - sink: The receiver.
  /// - Returns: The TZIDs that items define differently, and that were renamed.
  /// - Throws: Errors of the receiver; `CancellationError`.
  @discardableResult
  public func write(
    form: Serializer.Form = .verbatim, to sink: ([UInt8]) throws -> Void
  ) throws -> [Diagnostic] {
    var export = CalendarExport(
      properties: properties, timeZones: definitions, form: form, zones: machine.zoneResolver)
    let spans: CalendarExport.Sink = { span in try sink(Array(copying: span)) }
    try export.begin(to: spans)
    for item in items {
      try Task.checkCancellation()
      try export.add(item, to: spans)
    }
    try export.end(to: spans)
    return export.diagnostics
  }
}

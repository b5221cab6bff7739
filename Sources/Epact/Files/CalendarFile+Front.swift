// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
public import CalendarModel
import CalendarStore
public import CivilTime

/// Additions to a file in memory: the machine, views of days, comparisons, and writing.
extension CalendarFile {
  /// Reads a file, with the time zones of a machine.
  ///
  /// - Parameters:
  ///   - path: The path, or `-` for standard input.
  ///   - options: The choices for reading.
  ///   - machine: The time zones and the calendar systems.
  /// - Throws: `FileError` if the file cannot be read or contains no calendar; `CancellationError`.
  public init(
    contentsOf path: String, options: ReadingOptions = ReadingOptions(), machine: Machine
  ) throws {
    try self.init(
      contentsOf: path, options: options, zones: machine.zoneResolver, calendars: machine.calendars)
  }

  /// Reads the bytes of a file, with the time zones of a machine.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - name: The name in messages.
  ///   - options: The choices for reading.
  ///   - machine: The time zones and the calendar systems.
  /// - Throws: `FileError` if the bytes contain no calendar.
  public init(
    _ bytes: [UInt8], name: String = "calendar.ics", options: ReadingOptions = ReadingOptions(),
    machine: Machine
  ) throws {
    try self.init(
      bytes, name: name, options: options, zones: machine.zoneResolver,
      calendars: machine.calendars)
  }

  /// The days of a range with their occurrences; reminders are on the day on which they are due.
  public func days(in range: Range<Instant>, zone: ZoneRules) -> AgendaDays {
    var options = occurrenceOptions
    options.reminders = .due
    let occurrences = query(in: range, zone: zone, options: options).occurrences()
    return AgendaDays(occurrences, in: range, viewer: zone)
  }

  /// The busy time in a range of time, with that of VFREEBUSY and VAVAILABILITY components.
  ///
  /// - Throws: `EpactError` if there are too many events or periods; `CancellationError`.
  public func freeBusy(in range: Range<Instant>, zone: ZoneRules) throws -> FreeBusy {
    var busy = BusyTime(in: range, viewer: zone, zones: zones, options: occurrenceOptions)
    var iterator = ViewOccurrences(occurrences(in: range, zone: zone))
    try busy.add(&iterator)
    let reading = reading
    busy.add(reading.freeBusy)
    for contents in reading.availabilities { busy.add(contents, source: 0) }
    return try busy.finish()
  }

  /// The differences of this file from another version of it, by meaning.
  public func changes(from other: CalendarFile) throws -> CalendarComparison {
    try CalendarComparison(
      from: other.collection, to: collection, normalForm: NormalForm(zones: zones))
  }

  /// Writes the file in a format; an existing file is replaced at once.
  ///
  /// - Parameters:
  ///   - path: The path. A relative one starts in the current folder of the process.
  ///   - form: The format.
  /// - Throws: `FileError`; `StoreError`.
  public func write(to path: String, as form: CalendarForm = .iCalendar) throws {
    try AtomicFile.write(
      try bytes(as: form), to: Machine.live().paths.absolute(path), permissions: .shared)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
package import CalendarModel
import CalendarSync
import CivilTime
import Glibc

/// The forms that another program requests, over the user's calendars.
///
/// It decides which calendars are offered, reads the values of forms and saves events. A terminal
/// and a page show the forms.
package struct HandoffDesk: Sendable {
  /// The calendars and the time zones.
  package let editor: LibraryEditor
  /// Reads dates and repetitions.
  package let dates: DateReading

  private var library: CalendarLibrary { editor.library }
  private var machine: Machine { library.machine }

  /// Opens the calendars of a library.
  ///
  /// - Throws: `ICUError` if ICU lacks its data; `LibraryError` if the configuration is invalid.
  package init(_ library: CalendarLibrary) throws {
    let viewer = try library.machine.viewerZone()
    editor = LibraryEditor(library, viewer: viewer)
    dates = try DateReading(machine: library.machine, viewer: viewer)
  }

  // MARK: A prepared event

  /// The calendars that accept a prepared item.
  package struct Targets: Sendable {
    /// The calendars.
    package let calendars: [CalendarInfo]
    /// The calendar that is chosen at first.
    package let standard: CalendarInfo
  }

  /// The calendars that accept new items of a kind.
  ///
  /// - Throws: `EpactError` if there is none; `LibraryError`.
  package func targets(for kind: ItemKind) throws -> Targets {
    let calendars = try library.calendars().filter { !$0.isReadOnly && $0.kinds.contains(kind) }
    guard let standard = try library.defaultCalendar(for: kind) ?? calendars.first else {
      throw try library.noCandidate()
    }
    return Targets(calendars: calendars, standard: standard)
  }

  /// A prepared item as one of a calendar, which does not have it yet.
  package func unsaved(_ item: CalendarItem, in calendar: CalendarInfo) -> FoundItem {
    FoundItem(
      calendar: calendar, entry: LocalEntry(name: "", revision: Revision(""), item: item))
  }

  /// A prepared event with new values.
  ///
  /// - Throws: `EpactError` if a value is invalid, or the event has no start.
  package func changed(_ event: CalendarItem, _ details: ItemDetails) throws -> CalendarItem {
    try editor.changing(event, details)
  }

  /// Saves a prepared item in a calendar, as a run of the history that can be undone.
  ///
  /// A program without access adds items. It cannot replace one, even if it knows the UID.
  ///
  /// - Throws: `EpactError` if the calendar has an item with the UID, or if the item is rejected;
  ///   `LibraryError`; `StoreError`; `CancellationError`.
  package func save(_ item: CalendarItem, in calendar: CalendarInfo) async throws {
    if let known = try library.entry(item.uid, of: calendar) {
      throw EpactError(
        .argument,
        "\(calendar.title) has the item already, as \"\(known.item.title)\", and it is not replaced"
      )
    }
    let writing = CalendarWriting([item], machine: machine)
    var bytes: [UInt8] = []
    try writing.write { bytes += $0 }
    let source = ImportSource(.bytes(bytes, label: item.uid.rawValue))
    let request = ImportRequest(sources: [source], into: calendar.location)
    var rejection: String?
    let summary = try await CalendarImport.run(request, machine: machine) { event in
      if case .item(let item) = event, item.outcome == .rejected { rejection = item.reason }
    }
    guard summary.outcome == .complete, rejection == nil else {
      throw EpactError(.failed, "it was not saved: \(rejection ?? "the item is not valid")")
    }
  }

  // MARK: An event of the user

  /// The event with a UID.
  ///
  /// - Parameters:
  ///   - uid: The UID.
  ///   - calendar: The identifier or the name of its calendar.
  ///   - time: The time at which the series has the occurrence; nil for the event as a whole.
  /// - Returns: The event.
  /// - Throws: `EpactError` if there is no such event; `LibraryError`.
  package func event(
    _ uid: UID, in calendar: String, at time: EventTime?
  ) throws -> FoundItem {
    let known = try library.calendars()
    let found = known.first { $0.id == calendar } ?? known.first { $0.name == calendar }
    guard let found, let entry = try library.entry(uid, of: found), entry.item.kind == .event,
      editor.component(of: entry.item, at: time) != nil
    else { throw EpactError(.failed, "there is no such event") }
    return FoundItem(calendar: found, entry: entry)
  }

  /// Whether an event can be changed and deleted.
  package func canChange(_ found: FoundItem) -> Bool {
    (try? editor.expectChangeable(found)) != nil
  }

  /// The parts of an event that an edit can change, the one that is shown first.
  ///
  /// - Parameters:
  ///   - found: The event.
  ///   - time: The time of the shown occurrence; nil for the event as a whole.
  /// - Returns: One part, or three of a series.
  package func spans(of found: FoundItem, at time: EventTime?) -> [EditSpan] {
    guard found.isSeries, let time else { return [.all] }
    return [.occurrence(time), .future(from: time), .all]
  }

  // MARK: A choice of calendars

  /// The calendars for items of a kind.
  ///
  /// - Parameters:
  ///   - kind: The kind of items.
  ///   - isWritableOnly: Whether only calendars that accept new items are offered.
  /// - Returns: The calendars.
  /// - Throws: `EpactError` if there is none; `LibraryError`.
  package func calendars(for kind: ItemKind, isWritableOnly: Bool) throws -> [CalendarInfo] {
    let calendars = try library.calendars().filter {
      $0.kinds.contains(kind) && !($0.isReadOnly && isWritableOnly)
    }
    guard !calendars.isEmpty else {
      throw EpactError(
        .configuration, "no calendar of the configuration is suitable", remedy: .configure)
    }
    return calendars
  }

  // MARK: Requests

  /// The maximum size of a prepared item, in bytes.
  private static let sizeLimit = 16 << 20

  /// The prepared item on standard input.
  ///
  /// - Throws: `EpactError` if the text is not one item; `SystemError`.
  package static func preparedItem() throws -> CalendarItem {
    var stream = InputStream(descriptor: STDIN_FILENO)
    guard let bytes = try stream.readAll(limit: sizeLimit) else {
      throw EpactError(.argument, "the prepared event is too large")
    }
    do {
      return try CalendarItem(parsing: bytes)
    } catch {
      throw EpactError(.argument, "the prepared text is not one item: \(error)")
    }
  }

  /// The time of an occurrence in a request.
  ///
  /// - Throws: `EpactError` if the text is no time.
  package static func time(_ text: String) throws -> EventTime? {
    do {
      switch try Moment(parsing: text) {
      case .date(let date): return .date(date)
      case .local(let wall): return .floating(wall)
      case .instant(let instant): return instant.civil().map { .utc($0) }
      }
    } catch {
      throw EpactError(.argument, "\(error)")
    }
  }
}

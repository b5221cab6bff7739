// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CivilTime
import ICalSyntax

/// The file that readers of a feed get.
public struct FeedFile: Hashable, Sendable {
  /// The form of a feed.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    /// A calendar (`.ics`).
    case calendar = "ics"
    /// Busy time (VFREEBUSY, RFC 5545 §3.6.4), as `.ifb`.
    case freeBusy = "ifb"
  }

  /// The bytes of the file.
  public let bytes: [UInt8]
  /// The strong entity tag, with quotes (RFC 9110 §8.8.3).
  public let etag: String
}

extension CalendarLibrary {
  /// The time after which readers are asked to read a feed again (RFC 7986 §5.7).
  private static let refreshInterval = "PT1H"
  /// The days after today that busy time includes if the feed has no limit.
  private static let busyDays = 60
  private static let day: Int64 = 86_400

  /// The contents of a feed; the same bytes as long as nothing that is shown changes.
  ///
  /// A reader takes an item that a feed lacks for a deleted one. So a feed of a calendar that cannot be read
  /// as a whole is an error.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - form: The form.
  /// - Returns: The contents.
  /// - Throws: `EpactError` if a calendar is gone, or is empty although a sync has items in it, if a file
  ///   cannot be read, or if busy time has too many periods; `LibraryError`; `StoreError`; errors of the
  ///   ledger; `CancellationError`.
  public func contents(
    of feed: Feed, as form: FeedFile.Form = .calendar
  ) throws -> FeedFile {
    var settings = feed.settings
    if form == .freeBusy { settings.projection.detail = .busy }
    let projector = try projector(of: settings, named: feed.name)
    let sources = try sources(of: settings)
    let range = range(of: settings, isBusyTime: form == .freeBusy)
    var items: [CalendarItem] = []
    var seen: Set<UID> = []
    for source in sources {
      let calendar = ProjectedCalendar(name: source.name, title: source.title)
      for entry in try entries(of: source, in: range) where !seen.contains(entry.item.uid) {
        if items.count.isMultiple(of: 256) { try Task.checkCancellation() }
        guard let item = projector.projection(of: entry.item, in: calendar),
          try takesPlace(item, in: range)
        else { continue }
        seen.insert(entry.item.uid)
        items.append(item)
      }
      try expectWhole(source)
    }
    // The order tells nothing of the calendars and their files.
    items.sort { $0.uid < $1.uid }
    let bytes =
      form == .freeBusy
      ? try busyTime(of: items, in: range)
      : try file(of: items, title: title(of: settings, sources))
    let etag = "\"\(SHA256.digest(of: bytes).description.prefix(32))\""
    return FeedFile(bytes: bytes, etag: etag)
  }

  /// Rejects a calendar that was read, and of which items are missing for another reason than a deletion.
  private func expectWhole(_ calendar: CalendarInfo) throws {
    if let file = unreadable(of: calendar).first(where: { $0.sharedUID == nil }) {
      throw EpactError(
        .failed,
        "\(calendar.name)/\(file.name) cannot be read, and readers would delete its items: "
          + file.reason,
        subject: calendar.name, remedy: .check(path: calendar.location.path))
    }
    guard try itemCount(of: calendar) == 0 else { return }
    let configuration = try configuration()
    for sync in configuration.syncs where sync.calendar == calendar.name {
      guard let binding = try? SyncBinding(of: sync, in: configuration, machine) else { continue }
      let count = try readLedger { try $0.places(of: binding).count }
      guard count == 0 else {
        throw EpactError(
          .failed,
          "\(calendar.name) is empty, and had \(Count(count, "item")) in the last run of \(sync.name)",
          subject: calendar.name, remedy: .other("Its disk may not be mounted."))
      }
    }
  }

  /// Writes a feed to a file for a web server, which is replaced at once or not at all.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - path: The path; one that ends in `.ifb` gets busy time.
  /// - Returns: Whether the file was changed.
  /// - Throws: As ``contents(of:as:)``.
  @discardableResult
  public func write(_ feed: Feed, to path: String) throws -> Bool {
    let path = machine.paths.absolute(path)
    let contents = try contents(
      of: feed, as: path.lowercased().hasSuffix(".ifb") ? .freeBusy : .calendar)
    var known = try? InputStream(path: path)
    if try known?.readAll(limit: contents.bytes.count + 1) == contents.bytes {
      return false
    }
    let file = try AtomicFile(replacing: path, permissions: .shared)
    try file.write(contents.bytes)
    try file.commit()
    return true
  }

  // MARK: Time

  /// The window of a feed: whole days in UTC, so that the contents change at most daily.
  private func range(of settings: FeedSettings, isBusyTime: Bool) -> Range<Instant>? {
    guard settings.past != nil || settings.future != nil || isBusyTime else { return nil }
    let now = machine.now().secondsSinceEpoch
    let today = now - (now % Self.day + Self.day) % Self.day
    func start(_ days: Int) -> Instant {
      Instant(secondsSinceEpoch: today + Int64(min(max(days, -999_999), 999_999)) * Self.day)
    }
    let always = QueryBounds.unlimited.range
    let future = settings.future ?? (isBusyTime ? Self.busyDays : nil)
    let lower = settings.past.map { start(-$0) } ?? (isBusyTime ? start(0) : always.lowerBound)
    let upper = future.map { start($0 + 1) } ?? always.upperBound
    return lower..<max(lower, upper)
  }

  /// Whether an item has an occurrence in a range; true for one without a time.
  private func takesPlace(_ item: CalendarItem, in range: Range<Instant>?) throws -> Bool {
    guard let range, item.components.contains(where: { $0[.dtStart] != nil || $0[.due] != nil })
    else { return true }
    var occurrences = occurrences(of: [item], in: range, isCancelledIncluded: true)
    return occurrences.next() != nil
  }

  private func occurrences(
    of items: [CalendarItem], in range: Range<Instant>, isCancelledIncluded: Bool = false
  ) -> Occurrences.Iterator {
    var options = OccurrenceOptions()
    options.recurrence = machine.recurrenceOptions
    options.includesCancelled = isCancelledIncluded
    let viewer = (try? machine.viewerZone()) ?? .utc
    var query = OccurrenceQuery(
      in: range, viewer: viewer, zones: machine.zoneResolver, options: options)
    for item in items { query.add(item) }
    return query.occurrences().makeIterator()
  }

  // MARK: Files

  private func title(of settings: FeedSettings, _ sources: [CalendarInfo]) -> String {
    settings.projection.detail == .busy
      ? "Busy" : sources.map(\.title).joined(separator: ", ")
  }

  private func file(of items: [CalendarItem], title: String) throws -> [UInt8] {
    let missing = MissingDefinitions(of: items, zones: machine.zoneResolver)
    var export = CalendarExport(
      properties: [
        Property(.name, text: title), Property("X-WR-CALNAME", text: title),
        Property(
          .refreshInterval, rawValue: Self.refreshInterval,
          parameters: [Parameter(.value, "DURATION")]),
        Property("X-PUBLISHED-TTL", rawValue: Self.refreshInterval),
      ], timeZones: missing.definitions, zones: machine.zoneResolver)
    var bytes: [UInt8] = []
    let sink: CalendarExport.Sink = { part in bytes += Array(copying: part) }
    try export.begin(to: sink)
    for item in items { try export.add(item, to: sink) }
    try export.end(to: sink)
    return bytes
  }

  private func busyTime(of items: [CalendarItem], in range: Range<Instant>?) throws -> [UInt8] {
    let range = range ?? QueryBounds.unlimited.range
    var busy = FreeBusy(in: range)
    var occurrences = occurrences(of: items, in: range)
    var count = 0
    while let occurrence = occurrences.next() {
      count += 1
      if count.isMultiple(of: 1024) { try Task.checkCancellation() }
      busy.add(occurrence)
      guard count <= FreeBusy.limit, !busy.isFull else {
        throw EpactError(.failed, "there are more than 250,000 periods; show a shorter time")
      }
    }
    return busy.calendar(stamp: range.lowerBound)
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
public import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Glibc
import ICalSyntax

/// The files, the calendar and the choices of an import.
public struct ImportRequest: Sendable {
  /// The paths of files, folders and ZIP archives; `-` is standard input.
  public var paths: [String]
  /// The calendar; nil to import into none, in a dry run.
  public var calendar: CalendarLocation?
  /// Whether nothing is written.
  public var isDryRun: Bool
  /// The choices for reading.
  public var options: ReadingOptions
  /// The calendars to import instead of files at paths; nil for the paths.
  public var sources: [ImportSource]?
  /// Whether the user confirmed the messages in spite of their senders and organizers.
  public var isConfirmed = false
  /// The number of days for which the history keeps runs.
  public var historyDays = 30
  /// The kinds of items that are added to the calendar; nil for all kinds.
  ///
  /// New items of other kinds are rejected. Stored ones are updated.
  public var kinds: Set<ItemKind>?
  /// The addresses of the user, for whom the withdrawal of an own invitation cancels the item.
  public var userAddresses: Set<CalendarAddress> = []

  /// Creates a request.
  public init(
    _ paths: [String], into calendar: CalendarLocation?, isDryRun: Bool = false,
    options: ReadingOptions = ReadingOptions()
  ) {
    self.paths = paths
    self.calendar = calendar
    self.isDryRun = isDryRun
    self.options = options
  }

  /// Creates a request for calendars such as those of a mail.
  public init(sources: [ImportSource], into calendar: CalendarLocation?, isDryRun: Bool = false) {
    self.init([], into: calendar, isDryRun: isDryRun)
    self.sources = sources
  }
}

/// A calendar to import, and the mail that contained it.
public struct ImportSource: Hashable, Sendable {
  /// The calendar.
  public let file: FileSource
  /// The authors of the mail, and the decision of the user.
  public var origin: SchedulingOrigin

  /// Creates a source.
  public init(_ file: FileSource, origin: SchedulingOrigin = SchedulingOrigin()) {
    self.file = file
    self.origin = origin
  }
}

/// Imports the items of files into a calendar: a folder or a file.
///
/// ```swift
/// let home = CalendarLocation(path: "/home/ada/calendars/home")
/// let request = ImportRequest(["inbox"], into: home)
/// let summary = try await CalendarImport.run(request) { event in print(event) }
/// print(summary[.added], summary[.rejected])
/// ```
///
/// Items are matched by UID. A calendar with a METHOD is a scheduling message (iTIP, RFC 5546),
/// which is applied to the item that it concerns. A mail is read with its calendars. A message that
/// is not from the person who may send it, or names another organizer than the stored item, changes
/// nothing unless the user confirms it. The import is a run in the history, which can be undone.
///
/// ```
/// bytes ──► CalendarReader ──► ItemGrouping ──► ItemSpool ──► ItemIntake ──► calendar
///                  └──► CalendarChecker, ZoneNotes ──► diagnostics
/// ```
///
/// All files are read before anything is written, so that an item with parts in several files is
/// changed once. Memory is bounded by the contents of the calendar, one batch, and the limits of
/// the grouping and the spool. A folder's batches have a fixed limit; those of a file grow with it.
public enum CalendarImport {
  /// Imports files.
  ///
  /// - Parameters:
  ///   - request: The files and the calendar.
  ///   - machine: The time zones, the clock, and the folder of the history.
  ///   - prompt: Asks the user to confirm messages; nil if no user can be asked.
  ///   - report: Receives the events of the import.
  /// - Returns: The totals.
  /// - Throws: `EpactError` if the calendar cannot be changed; `StoreError`; `CancellationError`.
  ///   What was written until then remains written.
  @discardableResult
  public static func run(
    _ request: ImportRequest, machine: Machine = .live(), prompt: (any SchedulingPrompt)? = nil,
    report: @escaping (ImportEvent) -> Void
  ) async throws -> ImportSummary {
    if let calendar = request.calendar { try expectWritable(calendar) }
    let recorder =
      request.isDryRun ? nil : ChangeRecorder(machine: machine, historyDays: request.historyDays)
    // The ledger is opened before the first write, so that every import can be undone.
    try recorder?.recover()
    let target = try ImportTarget(
      request.calendar?.path, recorder: recorder, knowing: machine.knownNames)
    var importer = Importer(into: target, options: request.options, machine: machine, report)
    importer.prompt = request.isDryRun ? nil : prompt
    importer.userAddresses = request.userAddresses
    importer.kinds = request.kinds
    for entry in target.unreadable {
      importer.report(.unreadableEntry(name: entry.name, reason: entry.reason))
    }
    let sources =
      request.sources
      ?? request.paths.flatMap { path in
        FileSource.find([path], needsFiles: true) { importer.report(.file($0)) }
          .map { ImportSource($0) }
      }
    for var source in sources {
      if request.isConfirmed { source.origin.isConfirmed = true }
      try importer.take(source)
    }
    do {
      try await importer.write()
    } catch {
      // Rethrow the original error, not an error of the end of the run.
      try? importer.end()
      throw error
    }
    try importer.end()
    return importer.summary
  }

  private static func expectWritable(_ calendar: CalendarLocation) throws(EpactError) {
    guard FileMode(calendar.path) != nil else { return }
    let isReadOnly = unsafe access(calendar.path, W_OK) != 0
    let errors = SavingRules().errors(
      saving: .event, in: SavingPlace(store: calendar.path, isReadOnly: isReadOnly))
    if let error = errors.first {
      throw EpactError(.failed, "\(calendar.name): \(error)", subject: calendar.path)
    }
  }
}

/// The state of an import.
///
/// It cannot be copied, because the spool cannot be copied.
private struct Importer: ~Copyable {
  /// The planned change of a UID.
  private struct Pending {
    let group: ItemSpool.Group
    let item: CalendarItem
    let outcome: ImportOutcome
    /// The changes made by scheduling messages; nil if there are none.
    let reason: String?
    /// Notes that are reported in addition to the change.
    let notes: [ImportedItem]
    /// The item of the calendar before the change; nil if it has none.
    let before: CalendarItem?
  }

  /// The maximum bytes of the spool in memory.
  private static let spoolThreshold = 2 << 20
  /// The maximum bytes of components held by the grouping; the spool joins parts further apart.
  private static let window = 1 << 20
  /// The maximum number of changes in the first batch.
  ///
  /// Each batch causes one sync to disk for a folder, or one rewrite for a file. Batches for a file
  /// therefore double in size, so that the total work remains linear.
  private static let batchLimit = 1000
  /// The maximum bytes of the items in the first batch.
  private static let batchSize = 4 << 20

  private(set) var summary = ImportSummary()
  private let handler: (ImportEvent) -> Void
  private var target: ImportTarget
  private let options: ReadingOptions
  private let zones: ZoneResolver
  private let rules: SavingRules
  private let horizon: Instant
  private var spool: ItemSpool
  /// The files that were read.
  private var files: [ImportedFile] = []
  /// Asks the user to confirm messages; nil if no user can be asked.
  var prompt: (any SchedulingPrompt)?
  /// The kinds of items that are added; nil for all kinds.
  var kinds: Set<ItemKind>?
  /// The addresses of the user.
  var userAddresses: Set<CalendarAddress> = []

  init(
    into target: ImportTarget, options: ReadingOptions, machine: Machine,
    _ handler: @escaping (ImportEvent) -> Void
  ) {
    self.target = target
    self.options = options
    self.handler = handler
    zones = machine.zoneResolver
    rules = SavingRules(zones: zones)
    horizon = machine.zoneHorizon
    spool = ItemSpool(
      folder: machine.environment["TMPDIR"] ?? "/var/tmp", threshold: Self.spoolThreshold)
  }

  /// Counts and reports an event.
  mutating func report(_ event: ImportEvent) {
    summary.count(event)
    handler(event)
  }

  // MARK: Reading

  /// Reads a file into the spool; writes nothing to the calendar.
  ///
  /// - Throws: An error that makes it impossible to continue; problems of the file are only
  ///   reported.
  mutating func take(_ source: ImportSource) throws {
    if let event = try source.file.unreadable({ try read(source) }) { report(.file(event)) }
  }

  private mutating func read(_ source: ImportSource) throws {
    let path = source.file.label
    var reader = try CalendarReader(source.file, options: options)
    if MailMessage.isMail(reader.firstBytes) {
      try readMail(reader.readAll(limit: MailLimits().size), source)
      return
    }
    if let charset = reader.charset { report(.file(.decoded(path: path, charset: charset))) }
    var checker = CalendarChecker()
    var notes = ZoneNotes(zones: zones, horizon: horizon)
    var grouping = ItemGrouping(window: Self.window, keepsMessages: true, zones: zones)
    var budget = DiagnosticBudget()
    files.append(ImportedFile(label: path, origin: source.origin))
    var isCalendar = false
    while let element = try reader.next() {
      switch element {
      case .calendarBegan, .component: isCalendar = true
      default: break
      }
      tell(checker.check(element) + notes.notes(on: element), of: path, &budget)
      if case .component(let component) = element {
        tell(rules.diagnostics(for: component), of: path, &budget)
      }
      grouping.take(element)
      try spool(from: &grouping, of: path, &budget)
    }
    grouping.finish()
    try spool(from: &grouping, of: path, &budget)
    if let event = budget.rest(path: path) { report(.file(event)) }
    if isCalendar {
      summary.calendarCount += 1
    } else {
      report(.file(.notCalendar(path: path)))
    }
  }

  /// Reads the calendars of a mail, with its authors.
  private mutating func readMail(_ bytes: [UInt8]?, _ source: ImportSource) throws {
    let path = source.file.label
    do {
      guard let bytes else { throw EpactError(.failed, "expected at most 64 MiB, found more") }
      // The import reports the problems of the calendars.
      let mail = try ReceivedMail(reading: .bytes(bytes, label: path)) { _ in }
      for var part in mail.sources {
        part.origin.isConfirmed = source.origin.isConfirmed
        try take(part)
      }
    } catch let error where error is FileError || error is EpactError {
      let error = EpactError(describing: error)
      let prefix = "\(path): "
      let reason =
        error.message.hasPrefix(prefix) ? error.message.dropFirst(prefix.count) : error.message[...]
      report(.file(.unreadable(path: path, reason: String(reason))))
    }
  }

  private mutating func tell(
    _ diagnostics: [Diagnostic], of path: String, _ budget: inout DiagnosticBudget
  ) {
    for diagnostic in diagnostics where budget.admits() {
      report(.file(.diagnostic(path: path, diagnostic)))
    }
  }

  private mutating func spool(
    from grouping: inout ItemGrouping, of path: String, _ budget: inout DiagnosticBudget
  ) throws(StoreError) {
    while let element = grouping.next() {
      switch element {
      case .item(let item):
        try spool.add(ImportedPart(item, source: files.count - 1).payload, of: item.uid)
      case .rejected(let diagnostic):
        tell([diagnostic], of: path, &budget)
        report(.rejected(path: path, position: diagnostic.position))
      // The spool joins scattered parts, so that the diagnostic is superfluous.
      case .diagnostic(let diagnostic) where diagnostic.code == .scatteredItem: break
      case .diagnostic(let diagnostic): tell([diagnostic], of: path, &budget)
      }
    }
  }

  // MARK: Writing

  /// Ends the run in the history.
  mutating func end() throws { try target.end() }

  /// Writes the items that were read to the calendar, in batches.
  ///
  /// - Throws: An error that makes the calendar unusable; earlier batches remain written.
  mutating func write() async throws {
    var (batchLimit, batchSize) = (Self.batchLimit, Self.batchSize)
    var batch: [Pending] = []
    var size = 0
    while let group = try spool.next() {
      try Task.checkCancellation()
      guard let pending = try await decide(on: group) else { continue }
      batch.append(pending)
      size += group.payloads.reduce(0) { $0 + $1.count }
      guard batch.count >= batchLimit || size >= batchSize else { continue }
      try await write(batch)
      batch = []
      size = 0
      if target.isFile { (batchLimit, batchSize) = (2 * batchLimit, 2 * batchSize) }
    }
    try await write(batch)
  }

  /// The planned change of a UID; reports the outcome and returns nil if nothing changes.
  private mutating func decide(on group: ItemSpool.Group) async throws -> Pending? {
    let entry = target[group.uid]
    var intake = ItemIntake(entry?.item, zones: zones, files: files, prompt: prompt)
    intake.userAddresses = userAddresses
    for part in ImportedPart.joined(parts(of: group), zones: zones) { try await intake.take(part) }
    let item = intake.item
    guard let item, intake.isChanged else {
      tell(intake.notes)
      if let item, intake.notes.isEmpty { report(.item(ImportedItem(.unchanged, item))) }
      return nil
    }
    if entry == nil, let kinds, !item.kind.isAddable(to: kinds) {
      tell(intake.notes)
      let reason = "the calendar is not for \(item.kind.rawValue)"
      report(.item(ImportedItem(.rejected, item, reason: reason)))
      return nil
    }
    return Pending(
      group: group, item: item, outcome: entry == nil ? .added : .updated, reason: intake.reason,
      notes: intake.notes, before: entry?.item)
  }

  private mutating func tell(_ notes: [ImportedItem]) {
    for note in notes { report(.item(note)) }
  }

  /// The parts of a UID, in the order of the files.
  private mutating func parts(of group: ItemSpool.Group) -> [ImportedPart] {
    var parts: [ImportedPart] = []
    for payload in group.payloads {
      do throws(ItemError) {
        parts.append(try ImportedPart(parsing: payload))
      } catch {
        // In unusual files, a part may be unreadable without its surroundings.
        report(
          .item(ImportedItem(.rejected, title: "", uid: group.uid, reason: error.message)))
      }
    }
    return parts
  }

  /// Applies the changes of a batch; changes with a failed condition are decided once more.
  private mutating func write(_ batch: [Pending]) async throws {
    let overtaken = try apply(batch)
    guard !overtaken.isEmpty else { return }
    try target.rescan()
    var again: [Pending] = []
    for pending in overtaken {
      if let pending = try await decide(on: pending.group) { again.append(pending) }
    }
    for pending in try apply(again) {
      report(
        .item(ImportedItem(.rejected, pending.item, reason: "another program is changing it")))
    }
  }

  /// Applies changes, reports them, and returns those with a failed condition.
  private mutating func apply(_ batch: [Pending]) throws -> [Pending] {
    guard !batch.isEmpty else { return [] }
    var overtaken: [Pending] = []
    let errors = try target.store(batch.map(\.item))
    for pending in batch {
      switch errors[pending.item.uid] {
      case nil:
        var item = ImportedItem(written: pending.item, pending.outcome, reason: pending.reason)
        if let before = pending.before { (item.before, item.after) = (before, pending.item) }
        report(.item(item))
        tell(pending.notes)
      case let error? where error.code == .conditionFailed: overtaken.append(pending)
      case let error?:
        report(.item(ImportedItem(.rejected, pending.item, reason: error.reason)))
        tell(pending.notes)
      }
    }
    return overtaken
  }
}

// SPDX-License-Identifier: Apache-2.0

import Epact
import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import ICUServices
import ICalSyntax

/// Imports the items of files into a calendar.
///
/// ```
/// bytes ──► ComponentReader ──► ItemGrouping ──► ItemSpool ──► ItemIntake ──► calendar
///                  └──► CalendarChecker, ZoneNotes ──► diagnostics
/// ```
///
/// The importer reads all files before it writes anything, so that an item with parts in several
/// files is changed once. Memory is bounded by the previous contents of the calendar, one batch,
/// and the limits of the grouping and the spool, independently of the size of the files.
///
/// It cannot be copied, because the spool cannot be copied.
struct Importer: ~Copyable {
  /// The planned change of a UID.
  private struct Pending {
    let group: ItemSpool.Group
    let item: CalendarItem
    let outcome: ImportReport.Outcome
    /// The changes made by scheduling messages; nil if there are none.
    let reason: String?
    /// Notes that are reported in addition to the change.
    let notes: [ItemIntake.Note]
    let change: LocalChange
  }

  /// The maximum bytes of the spool in memory.
  private static let spoolThreshold = 2 << 20
  /// The maximum bytes of components held by the grouping; the spool joins parts further apart.
  private static let window = 1 << 20
  /// The maximum number of changes in a batch.
  ///
  /// Each batch causes one sync to disk for a folder, or one rewrite for a file.
  private static let batchLimit = 1000
  /// The maximum bytes of the items in a batch.
  private static let batchSize = 4 << 20

  private(set) var report: ImportReport
  private var target: ImportTarget
  private let zones: ZoneResolver
  private let rules: SavingRules
  private let horizon: Instant
  private let charset: CharsetChoice?
  /// Whether floating times are interpreted in the time zone that their file declares.
  private let usesCalendarZone: Bool
  private var spool: ItemSpool
  /// The labels of the files that were read.
  private var labels: [String] = []

  init(
    into target: ImportTarget, report: ImportReport, charset: CharsetChoice?,
    usesCalendarZone: Bool, in context: Context
  ) {
    self.usesCalendarZone = usesCalendarZone
    self.target = target
    self.report = report
    self.charset = charset
    zones = context.zoneResolver
    rules = SavingRules(zones: zones)
    horizon = context.machine.zoneHorizon
    spool = ItemSpool(
      folder: context.machine.environment["TMPDIR"] ?? "/var/tmp", threshold: Self.spoolThreshold)
  }

  // MARK: Reading

  /// Reads a file into the spool; writes nothing to the calendar.
  ///
  /// - Throws: An error that makes it impossible to continue; problems of the file are only
  ///   reported.
  mutating func take(_ source: InputFiles.Source) throws {
    do {
      try read(source)
    } catch let error as SystemError {
      report.cannotRead(source.label, "\(error)")
    } catch let error as ICUError {
      report.cannotRead(source.label, error.message)
    }
  }

  private mutating func read(_ source: InputFiles.Source) throws {
    var reading = try CalendarReading(
      source, charset: charset, zones: usesCalendarZone ? zones : nil)
    if let charset = reading.charset { report.tell(charset: charset, of: source) }
    var checker = CalendarChecker()
    var notes = ZoneNotes(zones: zones, horizon: horizon)
    var grouping = ItemGrouping(window: Self.window, keepsMessages: true)
    labels.append(source.label)
    var isCalendar = false
    while let element = try reading.next() {
      switch element {
      case .calendarBegan, .component: isCalendar = true
      default: break
      }
      for diagnostic in checker.check(element) { report.tell(diagnostic, in: source) }
      for diagnostic in notes.notes(on: element) { report.tell(diagnostic, in: source) }
      if case .component(let component) = element {
        for diagnostic in rules.diagnostics(for: component) { report.tell(diagnostic, in: source) }
      }
      grouping.take(element)
      try spool(from: &grouping, of: source)
    }
    grouping.finish()
    try spool(from: &grouping, of: source)
    report.end(source, isCalendar: isCalendar)
  }

  private mutating func spool(
    from grouping: inout ItemGrouping, of source: InputFiles.Source
  ) throws(StoreError) {
    while let element = grouping.next() {
      switch element {
      case .item(let item):
        try spool.add(ImportedPart(item, source: labels.count - 1).payload, of: item.uid)
      case .rejected(let diagnostic): report.reject(diagnostic, in: source)
      // The spool joins scattered parts, so that the diagnostic is superfluous.
      case .diagnostic(let diagnostic) where diagnostic.code == .scatteredItem: break
      case .diagnostic(let diagnostic): report.tell(diagnostic, in: source)
      }
    }
  }

  // MARK: Writing

  /// Writes the items that were read to the calendar, in batches.
  ///
  /// - Throws: An error that makes the calendar unusable; earlier batches remain written.
  mutating func write() async throws {
    var batch: [Pending] = []
    var size = 0
    while let group = try spool.next() {
      try Task.checkCancellation()
      guard let pending = decide(on: group) else { continue }
      batch.append(pending)
      size += group.payloads.reduce(0) { $0 + $1.count }
      guard batch.count >= Self.batchLimit || size >= Self.batchSize else { continue }
      try await write(batch)
      batch = []
      size = 0
    }
    try await write(batch)
  }

  /// The planned change of a UID; reports the outcome and returns nil if nothing changes.
  private mutating func decide(on group: ItemSpool.Group) -> Pending? {
    let entry = target[group.uid]
    var intake = ItemIntake(entry?.item, zones: zones, labels: labels)
    for part in ImportedPart.joined(parts(of: group)) { intake.take(part) }
    let item = intake.item
    guard let item, intake.isChanged else {
      tell(intake.notes)
      if let item, intake.notes.isEmpty { report.tell(.unchanged, item) }
      return nil
    }
    let change: LocalChange =
      entry.map { .update(name: $0.name, from: $0.revision, to: item) } ?? .create(item)
    return Pending(
      group: group, item: item, outcome: entry == nil ? .added : .updated, reason: intake.reason,
      notes: intake.notes, change: change)
  }

  private mutating func tell(_ notes: [ItemIntake.Note]) {
    for note in notes {
      report.tell(note.outcome, title: note.title, uid: note.uid, because: note.reason)
    }
  }

  /// The parts of a UID, in the order of the files.
  private mutating func parts(of group: ItemSpool.Group) -> [ImportedPart] {
    var parts: [ImportedPart] = []
    for payload in group.payloads {
      do throws(ItemError) {
        parts.append(try ImportedPart(parsing: payload))
      } catch {
        // In unusual files, a part may be unreadable without its surroundings.
        report.tell(.rejected, title: "", uid: group.uid, because: error.message)
      }
    }
    return parts
  }

  /// Applies the changes of a batch; changes with a failed condition are decided once more.
  private mutating func write(_ batch: [Pending]) async throws {
    let overtaken = try await apply(batch)
    guard !overtaken.isEmpty else { return }
    try await target.lookAgain()
    var again: [Pending] = []
    for pending in overtaken {
      if let pending = decide(on: pending.group) { again.append(pending) }
    }
    for pending in try await apply(again) {
      report.tell(.rejected, pending.item, because: "something else is changing it")
    }
  }

  /// Applies changes, reports them, and returns those with a failed condition.
  private mutating func apply(_ batch: [Pending]) async throws -> [Pending] {
    guard !batch.isEmpty else { return [] }
    var overtaken: [Pending] = []
    let outcomes = try await target.apply(batch.map(\.change))
    for (pending, outcome) in zip(batch, outcomes) {
      switch outcome {
      case .done:
        report.tell(pending.outcome, pending.item, because: pending.reason)
        tell(pending.notes)
      case .conditionFailed: overtaken.append(pending)
      case .failed(let reason), .unavailable(let reason):
        report.tell(.rejected, pending.item, because: reason)
        tell(pending.notes)
      }
    }
    return overtaken
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// The undo of an edit: every file gets its earlier bytes, unless its item was changed since.
///
/// A file that is as the edit left it is restored byte for byte. In a calendar of one file that
/// other changes have reached, the items are restored one by one. Items that belong together are
/// restored together or not at all: both places of a moved item, and both parts of a split series.
///
/// A meeting that the user organizes gets a new revision, so that its attendees can be informed.
struct EditUndo {
  private let run: PastRun
  private let lines: [JournalLine]
  private let files: [FileChange]
  private let machine: Machine

  /// Reads the changes of a run.
  ///
  /// - Throws: `StoreError`.
  init(_ run: PastRun, _ ledger: LedgerDatabase, machine: Machine) throws {
    self.run = run
    self.machine = machine
    let id = run.id
    (lines, files) = try ledger.read { ledger in
      (try ledger.journal(of: id).filter(\.isDone), try ledger.fileChanges(of: id))
    }
  }

  /// The paths of the calendars that the run changed.
  var locations: Set<String> { Set(lines.map(\.location)) }

  /// The undo of each item in each calendar.
  ///
  /// - Parameter user: The user's addresses.
  /// - Returns: The undo of each item.
  /// - Throws: `StoreError` if a calendar cannot be read.
  func plan(organizer user: Set<CalendarAddress> = []) throws -> [LocalUndo] {
    let form = machine.normalForm
    var steps: [LocalUndo] = []
    for (location, lines) in Dictionary(grouping: lines, by: \.location).sorted(by: { $0.0 < $1.0 })
    {
      do {
        let calendar = try LocalCalendars.openEditable(
          path: location, for: .reading, knowing: machine.knownNames)
        let listing = try calendar.scan()
        let known = asLeft(listing, by: lines, organizer: user)
        let uids = Set(lines.map(\.uid))
        let changed = listing.entries.filter { uids.contains($0.item.uid) }
        let now = Dictionary(changed.map { ($0.item.uid, $0) }) { first, _ in first }
        steps += LocalUndo.plan(lines, in: known, at: location, form).map { step in
          revised(step, now: now[step.operation.uid], organizer: user)
        }
      } catch let error as StoreError where error.code == .notFound {
        steps += lines.map { LocalUndo(withoutCalendar: $0, at: location) }
      }
    }
    let skipped = bound(to: Set(steps.filter { $0.change == nil }.map(\.operation.uid)))
    return steps.map { step in
      step.change != nil && skipped.contains(step.operation.uid) ? step.skipped : step
    }
  }

  /// The listing, in which a meeting, or an event that was one, has the revision that the run left, if
  /// an undo gave it another one and changed nothing else.
  private func asLeft(
    _ listing: LocalListing, by lines: [JournalLine], organizer user: Set<CalendarAddress>
  ) -> LocalListing {
    guard !user.isEmpty else { return listing }
    let left = Dictionary(lines.map { ($0.uid, $0.after) }) { $1 }
    var listing = listing
    for (place, entry) in listing.entries.enumerated() {
      guard let bytes = left[entry.item.uid] ?? nil,
        let item = try? CalendarItem(parsing: bytes, normalForm: entry.item.normalForm),
        item.withoutSequence?.fingerprint == entry.item.withoutSequence?.fingerprint
      else { continue }
      listing.entries[place] = LocalEntry(
        name: entry.name, revision: entry.revision, item: item)
    }
    return listing
  }

  /// The undo of an item, with a new revision of a meeting that the user organizes.
  private func revised(
    _ step: LocalUndo, now: LocalEntry?, organizer user: Set<CalendarAddress>
  ) -> LocalUndo {
    guard case .putBack(let planned) = step.operation.action,
      [now?.item, planned.content].contains(where: {
        $0?.isMeeting(organizedBy: user) ?? false
      })
    else { return step }
    let change = MeetingChange(from: now?.item, to: planned.content, zones: machine.zoneResolver)
    return step.restoring(change.superseding(), replacing: now)
  }

  /// The items that share a change with some items.
  private func bound(to uids: Set<UID>) -> Set<UID> {
    var result = uids
    let added = lines.filter { $0.before == nil }
    for line in lines {
      let item = line.after.flatMap { try? CalendarItem(parsing: $0) }
      let successors = (item?.laterParts ?? []).intersection(lines.map(\.uid))
      // The completed occurrence of a reminder has the title of its series.
      let copies = line.before == nil ? [] : added.filter { $0.title == line.title }.map(\.uid)
      let unit = successors.union([line.uid]).union(copies)
      if !result.isDisjoint(with: unit) { result.formUnion(unit) }
    }
    return result
  }

  /// Makes the planned changes in a new run, which can be undone, too.
  ///
  /// - Throws: `BatchError`; `StoreError`; errors of the ledger.
  func make(_ steps: [LocalUndo], _ recorder: EditRecorder) throws {
    let steps = steps.filter { $0.change != nil }
    guard !steps.isEmpty else { return }
    var replacements: [FileReplacement] = []
    for (location, steps) in Dictionary(grouping: steps, by: \.location).sorted(by: { $0.0 < $1.0 })
    {
      replacements += try self.replacements(for: steps, at: location)
    }
    _ = try recorder.make(steps.compactMap(\.intent), replacements, undoing: run.id)
  }

  /// The files of a calendar: as they were where possible, or else with the items as they were.
  private func replacements(
    for steps: [LocalUndo], at location: String
  ) throws -> [FileReplacement] {
    if let whole = files.first(where: { $0.path == location }) {
      let isComplete = steps.count == Set(lines.filter { $0.location == location }.map(\.uid)).count
      let isExact = steps.allSatisfy(\.isExact)
      if isComplete, isExact, let replacement = try whole.undo() { return [replacement] }
      return try replacements(byItem: steps, at: location)
    }
    var (exact, rest): ([FileReplacement], [LocalUndo]) = ([], [])
    for step in steps {
      let file = files.first { file in
        step.isExact && file.uid == step.operation.uid && file.path.hasPrefix(location + "/")
      }
      if let replacement = try file?.undo() { exact.append(replacement) } else { rest.append(step) }
    }
    return try exact + replacements(byItem: rest, at: location)
  }

  private func replacements(
    byItem steps: [LocalUndo], at location: String
  ) throws -> [FileReplacement] {
    guard !steps.isEmpty else { return [] }
    let calendar = try LocalCalendars.openEditable(
      path: location, for: .writing, knowing: machine.knownNames)
    return try calendar.replacements(for: steps.compactMap(\.change))
  }
}

extension CalendarItem {
  /// The item without its SEQUENCE; nil if its components are not one item.
  fileprivate var withoutSequence: CalendarItem? {
    let components = components.map { component in
      var component = component
      component.properties.removeAll { $0.isNamed(.sequence) }
      return component
    }
    return try? replacing(components: components, timeZones: timeZones)
  }
}

extension JournalLine {
  /// The path of the calendar of an edit.
  fileprivate var location: String { href?.rawValue ?? "" }
}

extension LocalUndo {
  /// The path of the calendar.
  fileprivate var location: String { intent?.href?.rawValue ?? "" }
}

extension SyncSet {
  /// Records edits in the ledger of the set.
  var editRecorder: EditRecorder {
    EditRecorder(
      machine: machine, historyDays: configuration.historyDays, ledgerPath: ledgerFolder.path)
  }

  /// Undoes an edit.
  func undoEdit(
    _ run: PastRun, report: @escaping @Sendable (SyncSetEvent) -> Void
  ) throws -> SyncResult {
    let begin = machine.stopwatch()
    let ledger = try ledgerFolder.openDatabase(historyDays: configuration.historyDays)
    let undo = try EditUndo(run, ledger, machine: machine)
    let steps = try undo.plan(organizer: configuration.knownAddresses)
    var result = SyncResult(
      name: SyncResult.editName, startedAt: machine.now(), seconds: 0, isDryRun: options.isDryRun)
    result.undo = UndoOutcome(of: run, isLocal: true)
    let name = result.name
    report(.running(sync: name, .planned(SyncPlan(operations: steps.map(\.operation)))))
    result.summary.failed = steps.count { $0.operation.isFailure }
    let names = Dictionary(
      configuration.calendars.map { (machine.paths.absolute($0.value.path), $0.key) }
    ) { first, _ in first }
    for step in steps where step.change != nil {
      result.undo?.add(step.operation, in: names[step.location] ?? step.location)
    }
    if !options.isDryRun {
      try undo.make(steps, editRecorder)
      for step in steps {
        guard let intent = step.intent else { continue }
        if intent.action == .deleteLocal {
          result.summary.deletedLocally += 1
        } else {
          result.summary.downloaded += 1
        }
        report(.running(sync: name, .done(step.operation)))
      }
    }
    result.seconds = machine.stopwatch() - begin
    report(.ended(result))
    return result
  }
}

extension SyncResult {
  /// The name of the result of an undone edit, which concerns no sync.
  static let editName = "edit"
}

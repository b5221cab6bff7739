// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// The undo of an edit or an import: every file gets its earlier bytes, unless its item was changed
/// since.
///
/// A file that is as the run left it is restored byte for byte. In a calendar of one file that
/// other changes have reached, the items are restored one by one.
///
/// The items of an edit that belong together are restored together or not at all: both places of a
/// moved item, and both parts of a split series. A meeting that the user organizes gets a new
/// revision, so that its attendees can be informed. The items of an import are independent.
struct ChangeUndo {
  /// The maximum number of items of an import in a folder that are restored together.
  private static let partSize = 500
  /// The maximum number of attempts to restore items of one file, which other programs may write.
  private static let attemptLimit = 3

  private let run: PastRun
  private let lines: [JournalLine]
  /// The changes of files by their paths, and by the UIDs of their items.
  private let filesByPath: [String: [FileChange]]
  private let filesByUID: [UID?: [FileChange]]
  /// The items that the run changed, by the paths of their calendars.
  private let uids: [String: Set<UID>]
  private let machine: Machine
  private let names: KnownNames
  /// Whether the items of a folder are found by its index.
  private let usesIndex: Bool
  /// The calendars in folders that were read, so that the next plan looks only at what changed.
  private var caches: [String: CalendarCache] = [:]

  /// Reads the changes of a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - ledger: The ledger.
  ///   - machine: The clock and the time zones.
  ///   - usesIndex: Whether the items of a folder are found by its index.
  /// - Throws: `StoreError`.
  init(_ run: PastRun, _ ledger: LedgerDatabase, machine: Machine, usesIndex: Bool) throws {
    self.run = run
    self.machine = machine
    self.usesIndex = usesIndex
    names = ledger.knownNames
    let (lines, files) = try ledger.read { ledger in
      (try ledger.journal(of: run.id).filter(\.isDone), try ledger.fileChanges(of: run.id))
    }
    self.lines = lines
    filesByPath = Dictionary(grouping: files, by: \.path)
    filesByUID = Dictionary(grouping: files, by: \.uid)
    uids = Dictionary(grouping: lines) { $0.location(in: run) }.mapValues { Set($0.map(\.uid)) }
  }

  /// The paths of the calendars that the run changed.
  var locations: Set<String> { Set(uids.keys) }

  private func open(
    _ path: String, for purpose: LocalCalendars.Purpose
  ) throws(StoreError) -> any EditableCalendar {
    try LocalCalendars.openEditable(path: path, for: purpose, knowing: names)
  }

  // MARK: The plan

  /// The undo of each item in each calendar.
  ///
  /// - Parameter user: The user's addresses.
  /// - Returns: The undo of each item.
  /// - Throws: `StoreError` if a calendar cannot be read; `EpactError` if the calendar of an import is
  ///   missing.
  mutating func plan(organizer user: Set<CalendarAddress> = []) throws -> [LocalUndo] {
    let form = machine.normalForm
    let user = run.isEdit ? user : []
    var steps: [LocalUndo] = []
    for (location, lines) in byLocation(lines, { $0.location(in: run) }) {
      do {
        let listing = try listing(at: location)
        let known = asLeft(listing, by: lines, organizer: user)
        let now = Dictionary(listing.entries.map { ($0.item.uid, $0) }) { first, _ in first }
        let copied = Set(listing.unreadable.compactMap(\.sharedUID))
        steps += LocalUndo.plan(
          lines, in: known, at: run.isEdit ? location : nil, form
        ).map { step in
          copied.contains(step.operation.uid) && step.change != nil
            ? step.skipped(because: .severalFiles)
            : revised(step, now: now[step.operation.uid], organizer: user)
        }
      } catch let error as StoreError where error.code == .notFound {
        guard run.isEdit else {
          throw EpactError(.failed, "the calendar is not at \(location)", subject: location)
        }
        steps += lines.map { LocalUndo(withoutCalendar: $0, at: location) }
      }
    }
    guard run.isEdit else { return steps }
    let skipped = bound(to: Set(steps.filter { $0.change == nil }.map(\.operation.uid)))
    return steps.map { step in
      step.change != nil && skipped.contains(step.operation.uid)
        ? step.skipped(because: .otherPartChanged) : step
    }
  }

  /// The items of a calendar that the run changed, with the files of a folder that share their UIDs.
  ///
  /// In a folder, no others are read if it has an index.
  private mutating func listing(at location: String) throws -> LocalListing {
    let place = CalendarLocation(path: location)
    let uids = uids[location] ?? []
    var listing = LocalListing()
    if place.isFile {
      listing.entries = try open(location, for: .reading).scan().entries.filter {
        uids.contains($0.item.uid)
      }
    } else {
      let indexFile = usesIndex ? machine.indexFile(of: location) : nil
      listing.entries = try caches[
        location,
        default: CalendarCache(
          of: place, watcher: machine.folderWatcher, indexFile: indexFile, knowing: names)
      ].entries(ItemSelection(uids: uids), machine.normalForm, at: machine.now())
      listing.unreadable = (caches[location]?.unreadable ?? []).filter { entry in
        entry.sharedUID.map(uids.contains) ?? false
      }
    }
    return listing
  }

  private func byLocation<Element>(
    _ elements: some Sequence<Element>, _ location: (Element) -> String
  ) -> [(String, [Element])] {
    Dictionary(grouping: elements, by: location).sorted { $0.key < $1.key }
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
    guard !uids.isEmpty else { return [] }
    var result = uids
    let changed = Set(lines.map(\.uid))
    let added = Dictionary(grouping: lines.filter { $0.before == nil }, by: \.title)
    for line in lines {
      let item = line.after.flatMap { try? CalendarItem(parsing: $0) }
      let successors = (item?.laterParts ?? []).intersection(changed)
      // The completed occurrence of a reminder has the title of its series.
      let copies = line.before == nil ? [] : (added[line.title] ?? []).map(\.uid)
      let unit = successors.union([line.uid]).union(copies)
      if !result.isDisjoint(with: unit) { result.formUnion(unit) }
    }
    return result
  }

  // MARK: Making it

  /// Makes the planned changes in a new run, which can be undone, too.
  ///
  /// - Parameters:
  ///   - steps: The plan.
  ///   - recorder: The recorder.
  ///   - report: Called with each step that was tried, and the reason why it was not made.
  /// - Returns: The summary of the new run.
  /// - Throws: `BatchError` if nothing of an edit was undone; `StoreError`; errors of the ledger;
  ///   `CancellationError`.
  func make(
    _ steps: [LocalUndo], _ recorder: ChangeRecorder,
    report: (LocalUndo, BatchError?) -> Void
  ) throws -> RunSummary {
    var undo = ChangeRun(of: run.binding ?? .edits, undoing: run.id)
    var rest = steps.filter { $0.change != nil }[...]
    guard !run.isEdit else {
      guard !rest.isEmpty else { return undo.summary }
      try recorder.commitAsOne(in: &undo) { ChangeSet(joining: try changes(rest)) }
      for step in rest { report(step, nil) }
      return undo.summary
    }
    undo.summary.failed = steps.count - rest.count
    do {
      while !rest.isEmpty {
        try Task.checkCancellation()
        let part = isOneFile ? rest : rest.prefix(Self.partSize)
        rest = rest.dropFirst(part.count)
        try restore(part, in: &undo, recorder, report)
      }
    } catch {
      // Rethrow the original error.
      try? recorder.end(&undo)
      throw error
    }
    try recorder.end(&undo)
    return undo.summary
  }

  /// Whether the calendar of the import is one file, which each part rewrites as a whole.
  private var isOneFile: Bool { CalendarLocation(path: run.binding?.local ?? "").isFile }

  /// Restores some items of an import.
  private func restore(
    _ steps: ArraySlice<LocalUndo>, in undo: inout ChangeRun, _ recorder: ChangeRecorder,
    _ report: (LocalUndo, BatchError?) -> Void
  ) throws {
    var steps = Array(steps)
    for attempt in 1...Self.attemptLimit where !steps.isEmpty {
      let outcomes = try recorder.commit(in: &undo) { try changes(steps) }
      let errors = Dictionary(
        outcomes.flatMap { outcome in outcome.changes.intents.map { ($0.uid, outcome.error) } }
      ) { $1 }
      let isLast = attempt == Self.attemptLimit || !isOneFile
      steps = steps.filter { step in
        let error = errors[step.operation.uid] ?? nil
        let isDeferred = error?.code == .conditionFailed
        if isDeferred, !isLast { return true }
        if isDeferred { undo.summary.deferred += 1 }
        report(step, error)
        return false
      }
    }
  }

  /// The changes of the files: as they were where possible, or else with the items as they were.
  private func changes(_ steps: some Sequence<LocalUndo>) throws -> [ChangeSet] {
    try byLocation(steps, { $0.location(in: run) }).flatMap { location, steps in
      if steps.count == uids[location]?.count, steps.allSatisfy(\.isExact),
        let file = try FileChange.undo(filesByPath[location] ?? [])
      {
        return [ChangeSet(steps.compactMap(\.intent), [file])]
      }
      var (sets, rest): ([ChangeSet], [LocalUndo]) = ([], [])
      for step in steps {
        let own = (filesByUID[step.operation.uid] ?? []).filter { file in
          step.isExact && file.path.hasPrefix(location + "/")
        }
        if let file = try FileChange.undo(own) {
          sets.append(ChangeSet([step.intent].compactMap(\.self), [file]))
        } else {
          rest.append(step)
        }
      }
      guard !rest.isEmpty else { return sets }
      return try sets
        + ChangeSet.independent(
          rest.compactMap(\.change), rest.compactMap(\.intent), in: open(location, for: .writing))
    }
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
  /// The path of the calendar, which each change of an edit names.
  func location(in run: PastRun) -> String {
    (run.isEdit ? href?.rawValue : run.binding?.local) ?? ""
  }
}

extension LocalUndo {
  /// The path of the calendar.
  fileprivate func location(in run: PastRun) -> String {
    (run.isEdit ? intent?.href?.rawValue : run.binding?.local) ?? ""
  }
}

extension SyncSet {
  /// Records changes in the ledger of the set.
  var recorder: ChangeRecorder {
    ChangeRecorder(machine: machine, historyDays: configuration.historyDays)
  }

  /// The undo of an edit or an import.
  func changeUndo(of run: PastRun, _ ledger: LedgerDatabase) throws -> ChangeUndo {
    try ChangeUndo(run, ledger, machine: machine, usesIndex: configuration.usesCache)
  }

  /// Undoes an edit or an import.
  func undoChanges(
    of run: PastRun, by undo: ChangeUndo, report: (SyncSetEvent) -> Void
  ) throws -> SyncResult {
    let begin = machine.stopwatch()
    var undo = undo
    let steps = try undo.plan(organizer: configuration.knownAddresses)
    let name = run.isEdit ? SyncResult.editName : SafeText.escaped(run.binding?.local ?? "")
    var result = SyncResult(
      name: name, startedAt: machine.now(), seconds: 0, isDryRun: options.isDryRun)
    result.undo = UndoOutcome(of: run, isLocal: true)
    report(.running(sync: name, .planned(SyncPlan(operations: steps.map(\.operation)))))
    for step in steps {
      if let item = ItemOutcome(planned: step.operation, isWithheld: false, ofMirror: false) {
        result.add(item)
      }
    }
    let calendars = Dictionary(
      configuration.calendars.map { (machine.paths.absolute($0.value.path), $0.key) }
    ) { first, _ in first }
    func note(_ step: LocalUndo) {
      let location = step.intent?.href?.rawValue
      result.undo?.add(step.operation, in: location.map { calendars[$0] ?? $0 })
    }
    if options.isDryRun {
      for step in steps where step.change != nil { note(step) }
    } else {
      result.summary = try undo.make(steps, recorder) { step, error in
        switch error {
        case nil:
          note(step)
          report(.running(sync: name, .done(step.operation)))
        case let error? where error.code == .conditionFailed:
          result.add(ItemOutcome(step.operation, .deferred, ofMirror: false))
          report(.running(sync: name, .deferred(step.operation)))
        case let error?:
          let obstacle = ItemObstacle.reported(error.reason)
          result.add(ItemOutcome(step.operation, failedBecause: obstacle, ofMirror: false))
          report(.running(sync: name, .failed(step.operation, obstacle)))
        }
      }
    }
    // The run of an edit does not count the items that it skipped.
    if run.isEdit || options.isDryRun {
      result.summary.failed += steps.count { $0.operation.isFailure }
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

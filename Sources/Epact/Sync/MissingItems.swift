// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// The items that the ledger knows and that are missing in the local calendar of a sync.
///
/// ```
/// ledger: entries, additions ──► not here? ──► not elsewhere, not being deleted? ──► named?
///                            ──► text: ledger, history, remote (full access only)
/// ```
struct MissingItems {
  /// A missing item with its text.
  struct Found {
    let item: CalendarItem
    /// Its earlier name in the calendar; nil if it is unknown.
    let name: String?
  }

  /// The local calendar.
  let calendar: any EditableCalendar
  private let sync: SyncSettings
  private let set: SyncSet
  private let ledger: LedgerDatabase
  private let binding: SyncBinding
  private let permission: RemotePermission?

  /// Opens the local calendar of a sync.
  ///
  /// - Throws: `EpactError` if the calendar is missing, or is on another file system than in the
  ///   last run, and `isNewPlaceAllowed` is false; `StoreError`; errors of the ledger.
  init(
    of sync: SyncSettings, in set: SyncSet, ledger: LedgerDatabase, isNewPlaceAllowed: Bool
  ) async throws {
    (self.sync, self.set, self.ledger) = (sync, set, ledger)
    let place = try set.configuration.location(of: sync.calendar)
    let isDry = set.options.isDryRun
    if isNewPlaceAllowed, !isDry, !place.isFile, !place.exists {
      try PrivateFolder.make(place.path)
    }
    do throws(StoreError) {
      calendar = try LocalCalendars.openEditable(
        path: place.path, for: isDry ? .reading : .writing, knowing: ledger.knownNames)
    } catch {
      guard error.code == .notFound else { throw error }
      throw EpactError(
        .failed, "the calendar \"\(place.name)\" is not at \(place.path)", subject: place.path,
        remedy: .restoreInNewPlace(sync: sync.name))
    }
    binding = try SyncBinding(of: sync, in: set.configuration, set.machine)
    let checkpoint = try await ledger.checkpoint(of: binding)
    if !isNewPlaceAllowed, let snapshot = checkpoint.snapshot,
      !calendar.isSamePlace(as: snapshot)
    {
      throw EpactError(
        .failed,
        "the calendar \"\(place.name)\" is on another file system than at the last run",
        subject: place.path, remedy: .restoreInNewPlace(sync: sync.name))
    }
    permission = try await Self.permission(for: sync, in: set, ledger)
  }

  /// The permission to use the remote; nil without access.
  private static func permission(
    for sync: SyncSettings, in set: SyncSet, _ ledger: LedgerDatabase
  ) async throws -> RemotePermission? {
    guard let settings = set.configuration.remotes[sync.remote] else { return nil }
    let factory = Remotes(machine: set.machine, log: set.log)
    do {
      return try await RemotePermission(
        for: settings, wanted: sync.access, ledger, factory, set.machine)
    } catch is AccessError {
      return nil
    }
  }

  /// Finds the missing items and their texts.
  ///
  /// - Parameter words: UIDs or parts of titles; empty for all items.
  /// - Returns: The result of the search, and the items to restore.
  /// - Throws: `EpactError` if a word matches no item; errors of the calendar, the ledger and the
  ///   remote.
  func find(_ words: [String]) async throws -> (Restoration, [Found]) {
    let listing = try scan()
    let present = Set(listing.entries.map(\.item.uid))
    let missing = Set(try await ledger.places(of: binding).map(\.uid)).subtracting(present)
    let entries = try await ledger.entries(of: binding, for: Array(missing).sorted())
    var candidates = entries.map(Candidate.init)
    candidates += try await added(beside: missing.union(present))
    try await recall(&candidates)
    try await fetch(&candidates)
    candidates = try Self.chosen(words, from: candidates)
    return try await judged(candidates, listing, isChosen: !words.isEmpty)
  }

  /// Separates the candidates that can be restored from the others.
  private func judged(
    _ candidates: [Candidate], _ listing: LocalListing, isChosen: Bool
  ) async throws -> (Restoration, [Found]) {
    let form = set.machine.normalForm
    let unreadable = Set(listing.unreadable.map(\.name))
    let elsewhere =
      candidates.isEmpty
      ? [:]
      : others(
        besides: try await held(), removed: try await removed(candidates.map(\.uid)))
    let deleting = Set(
      try await ledger.pendingIntents(of: binding)
        .filter { [.deleteLocal, .deleteRemote].contains($0.action) }.map(\.uid))
    var (result, found) = (Restoration(sync: sync.name), [Found]())
    for candidate in candidates.sorted(by: { $0.uid < $1.uid }) {
      let item = candidate.text.flatMap { try? CalendarItem(parsing: $0, normalForm: form) }
      let reason: (String, Bool)? =
        if let other = elsewhere[candidate.uid] {
          ("it is in the calendar \"\(other)\" now", false)
        } else if deleting.contains(candidate.uid) {
          ("an interrupted run was about to delete it", false)
        } else if let name = candidate.name, unreadable.contains(name) {
          ("the file \(name) is there, but cannot be read", true)
        } else if item == nil {
          ("neither the ledger nor the history has its text", true)
        } else if candidate.isAddition, !isChosen {
          ("it was added under write-only access, and may have been deleted on purpose", false)
        } else {
          nil
        }
      if let (reason, isFailure) = reason {
        result.left.append(
          Restoration.Left(
            uid: candidate.uid, title: candidate.title, reason: reason, isFailure: isFailure))
      } else if let item {
        result.items.append(
          Restoration.Item(uid: candidate.uid, title: item.title, source: candidate.source))
        found.append(Found(item: item, name: candidate.name))
      }
    }
    return (result, found)
  }

  /// The items that are back at earlier versions, or after their deletion, if the calendar was
  /// restored from a backup.
  ///
  /// - Throws: Errors of the calendar and of the ledger.
  func rolledBack() async throws -> [RolledBackItem] {
    let form = set.machine.normalForm
    let local = SurveyedCalendar(calendar, try survey(), in: form)
    guard let found = try await LocalRollback(in: local, of: binding, ledger) else { return [] }
    return try await RolledBackItem.find(found, in: scan(), of: binding, form, ledger)
  }

  /// The files of some items: under their earlier names where these are free.
  ///
  /// - Parameters:
  ///   - found: The missing items.
  ///   - old: The items to replace or to delete.
  /// - Returns: The replacements.
  /// - Throws: `BatchError`; `StoreError`.
  func replacements(for found: [Found], _ old: [RolledBackItem]) throws -> [FileReplacement] {
    guard !calendar.isHandledAsWhole else {
      return try calendar.replacements(for: found.map { .create($0.item) } + old.map(\.change))
    }
    var (named, others) = ([FileReplacement](), [LocalChange]())
    for found in found {
      let path = found.name.map { "\(calendar.location)/\($0)" }
      if let path, let name = found.name, !name.contains("/"),
        try FileChange.contents(at: path) == nil
      {
        named.append(
          FileReplacement(
            path: path, expected: nil, contents: found.item.serialized(forStorage: true)))
      } else {
        others.append(.create(found.item))
      }
    }
    return try named + calendar.replacements(for: others + old.map(\.change))
  }

  private func scan() throws -> LocalListing { try calendar.scan() }

  private func survey() throws -> LocalSurvey {
    try calendar.survey(since: nil, in: set.machine.normalForm, at: set.machine.now())
  }

  /// The agreed properties of the calendar that it lacks, with the files that restore them.
  ///
  /// - Throws: `StoreError`; errors of the ledger.
  func missingProperties() async throws -> [(property: CollectionProperty, file: FileReplacement)] {
    guard let store = calendar.properties, let agreement = try await ledger.agreement(of: binding)
    else { return [] }
    let present = try await store.collectionProperties()
    return try CollectionProperty.allCases.compactMap { property in
      guard present[property] == nil, let value = agreement.local[property] else { return nil }
      let path = "\(calendar.location)/\(FolderProperties.name(of: property))"
      let before = try FileChange.contents(at: path)
      let file = FileReplacement(
        path: path, expected: before.map { Revision(of: $0) }, contents: Array(value.utf8))
      return (property, file)
    }
  }

  // MARK: Candidates

  /// A missing item.
  private struct Candidate {
    let uid: UID
    var name: String?
    var href: Href?
    var text: [UInt8]?
    var source = Restoration.Source.ledger
    var isAddition = false

    init(_ entry: LedgerEntry) {
      (uid, name, href, text) = (entry.uid, entry.localName, entry.href, entry.base)
    }

    init(_ record: AppendRecord) {
      (uid, href, isAddition) = (record.uid, record.href, true)
    }

    var title: String {
      text.flatMap { try? CalendarItem(parsing: $0) }?.title ?? uid.rawValue
    }
  }

  /// The events that were added under write-only access and are missing here.
  ///
  /// Other syncs may have added events to the same remote; only the history of this sync is its
  /// own.
  private func added(beside known: Set<UID>) async throws -> [Candidate] {
    guard sync.access == .writeOnly || permission?.tier == .writeOnly else { return [] }
    let own = Set(try await journal().map(\.uid))
    return try await ledger.appended(to: binding.remote)
      .filter { !known.contains($0.uid) && own.contains($0.uid) }.map(Candidate.init)
  }

  /// The lines of the stored runs of the sync, newest first, that have contents.
  private func journal() async throws -> [JournalLine] {
    var lines: [JournalLine] = []
    for run in try await ledger.runs(of: sync.name) where run.binding == binding {
      lines += try await ledger.journal(of: run.id).reversed().filter(\.isDone)
    }
    return lines
  }

  /// Adds the texts from the history to candidates that the ledger has none of.
  private func recall(_ candidates: inout [Candidate]) async throws {
    guard candidates.contains(where: { $0.text == nil }) else { return }
    var texts: [UID: [UInt8]] = [:]
    for line in try await journal() where texts[line.uid] == nil { texts[line.uid] = line.after }
    for index in candidates.indices where candidates[index].text == nil {
      candidates[index].text = texts[candidates[index].uid]
      candidates[index].source = .history
    }
  }

  /// Fetches the texts of the remaining candidates; sends nothing without full access.
  private func fetch(_ candidates: inout [Candidate]) async throws {
    let hrefs = candidates.filter { $0.text == nil }.compactMap(\.href)
    guard let permission, permission.tier == .full, !hrefs.isEmpty,
      let settings = set.configuration.remotes[sync.remote]
    else { return }
    let fetched = try await permission.recording(
      Remotes(machine: set.machine, log: set.log), ledger, isDryRun: set.options.isDryRun
    ) { try await $0.calendar(settings).fetch(hrefs) }
    for case .item(_, _, let item) in fetched {
      for index in candidates.indices where candidates[index].uid == item.uid {
        candidates[index].text = item.serialized()
        candidates[index].source = .remote
      }
    }
  }

  /// The candidates that the words select.
  private static func chosen(
    _ words: [String], from candidates: [Candidate]
  ) throws(EpactError) -> [Candidate] {
    guard !words.isEmpty else { return candidates }
    var chosen: Set<UID> = []
    for word in words {
      let exact = candidates.filter { $0.uid.rawValue == word }
      let found =
        exact.isEmpty
        ? candidates.filter { $0.title.lowercased().contains(word.lowercased()) } : exact
      guard !found.isEmpty else {
        throw EpactError(
          .argument, "no missing item has the UID or the title \"\(word)\"", subject: word)
      }
      chosen.formUnion(found.map(\.uid))
    }
    return candidates.filter { chosen.contains($0.uid) }
  }

  /// The items that the syncs of other calendars hold, by the name of the calendar.
  private func held() async throws -> [String: Set<UID>] {
    var held: [String: Set<UID>] = [:]
    for other in set.configuration.syncs where other.name != sync.name {
      held[other.calendar, default: []] = held[other.calendar] ?? []
      guard let binding = try? SyncBinding(of: other, in: set.configuration, set.machine) else {
        continue
      }
      let uids = try await ledger.places(of: binding).map(\.uid)
      held[other.calendar, default: []].formUnion(uids)
    }
    return held
  }

  /// The items that a command removed from the calendar.
  private func removed(_ uids: [UID]) async throws -> Set<UID> {
    let edits = try await ledger.lastEdits(among: Set(uids), in: binding.local)
    return Set(edits.filter { $0.value.content == nil }.keys)
  }

  /// The items of the other calendars of the configuration, with the names of their calendars.
  ///
  /// A calendar that cannot be read is skipped, and so is an item that the sync of its calendar holds,
  /// too: it was in both. In a calendar without a sync, only the history shows that an item was moved.
  private func others(
    besides held: [String: Set<UID>], removed: Set<UID>
  ) -> [UID: String] {
    var found: [UID: String] = [:]
    for settings in set.configuration.calendars.values where settings.name != sync.calendar {
      guard
        let other = try? LocalCalendars.openEditable(
          path: settings.path, for: .reading, knowing: ledger.knownNames),
        other.location != calendar.location, let listing = try? other.scan()
      else { continue }
      for uid in listing.entries.map(\.item.uid) {
        let isMoved = held[settings.name].map { !$0.contains(uid) } ?? false
        if isMoved || removed.contains(uid) { found[uid] = settings.name }
      }
    }
    return found
  }
}

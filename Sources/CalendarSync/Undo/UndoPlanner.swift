// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Creates the plan that undoes a run, from its journal and the contents of both sides.
///
/// It is a pure function. An item that changed after the run is skipped with a report.
struct UndoPlanner: Sendable {
  private let lines: [(uid: UID, lines: [JournalLine])]
  private let local: [UID: LocalEntry]
  private let unreadable: Set<String>
  private let listing: [RemoteEntry]
  private let entries: [UID: LedgerEntry]
  private let conflicts: [UID: StoredConflict]
  private let sides: [MergeSide]
  private let normalForm: NormalForm

  /// Creates a planner.
  ///
  /// - Parameters:
  ///   - journal: The journal of the run.
  ///   - local: The complete contents of the local calendar.
  ///   - listing: The complete listing of the remote.
  ///   - entries: The ledger entries.
  ///   - conflicts: The unresolved conflicts.
  ///   - sides: The sides to restore; an import has no remote, and a one-way sync writes one side.
  ///   - normalForm: The normal form for comparing items.
  init(
    journal: [JournalLine], local: LocalListing, listing: [RemoteEntry], entries: [LedgerEntry],
    conflicts: [StoredConflict] = [], sides: [MergeSide] = MergeSide.allCases,
    normalForm: NormalForm = NormalForm()
  ) {
    self.sides = sides
    self.conflicts = Dictionary(conflicts.map { ($0.uid, $0) }) { _, last in last }
    let done = Dictionary(grouping: journal.filter(\.isDone), by: \.uid)
    lines = done.sorted { $0.key < $1.key }.map { (uid: $0.key, lines: $0.value) }
    let here = local.normalized(by: normalForm).entries
    self.local = Dictionary(here.map { ($0.item.uid, $0) }) { first, _ in first }
    unreadable = Set(local.unreadable.map(\.name))
    self.listing = listing
    let places = RemotePlaces(listing, known: entries.map(\.href))
    self.entries = Dictionary(entries.map { ($0.uid, places.respelled($0)) }) { first, _ in first }
    self.normalForm = normalForm
  }

  /// The items to fetch from the remote.
  ///
  /// An item that is not at its place may have been added again at another one. Only the contents
  /// of the items that the ledger does not know show that.
  var hrefsToFetch: [Href] {
    let listed = Set(listing.map(\.href))
    let found = lines.compactMap { href(of: $0.uid, $0.lines) }.filter(listed.contains)
    guard found.count < lines.count else { return found }
    let known = agreedPlaces.union(found)
    return found + listing.map(\.href).filter { !known.contains($0) }
  }

  /// The places of the items in the ledger.
  private var agreedPlaces: Set<Href> { Set(entries.values.map(\.href)) }

  /// The plan, based on the fetched items of `hrefsToFetch`.
  func plan(fetched: [RemoteFetch]) -> SyncPlan {
    let tags = Dictionary(listing.map { ($0.href, $0.etag) }) { first, _ in first }
    let agreedPlaces = agreedPlaces
    var states: [Href: RemoteState] = [:]
    // The items at places that the ledger does not know; the first one of each UID.
    var elsewhere: [UID: RemoteState] = [:]
    var unknown: Set<Href> = []
    for result in fetched.map({ $0.normalized(by: normalForm) }) {
      switch result {
      case .item(let href, let etag, let item):
        let entry = RemoteEntry(href: href, etag: etag ?? tags[href] ?? nil)
        let state = RemoteState(entry: entry, item: item)
        states[href] = state
        if !agreedPlaces.contains(href), elsewhere[item.uid] == nil { elsewhere[item.uid] = state }
      case .unreadable(let href, _), .missing(let href): unknown.insert(href)
      }
    }
    let operations = lines.map { uid, lines in
      let href = href(of: uid, lines)
      let entry = entries[uid]
      let facts = ItemFacts(
        uid: uid, local: local[uid],
        isLocalUnknown: entry.map { unreadable.contains($0.localName) } ?? false,
        remote: href.flatMap { states[$0] } ?? elsewhere[uid],
        isRemoteUnknown: href.map(unknown.contains) ?? false, entry: entry,
        conflict: conflicts[uid])
      let item = UndoDecision(
        facts, undoing: ItemChange(lines, form: normalForm), on: sides, normalForm)
      return item.operations
    }
    // The copy of a conflict goes and comes with the choice that made it.
    let isStopped = operations.joined().contains(where: \.isFailure)
    return SyncPlan(
      operations: zip(lines, operations).flatMap { item, operations in
        let isCopy = ConflictCopy.isCopy(item.uid) && item.lines.allSatisfy { $0.href == nil }
        return isStopped && isCopy ? [] : operations
      })
  }

  /// The place of the item on the remote, from the ledger or else from the journal.
  private func href(of uid: UID, _ lines: [JournalLine]) -> Href? {
    entries[uid]?.href ?? lines.lazy.compactMap(\.href).first
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// Makes the plan that takes back a run, a pure function of its journal and of what both sides hold.
///
/// An item that somebody changed since is left alone and told: what is taken back is what the run left.
public struct UndoPlanner: Sendable {
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
  ///   - journal: What the run did.
  ///   - local: Everything that the local calendar holds.
  ///   - listing: The complete listing of the remote.
  ///   - entries: What the sides last agreed on.
  ///   - conflicts: The conflicts that wait.
  ///   - sides: The sides that there are; an import has no remote.
  ///   - normalForm: The form in which items are compared.
  public init(
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

  /// The items that have to be read on the remote.
  public var hrefsToFetch: [Href] {
    let listed = Set(listing.map(\.href))
    return lines.compactMap { href(of: $0.uid, $0.lines) }.filter(listed.contains)
  }

  /// The plan, once the items of `hrefsToFetch` were read.
  public func plan(fetched: [RemoteFetch]) -> SyncPlan {
    let tags = Dictionary(listing.map { ($0.href, $0.etag) }) { first, _ in first }
    var states: [Href: RemoteState] = [:]
    var unknown: Set<Href> = []
    for result in fetched.map({ $0.normalized(by: normalForm) }) {
      switch result {
      case .item(let href, let etag, let item):
        let entry = RemoteEntry(href: href, etag: etag ?? tags[href] ?? nil)
        states[href] = RemoteState(entry: entry, item: item)
      case .unreadable(let href, _), .missing(let href): unknown.insert(href)
      }
    }
    let operations = lines.flatMap { uid, lines in
      let href = href(of: uid, lines)
      let isUnknown =
        href.map(unknown.contains) ?? false
        || entries[uid].map { unreadable.contains($0.localName) } ?? false
      let item = UndoDecision(
        uid: uid, change: ItemChange(lines, form: normalForm), local: local[uid],
        remote: href.flatMap { states[$0] }, entry: entries[uid], conflict: conflicts[uid],
        sides: sides, isUnknown: isUnknown, form: normalForm)
      return item.operations
    }
    return SyncPlan(operations: operations)
  }

  /// Where the item is on the remote, as the ledger knows it, or else where the run had it.
  private func href(of uid: UID, _ lines: [JournalLine]) -> Href? {
    entries[uid]?.href ?? lines.lazy.compactMap(\.href).first
  }
}

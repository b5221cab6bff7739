// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What a remote told of itself, asked by what the ledger knows.
struct RemoteView {
  /// What was listed, or is told to have changed; each place once.
  let told: [RemoteEntry]
  private let byHref: [Href: RemoteEntry]
  /// What is listed in another spelling than any that the ledger knows.
  private let respelled: [[UInt8]: RemoteEntry]
  private let removed: Set<Href>
  private let removedKeys: Set<[UInt8]>
  private let isComplete: Bool
  /// What is there although it is not listed.
  private let held: Set<Href>

  init(
    _ changes: RemoteChanges, unsettled: [RemoteEntry], held: Set<Href>, places: [LedgerPlace]
  ) {
    self.held = held
    var entries: [RemoteEntry]
    switch changes {
    case .none:
      (entries, removed, isComplete) = ([], [], false)
    case .some(let changed, let removed, _):
      // What is told to be there is there, whatever else is said of it.
      self.removed = Set(removed).subtracting(changed.map(\.href))
      (entries, isComplete) = (changed, false)
    case .complete(let listing, _):
      (entries, removed, isComplete) = (listing, [], true)
    }
    var byHref: [Href: RemoteEntry] = [:]
    byHref.reserveCapacity(entries.count)
    for entry in entries { byHref[entry.href] = entry }
    if !isComplete {
      // What an earlier run was told is still so, unless it is told otherwise now.
      for entry in unsettled where byHref[entry.href] == nil && !removed.contains(entry.href) {
        byHref[entry.href] = entry
        entries.append(entry)
      }
    }
    var seen: Set<Href> = []
    told =
      entries.count == byHref.count ? entries : entries.filter { seen.insert($0.href).inserted }
    self.byHref = byHref
    // In most nights the remote tells of nothing that could be one of them.
    let spellings = told.isEmpty && removed.isEmpty ? [] : Set(places.lazy.map(\.href))
    let unmatched = told.filter { !spellings.contains($0.href) }
    // Places in other spellings are looked for only where there is something that they can be.
    respelled =
      places.isEmpty
      ? [:] : Dictionary(unmatched.map { ($0.href.comparisonKey, $0) }) { first, _ in first }
    removedKeys = Set(removed.subtracting(spellings).map(\.comparisonKey))
  }

  /// Where the remote has what the ledger knows, and in which version; nil if it has it no more.
  func entry(of place: LedgerPlace) -> RemoteEntry? {
    if let entry = byHref[place.href] { return entry }
    if !respelled.isEmpty, let entry = respelled[place.href.comparisonKey] { return entry }
    if isComplete ? !held.contains(place.href) : removed.contains(place.href) { return nil }
    if !removedKeys.isEmpty, removedKeys.contains(place.href.comparisonKey) { return nil }
    // Of what is not told, nothing changed.
    return RemoteEntry(href: place.href, etag: place.etag)
  }

  /// What was known of a place, as it is now; nil if there is nothing any more.
  func entry(in known: RemoteEntry) -> RemoteEntry? {
    if let entry = byHref[known.href] { return entry }
    return isComplete || removed.contains(known.href) ? nil : known
  }

  /// What was told of a place, in whatever spelling.
  func entry(at href: Href) -> RemoteEntry? {
    byHref[href] ?? respelled[href.comparisonKey]
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The listing or the changes of a remote, for lookup by the places of the ledger.
struct RemoteView {
  /// The listed or changed resources; each href once.
  let told: [RemoteEntry]
  private let byHref: [Href: RemoteEntry]
  /// The resources whose spelling is unknown to the ledger.
  private let respelled: [[UInt8]: RemoteEntry]
  private let removed: Set<Href>
  private let removedKeys: Set<[UInt8]>
  private let isComplete: Bool
  /// The resources that exist but are not listed.
  private let held: Set<Href>

  init(_ answer: RemoteAnswer, unsettled: [RemoteEntry], places: [LedgerSummary]) {
    held = answer.held
    var entries: [RemoteEntry]
    switch answer.changes {
    case .none:
      (entries, removed, isComplete) = ([], [], false)
    case .some(let changed, let removed, _):
      // A resource that is reported both as changed and as removed exists.
      self.removed = Set(removed).subtracting(changed.map(\.href))
      (entries, isComplete) = (changed, false)
    case .complete(let listing, _):
      (entries, removed, isComplete) = (listing, [], true)
    }
    var byHref: [Href: RemoteEntry] = [:]
    byHref.reserveCapacity(entries.count)
    for entry in entries { byHref[entry.href] = entry }
    if !isComplete {
      // The reports of earlier runs remain valid unless this response replaces them.
      for entry in unsettled where byHref[entry.href] == nil && !removed.contains(entry.href) {
        byHref[entry.href] = entry
        entries.append(entry)
      }
    }
    var seen: Set<Href> = []
    told =
      entries.count == byHref.count ? entries : entries.filter { seen.insert($0.href).inserted }
    self.byHref = byHref
    // In most runs the remote reports no changes, so that no spellings are needed.
    let spellings = told.isEmpty && removed.isEmpty ? [] : Set(places.lazy.map(\.href))
    let unmatched = told.filter { !spellings.contains($0.href) }
    // Other spellings are looked up only if there are known places that they could match.
    respelled =
      places.isEmpty
      ? [:] : Dictionary(unmatched.map { ($0.href.comparisonKey, $0) }) { first, _ in first }
    removedKeys = Set(removed.subtracting(spellings).map(\.comparisonKey))
  }

  /// The current href and ETag of a known item; nil if the remote no longer holds it.
  func entry(of place: LedgerSummary) -> RemoteEntry? {
    if let entry = byHref[place.href] { return entry }
    if !respelled.isEmpty, let entry = respelled[place.href.comparisonKey] { return entry }
    if isComplete ? !held.contains(place.href) : removed.contains(place.href) { return nil }
    if !removedKeys.isEmpty, removedKeys.contains(place.href.comparisonKey) { return nil }
    // Resources that are not reported are unchanged.
    return RemoteEntry(href: place.href, etag: place.etag)
  }

  /// The current version of a known resource; nil if it no longer exists.
  func entry(in known: RemoteEntry) -> RemoteEntry? {
    if let entry = byHref[known.href] { return entry }
    return isComplete || removed.contains(known.href) ? nil : known
  }

  /// The reported version of an href, in any spelling.
  func entry(at href: Href) -> RemoteEntry? {
    byHref[href] ?? respelled[href.comparisonKey]
  }
}

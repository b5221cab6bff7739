// SPDX-License-Identifier: Apache-2.0

/// The hrefs of a listing, by what is equal in all spellings of one.
///
/// What the ledger remembers was told by the answer to a write or by another listing, and may be spelled
/// differently. The spelling of this listing is the one that is used.
struct RemotePlaces {
  private let listed: Set<Href>
  private let spellings: [[UInt8]: Href]

  /// Takes a listing, in which places that are known are going to be looked for.
  init(_ listing: [RemoteEntry], known: [Href]) {
    let listed = Set(listing.map(\.href))
    self.listed = listed
    // Nearly always every place is spelled as it was.
    spellings =
      known.allSatisfy(listed.contains)
      ? [:] : Dictionary(listing.map { ($0.href.comparisonKey, $0.href) }) { first, _ in first }
  }

  /// The entry with the href as the listing spells it.
  func respelled(_ entry: LedgerEntry) -> LedgerEntry {
    var entry = entry
    entry.href = respelled(entry.href)
    return entry
  }

  /// The intent with the href as the listing spells it.
  func respelled(_ intent: Intent) -> Intent {
    Intent(
      uid: intent.uid, action: intent.action, content: intent.content,
      fingerprint: intent.fingerprint, before: intent.before, mergedWith: intent.mergedWith,
      other: intent.other,
      href: intent.href.map(respelled),
      etag: intent.etag)
  }

  /// An exact match counts first, so that names which only look encoded are not confused.
  private func respelled(_ href: Href) -> Href {
    listed.contains(href) ? href : spellings[href.comparisonKey] ?? href
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The hrefs of a listing, indexed by the comparison key of their spellings.
///
/// The hrefs in the ledger come from responses to writes or from other listings, and may be spelled
/// differently. The planner uses the spelling of this listing.
struct RemotePlaces {
  private let listed: Set<Href>
  private let spellings: [[UInt8]: Href]

  /// Indexes a listing for the lookup of known hrefs.
  init(_ listing: [RemoteEntry], known: [Href]) {
    let listed = Set(listing.map(\.href))
    self.listed = listed
    // Nearly always the spelling of all hrefs is unchanged.
    spellings =
      known.allSatisfy(listed.contains)
      ? [:] : Dictionary(listing.map { ($0.href.comparisonKey, $0.href) }) { first, _ in first }
  }

  /// The entry with the href in the spelling of the listing.
  func respelled(_ entry: LedgerEntry) -> LedgerEntry {
    var entry = entry
    entry.href = respelled(entry.href)
    return entry
  }

  /// The intent with the href in the spelling of the listing.
  func respelled(_ intent: Intent) -> Intent {
    Intent(
      uid: intent.uid, action: intent.action, content: intent.content,
      fingerprint: intent.fingerprint, before: intent.before, mergedWith: intent.mergedWith,
      other: intent.other,
      href: intent.href.map(respelled),
      etag: intent.etag)
  }

  /// Prefers an exact match, so that names that only look encoded are not confused.
  private func respelled(_ href: Href) -> Href {
    listed.contains(href) ? href : spellings[href.comparisonKey] ?? href
  }
}

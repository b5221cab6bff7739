// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The sync report of all items (RFC 6578 §3.4), which the first run of a sync sends together with
/// the opening request.
///
///     opening request ──────► calendar, ctag ──┐
///     report since no token ──► items, token ──┴── plausible ──► complete ──► fetch
///                                              │ rejected, paged, implausible, another URL
///                                              ▼
///                                            token ──► listing ──► …
///
/// A listing needs three requests: the token before it, and the token after it once more, because
/// nothing else shows that the calendar did not change meanwhile. The token of a report belongs to
/// exactly the items in the report, so that one request is sufficient, and no later report misses a
/// change.
///
/// The ctag is from the opening request, which the server may handle after the report. If the
/// calendar changed in between, the ctag is newer than the token. Nothing is missed, because both
/// must be unchanged for a run that finds nothing.
///
/// The items count as all items of the calendar:
///
/// - No item is deleted because it is absent: without an agreed item, a run deletes nothing.
/// - Before the first addition, and if the report has no items, a listing must contain no other
///   ones. Otherwise an item that the server omitted would be added a second time.
struct InitialReport: Sendable {
  private let report: OpeningReport

  /// Sends the report to a URL that may be a calendar.
  init(of address: RemoteURL, by session: DAVSession) {
    report = OpeningReport(
      DAVBody.syncCollection(since: ""), depth: "0", to: address, by: session)
  }

  /// The response; nil if the request failed.
  ///
  /// - Throws: The `RemoteError` of a server that stopped in the middle of the response.
  func response() async throws(RemoteError) -> HTTPResponse? { try await report.response() }
}

extension CalDAVCalendar {
  /// Returns the items of an initial report; nil if it is unavailable or implausible.
  func initialChanges(by report: InitialReport, _ ctag: String?) async throws -> RemoteChanges? {
    // The tokens of these servers do not show all changes.
    guard !quirks.countsInSeconds, !quirks.reusesTags, let response = try await report.response(),
      response.url.asCollection.normalized == collection.asCollection.normalized,
      let document = try? DAVSession.multiStatus(of: response)
    else { return nil }
    var report = SyncReport(collection: collection, trustsTags: true)
    guard case .last(let token?) = report.add(document, from: response.url), !report.isRefused,
      !report.hasStrays
    else { return nil }
    let entries = report.changed
    let cursor = CalDAVCursor(
      path: collection.asCollection.normalizedPath, count: entries.count,
      state: CollectionState(ctag: ctag, token: token)
    ).remembered
    if entries.isEmpty, try await !list().isEmpty { return nil }
    memory.reportCursor = cursor
    return .complete(entries, cursor)
  }

  func isWhole(_ listing: [RemoteEntry]) async throws -> Bool {
    guard memory.reportCursor != nil else { return true }
    let known = Set(listing.map(\.href.comparisonKey))
    return try await list().allSatisfy { known.contains($0.href.comparisonKey) }
  }
}

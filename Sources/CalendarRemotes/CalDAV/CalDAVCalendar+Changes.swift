// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// Change detection with the cheapest method that the server supports.
///
///     ctag and token ── unchanged ──► none
///        │ changed
///        ▼
///     sync report ── plausible ──► some ── more pages ──► sync report
///        │ rejected, implausible or unsupported
///        ▼
///     listing ──► complete ── token ── unchanged ──► confirmed
///
/// The first run of a sync starts with an `InitialReport`, or else with a listing.
///
/// The ctag and the sync token are requested first, so that concurrent changes are reported again
/// by the next run. This is not sufficient for a listing. An item that is added before the listing
/// and deleted after it is in the listing, but in neither of the two states that a later report
/// compares (RFC 6578 §3.5). Therefore the token must be unchanged after the listing, which
/// `confirm(_:)` checks while the run fetches the first items.
extension CalDAVCalendar {
  /// The maximum number of pages of one report.
  private static let pageLimit = 1000
  /// The status codes of servers that reject the token, do not support reports, or fail at them.
  private static let refusals: Set<Int> = [
    400, 403, 404, 405, 409, 410, 412, 415, 418, 422, 500, 501, 507,
  ]

  func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    let state: CollectionState
    if let report = opening.takeInitialReport() {
      // The opening request did not ask for the token, which a listing needs.
      let tag = opening.takeState()?.ctag
      if let changes = try await initialChanges(by: report, tag) { return changes }
      state = try await askState()
    } else if let known = opening.takeState() {
      state = known
    } else {
      state = try await askState()
    }
    let path = collection.asCollection.normalizedPath
    memory.cursorRecognition = .unknown
    if let cursor, let known = CalDAVCursor(cursor), known.path == path {
      if known.state.agrees(with: state) {
        memory.cursorRecognition = .recognized
        return .none(cursor)
      }
      if let changes = try await report(since: cursor, known, to: state) { return changes }
    }
    return try await listing(after: state, path: path)
  }

  /// Lists all items together with the state from before.
  private func listing(after state: CollectionState, path: String) async throws -> RemoteChanges {
    let entries = try await list()
    let next = CalDAVCursor(path: path, count: entries.count, state: state)
    return .complete(entries, next.remembered)
  }

  func confirm(_ cursor: RemoteCursor) async -> RemoteCursor? {
    // The token of a report belongs to its items.
    if memory.reportCursor == cursor { return cursor }
    guard let known = CalDAVCursor(cursor), known.state.token != nil else { return cursor }
    // The ctag is not compared, and some servers read all items for it.
    if let now = try? await askState([.dav("sync-token")]), now.token == known.state.token {
      return cursor
    }
    // Without a token, the next run lists the calendar again.
    var state = known.state
    state.token = nil
    return CalDAVCursor(path: known.path, count: known.count, state: state).remembered
  }

  private func askState(
    _ properties: [XMLName] = CollectionState.properties
  ) async throws -> CollectionState {
    let response = try await session.propfind(properties, of: collection, depth: 0)
    // The subsequent listing reports a deleted calendar and other errors.
    guard [200, 207].contains(response.status) else { return CollectionState() }
    let answer = try DAVSession.multiStatus(of: response)
    guard let first = answer.responses.first else { return CollectionState() }
    return quirks.state(first, response.headers)
  }

  /// Requests sync reports; nil if they are unavailable or implausible.
  private func report(
    since cursor: RemoteCursor, _ known: CalDAVCursor, to state: CollectionState
  ) async throws -> RemoteChanges? {
    guard var token = known.state.token, state.token != nil else { return nil }
    var report = SyncReport(collection: collection, trustsTags: !quirks.reusesTags)
    for _ in 0..<Self.pageLimit {
      let response = try await session.send(
        .report, to: collection, headers: [("Depth", "0")],
        content: .xml(DAVBody.syncCollection(since: token)))
      guard !Self.refusals.contains(response.status) else {
        memory.cursorRecognition = .refused
        return nil
      }
      let page = report.add(try DAVSession.multiStatus(of: response), from: response.url)
      // A listing shows whether these are items.
      guard !report.hasStrays else { return nil }
      switch page {
      case .cutOff: return nil
      case .more(let next):
        guard next != token else { return nil }
        token = next
      case .last(let next):
        guard isBelieved(report, token: next, known: known, state: state) else {
          // An empty report contradicts the state. A long one may be that of any token.
          memory.cursorRecognition =
            report.isEmpty ? .refused : known.state.canRecur ? .unknown : .recognized
          return nil
        }
        memory.cursorRecognition = .recognized
        return changes(report, token: next, since: cursor, known: known, state: state)
      }
    }
    return nil
  }

  /// Whether a report is plausible, given the ctag and the token of the calendar.
  ///
  /// Some servers accept tokens from another time or from a store that was restored from a backup.
  /// They respond to an invalid token with an empty report or with all items. Therefore an empty
  /// report must agree with the state. If a report without deletions contains at least half of the
  /// calendar, a listing costs no more and also shows deletions.
  private func isBelieved(
    _ report: SyncReport, token: String?, known: CalDAVCursor, state: CollectionState
  ) -> Bool {
    if report.isEmpty {
      return token == state.token || known.state.ctag != nil && known.state.ctag == state.ctag
    }
    return quirks.requiresReports || !report.removed.isEmpty
      || report.changed.count * 2 < max(known.count, 2)
  }

  private func changes(
    _ report: SyncReport, token: String?, since old: RemoteCursor, known: CalDAVCursor,
    state: CollectionState
  ) -> RemoteChanges {
    var next = state
    next.token = token
    if quirks.countsInSeconds { next.isSettled = state.isSettled && token == state.token }
    let cursor = CalDAVCursor(
      path: known.path, count: known.count - report.removed.count, state: next)
    // Without a ctag and a token, only the previous cursor can be stored.
    return .some(
      changed: report.changed, removed: report.removed, cursor.remembered ?? old)
  }
}

extension ServerQuirks {
  /// Returns the state of a calendar, as unsettled if a later change could have the same values.
  func state(
    _ response: MultiStatus.Response, _ headers: HTTPHeaders
  ) -> CollectionState {
    var state = CollectionState(response)
    if countsInSeconds { state.settle(bySecondsOf: headers) }
    return state
  }
}

extension CollectionState {
  /// Whether nothing has changed between a stored state and the current one.
  func agrees(with now: CollectionState) -> Bool {
    (ctag != nil || token != nil) && ctag == now.ctag && token == now.token
  }
}

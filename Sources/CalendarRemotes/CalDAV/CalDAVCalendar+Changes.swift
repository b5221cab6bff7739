// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// What changed since the last time, by the cheapest way that the server has.
///
///     tag and token ── as before ──► none
///        │ others
///        ▼
///     sync report ── believed ──► some ── more pages ──► sync report
///        │ refused, doubted, or there is none
///        ▼
///     listing ── tag and token ── as before ──► complete
///        ▲            │ others
///        └────────────┘
///
/// The tag and the token are asked for before anything else: what changes meanwhile is told once more.
/// That is not enough beside a listing. What is added before it and deleted after it is in it, but in
/// neither of the two states that a later report compares (RFC 6578 §3.5); so they have to be the same
/// after it, too.
extension CalDAVCalendar {
  /// The most pages of one report.
  private static let pageLimit = 1000
  /// The most listings in which a calendar may be found changing.
  private static let listingLimit = 3
  /// The answers to a report that say no more than that it cannot be had: of a token that is not known
  /// any more, of a server that has no reports, or of one that fails at them.
  private static let refusals: Set<Int> = [
    400, 403, 404, 405, 409, 410, 412, 415, 418, 422, 500, 501, 507,
  ]

  func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    let state: CollectionState
    if let told = opening.takeState() { state = told } else { state = try await askState() }
    let path = collection.asCollection.normalizedPath
    if let cursor, let known = CalDAVCursor(cursor), known.path == path {
      if known.state.agrees(with: state) { return .none(cursor) }
      if let changes = try await report(since: cursor, known, to: state) { return changes }
    }
    return try await listing(after: state, path: path)
  }

  /// Everything there is, and the state that it is known to be of.
  private func listing(after first: CollectionState, path: String) async throws -> RemoteChanges {
    var state = first
    var entries = try await list()
    for attempt in 1...Self.listingLimit where state.token != nil {
      let now = try await askState()
      guard now.token != state.token else { break }
      guard attempt < Self.listingLimit, now.token != nil else {
        // It does not rest: without a token, the next run lists it again.
        state.token = nil
        break
      }
      state = now
      entries = try await list()
    }
    let next = CalDAVCursor(path: path, count: entries.count, state: state)
    return .complete(entries, next.remembered)
  }

  private func askState() async throws -> CollectionState {
    let response = try await session.propfind(
      CollectionState.properties, of: collection, depth: 0)
    // A calendar that is gone, or does not answer this, is found out by the listing.
    guard [200, 207].contains(response.status) else { return CollectionState() }
    let answer = try DAVSession.multiStatus(of: response)
    guard let first = answer.responses.first else { return CollectionState() }
    return quirks.state(first, response.headers)
  }

  /// What the reports say; nil if they cannot be had, or if they are not believed.
  private func report(
    since cursor: RemoteCursor, _ known: CalDAVCursor, to state: CollectionState
  ) async throws -> RemoteChanges? {
    guard var token = known.state.token, state.token != nil else { return nil }
    var report = SyncReport(collection: collection, trustsTags: !quirks.reusesTags)
    for _ in 0..<Self.pageLimit {
      let response = try await session.send(
        .report, to: collection, headers: [("Depth", "0")],
        content: .xml(DAVBody.syncCollection(since: token)))
      guard !Self.refusals.contains(response.status) else { return nil }
      switch report.add(try DAVSession.multiStatus(of: response), from: response.url) {
      case .cutOff: return nil
      case .more(let next):
        guard next != token else { return nil }
        token = next
      case .last(let next):
        guard isBelieved(report, token: next, known: known, state: state) else { return nil }
        return changes(report, token: next, since: cursor, known: known, state: state)
      }
    }
    return nil
  }

  /// Whether a report can be true, as far as the tag and the token of the calendar show.
  ///
  /// Some servers take every token for one of theirs, though it be of another time or of a store that
  /// was put back from a copy. To what they cannot make sense of they answer that nothing has changed, or
  /// with all that there is: so a report of nothing has to agree with the state, and for one that names
  /// a good part of the calendar a listing costs no more and tells what is gone.
  private func isBelieved(
    _ report: SyncReport, token: String?, known: CalDAVCursor, state: CollectionState
  ) -> Bool {
    if report.isEmpty {
      return token == state.token || known.state.ctag != nil && known.state.ctag == state.ctag
    }
    return !report.removed.isEmpty || report.changed.count * 2 < max(known.count, 2)
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
    // Without a tag and a token there is nothing newer to begin with than what was known.
    return .some(
      changed: report.changed, removed: report.removed, cursor.remembered ?? old)
  }
}

extension ServerQuirks {
  /// The state of a calendar, as far as this server's word for it can be trusted.
  func state(
    _ response: MultiStatus.Response, _ headers: HTTPHeaders
  ) -> CollectionState {
    var state = CollectionState(response)
    if countsInSeconds { state.settle(bySecondsOf: headers) }
    return state
  }
}

extension CollectionState {
  /// Whether nothing has changed between a remembered state and one that is told now.
  func agrees(with now: CollectionState) -> Bool {
    (ctag != nil || token != nil) && ctag == now.ctag && token == now.token
  }
}

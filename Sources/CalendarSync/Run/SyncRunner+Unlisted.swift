// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The response of a remote at the start of a run, completed by unlisted resources.
struct RemoteAnswer {
  /// The changes, or the complete listing.
  var changes: RemoteChanges
  /// The resources that were added earlier and exist, but are not listed.
  var held: Set<Href> = []

  /// Whether the remote reports no changes since the last run.
  var isSilent: Bool {
    guard held.isEmpty else { return false }
    return switch changes {
    case .none: true
    case .some(let changed, let removed, _): changed.isEmpty && removed.isEmpty
    case .complete: false
    }
  }
}

/// The additions that no response of the remote has listed yet.
extension SyncRunner {
  /// Requests the changes of the remote.
  ///
  /// An item that was added after a cursor and deleted before this request is in neither of the two
  /// states that the remote compares (RFC 6578 §3.5). Therefore everything is requested if the
  /// response does not mention an addition. A listing can also be delayed, or omit items that the
  /// server hides: an unlisted addition counts as removed only if it cannot be fetched, either.
  func answer(
    of calendar: any RemoteCalendar, since checkpoint: SyncCheckpoint, isVerifying: Bool
  ) async throws -> RemoteAnswer {
    var changes =
      isVerifying
      ? try await calendar.everything(knowing: checkpoint.cursor)
      : try await calendar.changes(since: checkpoint.cursor)
    var unnamed = changes.silent(about: checkpoint.unlisted)
    guard !unnamed.isEmpty else { return RemoteAnswer(changes: changes) }
    if !changes.isComplete {
      changes = try await calendar.everything(knowing: checkpoint.cursor)
      unnamed = changes.silent(about: unnamed)
      guard !unnamed.isEmpty else { return RemoteAnswer(changes: changes) }
    }
    var held: Set<Href> = []
    try await calendar.fetch(unnamed) { batch in
      for result in batch {
        switch result {
        case .item(let href, _, _), .unreadable(let href, _): held.insert(href)
        case .missing: continue
        }
      }
    }
    return RemoteAnswer(changes: changes, held: held)
  }
}

extension RemoteChanges {
  /// Whether the response is a complete listing.
  fileprivate var isComplete: Bool {
    if case .complete = self { true } else { false }
  }

  /// The places that the response does not mention in any spelling.
  fileprivate func silent(about places: [Href]) -> [Href] {
    guard !places.isEmpty else { return [] }
    let named: [Href] =
      switch self {
      case .none: []
      case .some(let changed, let removed, _): changed.map(\.href) + removed
      case .complete(let listing, _): listing.map(\.href)
      }
    let exact = Set(named)
    let unmatched = places.filter { !exact.contains($0) }
    guard !unmatched.isEmpty else { return [] }
    let keys = Set(named.map(\.comparisonKey))
    return unmatched.filter { !keys.contains($0.comparisonKey) }
  }
}

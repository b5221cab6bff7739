// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What a remote says at the beginning of a run, so that its silence tells something.
struct RemoteAnswer {
  /// What changed, or everything there is.
  var changes: RemoteChanges
  /// Where it has something that was added earlier and that it does not list.
  var held: Set<Href> = []

  /// Whether it tells that nothing changed since it was last asked.
  var isSilent: Bool {
    guard held.isEmpty else { return false }
    return switch changes {
    case .none: true
    case .some(let changed, let removed, _): changed.isEmpty && removed.isEmpty
    case .complete: false
    }
  }
}

/// What was added to a remote, and no answer has named yet.
extension SyncRunner {
  /// Asks what changed.
  ///
  /// What was added after a cursor and deleted before this question is in neither of the two states that
  /// a remote compares (RFC 6578 §3.5). So where one is silent about something that was added, everything
  /// is asked for. A listing may be late in its turn, or leave out what a server does not show: what was
  /// added and is not listed is gone only if it cannot be had, either.
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
  /// Whether everything is told.
  fileprivate var isComplete: Bool {
    if case .complete = self { true } else { false }
  }

  /// The places that are not named, in whatever spelling.
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

// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The verification of a run's own writes.
extension SyncRunner {
  /// Reads written items back if the responses do not show what the remote stored.
  ///
  /// A server that returns no ETag has altered the content (RFC 4791 §5.3.4), and a server that
  /// parses values as lists cuts them. The result counts only if it is the sent content or a known
  /// alteration of it. Otherwise it may be an edit of another program, which the next run merges.
  ///
  /// - Parameters:
  ///   - settlements: The settlements of the writes.
  ///   - steps: The writes.
  ///   - calendar: The remote.
  /// - Returns: The settlements, updated with the results.
  func read(
    _ settlements: [Settlement], after steps: [RemoteStep], from calendar: any RemoteCalendar
  ) async -> [Settlement] {
    let cuttable = Set(steps.filter(\.isCuttable).map(\.intent.uid))
    var wanted: [Href: LedgerEntry] = [:]
    for case .record(let entry) in settlements.map(\.change) where entry.isUnseen {
      if entry.etag == nil || !keepsValues && cuttable.contains(entry.uid) {
        wanted[entry.href] = entry
      }
    }
    guard !wanted.isEmpty else { return settlements }
    // The next run checks items that cannot be read now.
    let hrefs = wanted.keys.sorted { $0.rawValue < $1.rawValue }
    guard let fetched = try? await calendar.fetch(hrefs) else { return settlements }
    var found: [UID: LedgerEntry] = [:]
    var hasKept = false
    for case .item(let href, let tag?, let item) in fetched {
      let item = item.normalized(by: merge.normalForm)
      guard let entry = wanted[href], entry.uid == item.uid else { continue }
      if cuttable.contains(entry.uid), item.fingerprint == entry.remoteBase { hasKept = true }
      guard let (read, losses) = entry.read(item, tag, merge.normalForm) else { continue }
      found[entry.uid] = read
      report(losses)
    }
    keepsValues = keepsValues || hasKept
    return settlements.map { settlement in
      guard case .record = settlement.change, let entry = found[settlement.uid] else {
        return settlement
      }
      return Settlement(
        uid: settlement.uid, change: .record(entry), conflict: settlement.conflict)
    }
  }

  /// Loads the intents of interrupted runs, whose outcomes are undecided from now on.
  func openIntents() async throws -> [Intent] {
    let intents = try await ledger.pendingIntents(of: binding)
    undecided = Dictionary(grouping: intents, by: \.uid)
    return intents
  }

  /// The settlement of a change that was not made.
  ///
  /// - Parameters:
  ///   - operation: The change.
  ///   - intent: What was written down before it.
  ///   - isRefused: Whether the remote refused it. The addition of an item that the remote does not list
  ///     and refuses shows that no earlier addition is there.
  /// - Returns: What is written down; nil where an earlier run was about to make the same change, because
  ///   that it cannot be made now may be the work of that run.
  func withdrawal(
    of operation: PlannedOperation, _ intent: Intent, isRefused: Bool = false
  ) -> Settlement? {
    if isRefused, intent.action == .createRemote {
      return Settlement(uid: operation.uid, change: .keep, conflict: operation.kept)
    }
    let earlier = undecided[operation.uid] ?? []
    if earlier.contains(where: intent.isSameWrite) { return nil }
    return Settlement(
      uid: operation.uid, change: earlier.isEmpty ? .keep : .withdraw,
      conflict: operation.kept)
  }
}

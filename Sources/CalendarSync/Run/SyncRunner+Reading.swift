// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What a run finds out about its own writes.
extension SyncRunner {
  /// Reads what was just written, where the answers leave open what the remote holds.
  ///
  /// A server that tells no entity tag stores something else than it was sent (RFC 4791 §5.3.4), and one
  /// that reads values as lists cuts them. What is read counts only as far as it is what was sent, or what
  /// servers make of it: another program may have been there in between, and what it wrote is for the next
  /// run to merge.
  ///
  /// - Parameters:
  ///   - settlements: What is to be written down.
  ///   - steps: What was sent.
  ///   - calendar: The remote.
  /// - Returns: What is to be written down, with what was found out.
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
    // What cannot be read now is looked at by the next run.
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

  /// What interrupted runs were about to do, which is undecided from now on.
  func openIntents() async throws -> [Intent] {
    let intents = try await ledger.pendingIntents(of: binding)
    undecided = Dictionary(grouping: intents, by: \.uid)
    return intents
  }

  /// What is written down of a change that was not made.
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

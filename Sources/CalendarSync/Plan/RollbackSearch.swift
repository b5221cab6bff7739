// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CivilTime

/// The evidence that a side was restored from a backup: agreed versions that it lost.
public struct Rollback: Hashable, Sendable {
  /// The number of items that are back at an earlier agreed version.
  public var returned = 0
  /// The number of items that are missing, and that the side held for the first time after the
  /// backup.
  public var missing = 0
  /// The number of deleted items that are back in their earlier agreed version.
  public var reappeared = 0
  /// The start time of the first run whose agreed versions are lost.
  public let since: Instant

  /// The number of items.
  public var count: Int { returned + missing + reappeared }

  /// Creates evidence without items.
  public init(since: Instant) {
    self.since = since
  }

  /// Counts an item in a state, and returns whether the state is evidence.
  @discardableResult
  fileprivate mutating func count(_ held: RollbackSearch.Held) -> Bool {
    switch held {
    case .version(_, let isKnown):
      if isKnown { returned += 1 } else { reappeared += 1 }
    case .absent: missing += 1
    case .agreed, .agreedAbsence, .unclear: return false
    }
    return true
  }
}

/// Searches the history of a sync for a time whose agreed versions a side holds again.
///
/// A restored side holds the state of one point in time, between two runs. For each run, newest
/// first, the search assumes that the backup was made before the run:
///
/// - An item *supports* this if it was changed since, and the side holds the version from before.
/// - An item *refutes* it if it was changed since, and the side still holds the agreed version. A
///   version that the item also had before the run is neutral. So is a version that the run found in
///   the local calendar: the backup may have been made after the edit and before the run.
/// - Any other version was written by another program, and is neutral.
///
/// A deletion that is still in force refutes a time only if there are no more supporting items than
/// such deletions: a user may have deleted an item again that the backup brought back.
///
/// The evidence is the supporting items of all times that are not refuted. Another client may have
/// deleted an item again after the backup was restored, so that an absence can support a wrong time
/// beside the right one. The time with the most supporting items is reported, of those that are
/// sufficient if there are any, and the newest of several. One item that its owner reverts is refuted
/// by any later change that is still there.
struct RollbackSearch {
  /// The state of an item on the side now.
  enum Held {
    /// The agreed version.
    case agreed
    /// Nothing, as agreed.
    case agreedAbsence
    /// Nothing, although both sides agreed on the item.
    case absent
    /// Another version than the agreed one; `isKnown` shows whether the ledger has the item.
    case version(Fingerprint, isKnown: Bool)
    /// Something that proves nothing.
    case unclear

    fileprivate var isKept: Bool {
      switch self {
      case .agreed, .agreedAbsence: true
      default: false
      }
    }
  }

  /// The found evidence with its items.
  struct Finding {
    var rollback: Rollback
    var items: [UID: String] = [:]
    /// Whether the evidence of a single time is sufficient.
    let isSufficient: Bool

    fileprivate mutating func add(_ found: [UID: Touched]) {
      for (uid, item) in found where rollback.count(item.held) { items[uid] = item.title }
    }
  }

  fileprivate struct Touched {
    let held: Held
    /// The title at the newest change.
    let title: String
    /// The content of the side after the newest change; nil after a deletion.
    let newest: [UInt8]?
    var isRefuting = false
    var isLost = false
    /// Whether the item was deleted, and is still absent.
    var isAbsent: Bool {
      if case .agreedAbsence = held { true } else { false }
    }
  }

  private let changes: [PastChange]
  private let side: MergeSide
  private let held: (UID) -> Held
  private let form: NormalForm

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - changes: The changes of the sync, newest first.
  ///   - side: The side.
  ///   - form: The normal form of the held versions.
  ///   - held: The state of an item on the side.
  init(
    _ changes: [PastChange], of side: MergeSide, form: NormalForm, held: @escaping (UID) -> Held
  ) {
    (self.changes, self.side, self.form, self.held) = (changes, side, form, held)
  }

  /// Searches the evidence.
  ///
  /// - Parameter isSufficient: Whether the evidence of one time is sufficient to stop a run.
  /// - Returns: The evidence; nil if there is none.
  func finding(where isSufficient: (Rollback) -> Bool) -> Finding? {
    var touched: [UID: Touched] = [:]
    var (refuting, absent, lost) = (0, 0, 0)
    var best: (since: Instant, rank: (sufficient: Int, lost: Int))?
    var evidence: Set<UID> = []
    var rest = changes[...]
    /// Replaces the state of an item.
    func set(_ uid: UID, _ item: Touched) {
      for (state, step) in [(touched[uid], -1), (item, 1)] {
        guard let state else { continue }
        if state.isRefuting { if state.isAbsent { absent += step } else { refuting += step } }
        if state.isLost { lost += step }
      }
      touched[uid] = item
    }
    // The items that refute only the times before the run whose lines are read.
    var older: [UID: Touched] = [:]
    while let first = rest.first {
      let run = rest.prefix { $0.run == first.run }
      rest = rest.dropFirst(run.count)
      for (uid, item) in older { set(uid, item) }
      older = [:]
      for change in run where !leavesSide(change.line) {
        let line = change.line
        let isNewest = touched[line.uid] == nil
        var item = touched[line.uid] ?? start(at: line)
        let isEarlier = isEarlier(item, before: line)
        item.isRefuting = item.held.isKept && !isEarlier
        item.isLost = !item.held.isKept && isEarlier
        if isNewest, item.isRefuting, side == .local, !line.isLocal {
          older[line.uid] = item
          item.isRefuting = false
        }
        set(line.uid, item)
      }
      guard refuting == 0, lost > absent else { continue }
      let supporting = touched.filter(\.value.isLost)
      evidence.formUnion(supporting.keys)
      var time = Rollback(since: first.startedAt)
      for item in supporting.values { time.count(item.held) }
      let rank = (isSufficient(time) ? 1 : 0, lost)
      if rank > best?.rank ?? (0, 0) { best = (first.startedAt, rank) }
    }
    guard let best else { return nil }
    var finding = Finding(
      rollback: Rollback(since: best.since), isSufficient: best.rank.sufficient > 0)
    finding.add(touched.filter { evidence.contains($0.key) })
    return finding
  }

  /// The state of an item before its newest change is examined.
  private func start(at line: JournalLine) -> Touched {
    var state = held(line.uid)
    let left = line.left(on: side)
    // The side still holds what the change left there, whatever the ledger says.
    if case .version(let version, _) = state, let left,
      let item = try? CalendarItem(parsing: left, normalForm: form), item.fingerprint == version
    {
      state = .agreed
    }
    return Touched(held: state, title: line.title, newest: left)
  }

  /// Whether a change concerns the other side alone, as an undo of a download does on a remote.
  private func leavesSide(_ line: JournalLine) -> Bool {
    guard line.isLocal == (side == .remote), let other = line.other,
      let known = line.agreed(on: side)
    else { return false }
    if other == known { return true }
    let items = [other, known].map { try? CalendarItem(parsing: $0, normalForm: form) }
    return items[0] != nil && items[0]?.fingerprint == items[1]?.fingerprint
  }

  /// Whether the side holds a version from before a change.
  private func isEarlier(_ item: Touched, before line: JournalLine) -> Bool {
    switch item.held {
    case .unclear: false
    case .absent, .agreedAbsence: line.followsAbsence(on: side)
    case .agreed: line.earlierVersions(on: side).contains { $0 == item.newest }
    case .version(let version, _):
      line.earlierVersions(on: side).contains { bytes in
        let earlier = try? CalendarItem(parsing: bytes, normalForm: form)
        return earlier?.fingerprint == version
      }
    }
  }
}

extension JournalLine {
  fileprivate var isLocal: Bool {
    switch action {
    case .createLocal, .updateLocal, .deleteLocal: true
    case .createRemote, .updateRemote, .deleteRemote, .moveRemote, .append: false
    }
  }

  /// The content of a side after the change; nil if it held nothing.
  fileprivate func left(on side: MergeSide) -> [UInt8]? {
    isLocal == (side == .local) ? after : other ?? after
  }

  /// The previously agreed content of a side; nil if the sides never agreed.
  fileprivate func agreed(on side: MergeSide) -> [UInt8]? {
    side == .local ? agreed : agreedRemotely ?? agreed
  }

  /// Whether a side may have held nothing before the change.
  fileprivate func followsAbsence(on side: MergeSide) -> Bool {
    switch action {
    case .createRemote: side == .remote || agreed == nil
    case .createLocal: side == .local || agreed == nil
    // Both sides may have added the item, so that the first agreement is an update.
    case .updateLocal, .updateRemote, .moveRemote, .append: agreed == nil
    case .deleteRemote, .deleteLocal: false
    }
  }

  /// The versions that a side is known to have held before the change.
  fileprivate func earlierVersions(on side: MergeSide) -> [[UInt8]] {
    let replaced: [UInt8]? =
      switch action {
      case .updateRemote, .deleteRemote: side == .remote ? before : nil
      case .updateLocal, .deleteLocal: side == .local ? before : nil
      case .createLocal, .createRemote, .moveRemote, .append: nil
      }
    return [agreed(on: side), replaced].compactMap(\.self)
  }
}

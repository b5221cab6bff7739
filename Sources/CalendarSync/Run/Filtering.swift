// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// The filter of a run.
extension SyncRun {
  private var clock: FilterClock { FilterClock(options.filter, merge.normalForm, at: now()) }

  /// The plan without the operations that the filter excludes; records the excluded items.
  mutating func filtering(_ plan: SyncPlan, _ contents: PartContents) -> SyncPlan {
    guard options.leavesItemsOutside else { return plan }
    let begun = Set(survey.intents.map(\.uid) + survey.appended.map(\.uid))
    var filter = PlanFilter(clock, contents, begun: begun, form: merge.normalForm)
    var plan = plan
    plan.operations = plan.operations.flatMap { filter.apply(to: $0) }
    work.note(outside: filter.outside)
    return plan
  }

  /// The local items without those that the filter excludes; known items are kept.
  func filtering(_ listing: LocalListing, known: Set<UID>) -> LocalListing {
    guard options.filter.isActive else { return listing }
    let clock = clock
    var listing = listing
    listing.entries.removeAll { entry in
      !known.contains(entry.item.uid) && clock.verdict(on: entry.item) != .inside
    }
    return listing
  }

  /// Stores the items outside of the filter, and returns the time of the next check.
  func storeOutside(in id: RunID) async throws -> Instant? {
    guard options.leavesItemsOutside else { return nil }
    let items = survey.outside.items(after: work.items, found: work.found)
    try await ledger.store(outside: items, in: id)
    guard options.filter.hasWindow else { return nil }
    let next = items.compactMap(\.until).min()
    let latest = now().adding(seconds: SyncCheckpoint.longestRest)
    return [next, latest].compactMap(\.self).min()
  }
}

/// Removes the operations from a plan that a filter excludes.
private struct PlanFilter {
  private let clock: FilterClock
  private let entries: [UID: LedgerEntry]
  private let begun: Set<UID>
  private let locals: [UID: LocalEntry]
  private let fetched: [UID: CalendarItem]
  /// The places of the fetched items, with their ETags.
  private let places: [UID: RemoteEntry]
  private let form: NormalForm
  /// Whether deletions are kept, because missing items may still be found.
  private let keepsDeletions: Bool
  /// The items outside of the filter that exist on one side only.
  private(set) var outside: [OutsideItem] = []

  /// Creates a filter for a plan.
  ///
  /// - Parameters:
  ///   - clock: The filter at the current time.
  ///   - contents: The contents of the items.
  ///   - begun: The items that an earlier run began to copy, which is completed.
  ///   - form: The normal form for comparing items.
  init(_ clock: FilterClock, _ contents: PartContents, begun: Set<UID>, form: NormalForm) {
    self.clock = clock
    entries = Dictionary(contents.entries.map { ($0.uid, $0) }) { first, _ in first }
    self.begun = begun
    self.form = form
    keepsDeletions = contents.part.isProvisional
    locals = Dictionary(contents.local.entries.map { ($0.item.uid, $0) }) { first, _ in first }
    let tags = Dictionary(contents.listing.map { ($0.href, $0.etag) }) { first, _ in first }
    var items: [UID: CalendarItem] = [:]
    var places: [UID: RemoteEntry] = [:]
    for case .item(let href, let etag, let item) in contents.part.fetched {
      items[item.uid] = item
      places[item.uid] = RemoteEntry(href: href, etag: etag ?? tags[href] ?? nil)
    }
    (fetched, self.places) = (items, places)
  }

  /// The filtered operations for an operation, usually the operation itself.
  mutating func apply(to operation: PlannedOperation) -> [PlannedOperation] {
    let uid = operation.uid
    guard !begun.contains(uid) else { return [operation] }
    switch operation.action {
    case .createRemote(let entry) where entries[uid] == nil:
      guard case .outside(let until) = clock.verdict(on: entry.item) else { return [operation] }
      outside.append(
        OutsideItem(
          side: .local, uid: uid, place: entry.name, version: entry.item.fingerprint.rawValue,
          until: until))
      return []
    case .createLocal(let item, let entry) where entries[uid] == nil:
      guard case .outside(let until) = clock.verdict(on: item) else { return [operation] }
      // Without an ETag a later run could not detect whether the item is unchanged.
      if let etag = entry.etag {
        outside.append(
          OutsideItem(
            side: .remote, uid: uid, place: entry.href.rawValue, version: etag.rawValue,
            until: until))
      }
      return []
    case .deleteRemote(let href, let etag) where !keepsDeletions:
      guard let item = fetched[uid] ?? base(of: uid),
        case .outside(let until) = clock.verdict(on: item)
      else { return [operation] }
      // A remote that reports changes does not report the item again.
      outside.append(
        OutsideItem(
          side: .remote, uid: uid, place: href.rawValue, version: etag.rawValue, until: until))
      return leave(operation, .outsideFilter(deletedOn: .local))
    case .deleteLocal(let entry) where !keepsDeletions:
      guard isOutside(entry.item) else { return [operation] }
      return leave(operation, .outsideFilter(deletedOn: .remote))
    case .skip: return noted(operation) ? [] : [operation]
    default: return [operation]
    }
  }

  /// Records an item that a one-way sync does not copy, and returns whether it is outside of the filter.
  ///
  /// An item of the remote is recorded in any case, because a later run need not fetch it again.
  private mutating func noted(_ operation: PlannedOperation) -> Bool {
    let uid = operation.uid
    switch operation.obstacle {
    case .onlyOn(.local)?:
      guard let entry = locals[uid], case .outside(let until) = clock.verdict(on: entry.item) else {
        return false
      }
      outside.append(
        OutsideItem(
          side: .local, uid: uid, place: entry.name, version: entry.item.fingerprint.rawValue,
          until: until))
      return true
    case .onlyOn(.remote)?, .notOwn(.remote)?:
      let known = entries[uid].map { RemoteEntry(href: $0.href, etag: $0.etag) }
      if let place = places[uid] ?? known, let etag = place.etag {
        outside.append(
          OutsideItem(
            side: .remote, uid: uid, place: place.href.rawValue, version: etag.rawValue,
            until: nil))
      }
      return fetched[uid].map(isOutside) ?? false
    default: return false
    }
  }

  private func isOutside(_ item: CalendarItem) -> Bool { clock.verdict(on: item) != .inside }

  /// The last agreed local version of an item.
  private func base(of uid: UID) -> CalendarItem? {
    guard let bytes = entries[uid]?.base else { return nil }
    return try? CalendarItem(parsing: bytes, normalForm: form)
  }

  /// Keeps an item on its side, like one that the sides never agreed on.
  private func leave(
    _ operation: PlannedOperation, _ obstacle: ItemObstacle
  ) -> [PlannedOperation] {
    [PlannedOperation.Action.forget, .skip].map {
      PlannedOperation(
        uid: operation.uid, title: operation.title, action: $0, reason: .obstacle(obstacle))
    }
  }
}

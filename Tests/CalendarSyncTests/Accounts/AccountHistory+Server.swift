// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// The acts of a server on calendars, and the conditions after each run.
///
/// A forbidden calendar is a gap of the list (`AccountList.Gap`): "neither created nor gone".
/// - A calendar that is here or known, and in a gap, keeps its files and its record, and no request goes
///   to it. It is not created a second time, and its folder is not created if it is only there.
/// - All of that holds for each calendar of a forbidden collection, and for a new one here if new ones
///   come to that collection.
/// - What was edited meanwhile arrives when it is allowed again; the end of a history expects it.
///
/// A calendar that may only be read is listed without components.
/// - The record of its pair says so after each run until it becomes writable.
/// - What differs between both sides after a whole run has been refused, and is in the quarantine, or is
///   in a conflict. So edits there arrive, unless the item was edited here, too.
/// - No run replaces or deletes a version here that is not in the journal or in a conflict.
/// - What was refused arrives when the calendar is writable again; the end of a history expects it.
///
/// A calendar at another place than that of its name is the one here that the ledger knows with that place.
/// - It is synced under the name that it has here.
/// - Its sync never starts over as long as both places stay, whatever else the server does.
/// - A new place with the same last segment starts the sync over: nothing is deleted, and what was edited
///   is merged or in a conflict.
/// - A new place with another last segment is another calendar: the old one is gone, which deletes
///   nothing here, and the new one is created here.
/// - If the record of a creation is lost, the calendar there is another one, too. Nothing else tells to
///   which one here it belongs.
extension AccountHistory {
  // MARK: Places

  /// The place of the calendar on the server that belongs to a name here; nil if there is none.
  func place(of id: CollectionID) -> String? {
    let names = Dictionary(known.map { ($0.location, $0.id) }) { first, _ in first }
    return remote.places.keys.sorted().first { place in
      (names[place] ?? Self.name(of: place)) == id
    }
  }

  func there(_ id: CollectionID) -> MemoryRemote? {
    place(of: id).flatMap { remote.places[$0] }
  }

  private static func name(of place: String) -> CollectionID? {
    place.split(separator: "/").last.flatMap { CollectionID(segment: $0) }
  }

  private func isForbidden(_ place: String) -> Bool {
    remote.forbidden.contains { $0 == place || $0.hasSuffix("/") && place.hasPrefix($0) }
  }

  /// Whether a calendar is in the second collection, and that is forbidden.
  func isHidden(_ id: CollectionID) -> Bool {
    place(of: id)?.hasPrefix(AccountServer.other) == true
      && remote.forbidden.contains(AccountServer.other)
  }

  // MARK: What the server does

  /// Lets the server do what it does between two runs.
  mutating func actOfServer() {
    for habit in AccountServer.Habit.allCases where server.habits.contains(habit) {
      let places = remote.places.keys.sorted()
      guard let place = places.randomElement(using: &server.random),
        Int.random(in: 0..<2, using: &server.random) == 0
      else { continue }
      switch habit {
      case .forbids: forbid(place)
      case .protects: protect(place, !remote.readOnly.contains(place))
      case .relocates: relocate(place)
      case .choosesPlaces: break
      }
    }
  }

  /// Forbids or protects a calendar that a person added there from the start.
  mutating func comeToServer(_ id: CollectionID) {
    guard let place = place(of: id) else { return }
    if server.habits.contains(.forbids), Int.random(in: 0..<3, using: &server.random) == 0 {
      forbid(place)
    }
    if server.habits.contains(.protects), Int.random(in: 0..<3, using: &server.random) == 0 {
      protect(place, true)
    }
  }

  private mutating func forbid(_ place: String) {
    let forbidden = remote.forbidden.sorted()
    if let old = forbidden.randomElement(using: &server.random),
      Bool.random(using: &server.random)
    {
      steps.append("allow \(old)")
      return remote.forbid(old, false)
    }
    let others = remote.places.keys.filter { $0.hasPrefix(AccountServer.other) }
    let areKnown = others.allSatisfy { place in known.contains { $0.location == place } }
    let wanted: String
    switch Int.random(in: 0..<6, using: &server.random) {
    case 0: wanted = AccountServer.home
    // New calendars come to the first collection, so that an unknown one of this name would be a second one.
    case 1 where !others.isEmpty && areKnown: wanted = AccountServer.other
    default: wanted = place
    }
    steps.append("forbid \(wanted)")
    remote.forbid(wanted)
  }

  private mutating func protect(_ place: String, _ isReadOnly: Bool) {
    steps.append("\(isReadOnly ? "protect" : "open") \(place)")
    remote.protect(place, isReadOnly)
    remote.places[place]?.refuseWrites(because: isReadOnly ? "status 403" : nil)
    if !isReadOnly, !(refused[place] ?? []).isEmpty { server.note(.writableAgain) }
  }

  private mutating func relocate(_ place: String) {
    let isRenamed = Int.random(in: 0..<3, using: &server.random) == 0
    let isOther = place.hasPrefix(AccountServer.other) != isRenamed
    let collection = isOther ? AccountServer.home : AccountServer.other
    // One that is not known yet would be taken for a new one here in the collection of new ones.
    guard !remote.forbidden.contains(AccountServer.other) else { return }
    // Back at the place where the ledger knows it, it would be a second one if another took its name.
    let back = collection + (place.split(separator: "/").last ?? "")
    if !isRenamed, let id = known.first(where: { $0.location == back })?.id,
      let current = self.place(of: id), current != place
    {
      return
    }
    let isKnown = known.contains { $0.location == place && !$0.isGone }
    let new = remote.relocate(place, to: collection, renaming: isRenamed) { $1.succeed($0) }
    guard let new else { return }
    steps.append("relocate \(place) to \(new)")
    if remote.readOnly.contains(new) { protect(new, true) }
    remote.forbid(place, false)
    let isSame = known.contains { $0.location == place && $0.id == Self.name(of: new) }
    if isKnown { server.note(isSame ? .relocated : .renamed) }
  }

  /// Notes an edit here.
  mutating func noteEdit(of id: CollectionID) {
    guard let place = place(of: id), isForbidden(place),
      known.contains(where: { $0.location == place && !$0.isGone })
    else { return }
    server.note(.editedMeanwhile)
  }

  /// Allows everything, and says whether the server did anything but store calendars.
  mutating func liftRestrictions() -> Bool {
    guard !server.habits.isEmpty else { return false }
    for place in remote.forbidden { remote.forbid(place, false) }
    for place in remote.readOnly.sorted() { protect(place, false) }
    steps.append("allow everything")
    return true
  }

  // MARK: What must hold

  /// The state before a run.
  struct Snapshot {
    fileprivate var known: [CollectionID: KnownCollection] = [:]
    fileprivate var here: [CollectionID: [String: [UInt8]]] = [:]
    fileprivate var there: [String: [String: [UInt8]]] = [:]
    fileprivate var requests: [String: Int] = [:]
    /// How often each calendar was opened for the first run of a sync, whose answer may omit items.
    fileprivate var firsts: [String: Int] = [:]
    fileprivate var creations = 0
    fileprivate var runs = 0
    fileprivate var hasIntents = false
    fileprivate var list = AccountList(collections: [])
  }

  func snapshot() async throws -> Snapshot {
    var before = Snapshot()
    before.known = Dictionary(uniqueKeysWithValues: known.map { ($0.id, $0) })
    before.here = local.calendars.mapValues(\.contents)
    before.there = remote.places.mapValues(\.contents)
    before.requests = remote.places.mapValues(\.log.count)
    before.firsts = remote.places.mapValues(\.firsts)
    (before.creations, before.list) = (remote.creations.count, remote.listed)
    before.runs = await ledger.runCount
    for binding in bindings {
      if try await !ledger.pendingIntents(of: binding).isEmpty { before.hasIntents = true }
    }
    return before
  }

  /// The syncs of the known calendars.
  private var bindings: [SyncBinding] {
    known.map { known in
      SyncBinding(
        name: binding.sync(of: known.folder), local: "/calendars/\(known.id)",
        remote: RemoteIdentity(kind: "memory", location: known.location))
    }
  }

  /// Looks at what a run left, whether or not it came to an end.
  mutating func check(since before: Snapshot) async throws {
    expectGapsAlone(since: before)
    expectPairs(since: before)
    try await expectJournal(since: before)
    try await expectNames(since: before)
  }

  /// The calendars that are in a gap: those at a forbidden place, those that were last in a forbidden
  /// collection, and the unknown ones that may be in one.
  private func unlisted(since before: Snapshot) -> Set<CollectionID> {
    let names = Dictionary(before.known.values.map { ($0.location, $0.id) }) { first, _ in first }
    let places = before.list.gaps.map(\.place)
    let homes = places.filter { $0.hasSuffix("/") }
    func isIn(_ place: String) -> Bool { homes.contains { place.hasPrefix($0) } }
    var found = Set(places.compactMap { names[$0] ?? Self.name(of: $0) })
    found.formUnion(before.known.values.filter { isIn($0.location) }.map(\.id))
    var unknown = Set(before.there.keys.filter(isIn).compactMap(Self.name))
    if homes.contains(AccountServer.home) { unknown.formUnion(before.here.keys) }
    found.formUnion(unknown.filter { before.known[$0] == nil })
    let listed = before.list.collections.compactMap { names[$0.place] ?? $0.id }
    return found.subtracting(listed)
  }

  /// Expects that calendars in gaps are as they were.
  private mutating func expectGapsAlone(since before: Snapshot) {
    let after = Dictionary(uniqueKeysWithValues: known.map { ($0.id, $0) })
    let created = remote.creations.dropFirst(before.creations)
    for id in unlisted(since: before) {
      #expect(after[id] == before.known[id], "the record of \(id), which is forbidden; \(told)")
      let files = local.calendars[id]?.contents
      #expect(files == before.here[id], "the files of \(id), which is forbidden; \(told)")
      #expect(!created.contains(id), "\(id) is created, and forbidden; \(told)")
      noteGap(of: id, since: before)
    }
    for (place, contents) in before.there where isForbidden(place) {
      #expect(remote.places[place]?.contents == contents, "\(place) is forbidden; \(told)")
      let requests = remote.places[place]?.log.count
      #expect(requests == before.requests[place], "a request to \(place); \(told)")
    }
    guard result.account != nil else { return }
    if remote.forbidden.contains(AccountServer.home) { server.note(.forbiddenHome) }
    if remote.forbidden.contains(AccountServer.other) { server.note(.forbiddenOther) }
  }

  private mutating func noteGap(of id: CollectionID, since before: Snapshot) {
    guard result.account != nil else { return }
    let isThere = before.there.keys.contains { Self.name(of: $0) == id }
    switch (before.known[id], before.here[id]) {
    case (_?, _): server.note(.forbiddenKnown)
    case (nil, nil): server.note(.forbiddenThere)
    case (nil, _?): server.note(isThere ? .forbiddenBoth : .heldBack)
    }
  }

  /// Expects each calendar that is listed and here to be synced, and its record to state the place and
  /// the rights that the server states.
  private mutating func expectPairs(since before: Snapshot) {
    for id in result.startedOver {
      let (old, new) = (before.known[id], known.first { $0.id == id })
      let isSame = old?.isGone == false && old?.location == new?.location
      #expect(!isSame || new == nil, "the sync of \(id) starts over; \(told)")
    }
    guard let outcome = result.account else { return }
    let pairs = Dictionary(uniqueKeysWithValues: outcome.pairs.map { ($0.location, $0) })
    let names = Dictionary(before.known.values.map { ($0.location, $0.id) }) { first, _ in first }
    for theirs in before.list.collections {
      let id = names[theirs.place] ?? theirs.id
      guard before.here[id] != nil else { continue }
      #expect(pairs[theirs.place]?.id == id, "\(theirs.place) is not synced as \(id); \(told)")
    }
    let stated = Dictionary(before.list.collections.map { ($0.place, $0) }) { first, _ in first }
    for pair in outcome.pairs {
      let record = known.first { $0.id == pair.id }
      #expect(record == pair && !pair.isGone, "the record of \(pair.id); \(told)")
      // A calendar that the run created may be written.
      let components = stated[pair.location]?.components
      #expect(pair.components == components, "the rights of \(pair.id); \(told)")
      if Self.name(of: pair.location) != pair.id { server.note(.choseOtherPlace) }
    }
  }

  /// Expects what was replaced or deleted here to be in the journal or in a conflict.
  private func expectJournal(since before: Snapshot) async throws {
    var missing: Set<String> = []
    for (id, files) in before.here {
      let kept = titles(of: (local.calendars[id]?.contents ?? [:]).values.map(\.self))
      missing.formUnion(titles(of: files.values.map(\.self)).subtracting(kept))
    }
    guard !missing.isEmpty else { return }
    for run in await ledger.runs(of: nil) where run.id.rawValue > before.runs {
      for line in await ledger.journal(of: run.id) {
        missing.subtract(titles(of: [line.before, line.agreed]))
      }
    }
    for binding in bindings {
      let conflicts = try await ledger.conflicts(of: binding)
      missing.subtract(titles(of: conflicts.map(\.local)))
    }
    #expect(missing == [], "not in the journal; \(told)")
  }

  /// Expects what differs in calendars that may only be read to be refused or in a conflict.
  private mutating func expectNames(since before: Snapshot) async throws {
    refused = [:]
    var waiting: Set<String> = []
    for (known, binding) in zip(known, bindings) {
      let items = try await ledger.quarantine(of: binding).map(\.uid.rawValue)
      if remote.readOnly.contains(known.location) { refused[known.location] = Set(items) }
      waiting.formUnion(items)
      waiting.formUnion(try await ledger.conflicts(of: binding).map(\.uid.rawValue))
    }
    // After a run that came to an end, nothing is left to a later one.
    guard let outcomes = result.outcomes, !before.hasIntents,
      outcomes.allSatisfy({
        $0.failure == nil && !$0.summary.stoppedByGuard && $0.summary.deferred == 0
      })
    else { return }
    for scene in result.scenes {
      let place = scene.remote.identity.location
      guard remote.readOnly.contains(place), scene.remote.firsts == before.firsts[place] else {
        continue
      }
      let (here, there) = scene.titles
      let differing = Set(here.keys).union(there.keys).filter { here[$0] != there[$0] }
      #expect(differing.subtracting(waiting) == [], "not named in \(scene.name); \(told)")
      server.note(.readOnly)
      if !differing.isEmpty { server.note(.refused) }
      let id = scene.local.id
      let old = titles(of: (id.flatMap { before.here[$0] } ?? [:]).values.map(\.self))
      if !Set(here.values).isSubset(of: old) { server.note(.arrived) }
    }
  }
}

extension MemoryLocalCalendar {
  /// The name of the calendar in an account.
  fileprivate var id: CollectionID? {
    location.split(separator: "/").last.flatMap { CollectionID(folder: String($0)) }
  }
}

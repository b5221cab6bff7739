// SPDX-License-Identifier: Apache-2.0

/// The action of a run for each calendar of an account.
///
/// It is a pure function of both lists, of the calendars that the ledger knows, and of the
/// selection. Nothing is ever planned that removes a calendar or an item:
///
/// | here | there | known | plan |
/// |---|---|---|---|
/// | yes | yes | | pair |
/// | yes | no | no | create there |
/// | no | yes | no | create here |
/// | yes | no | yes | gone there |
/// | no | yes | yes | gone here |
/// | no | no | yes | forget |
///
/// A calendar that is here or known, and may be in a gap of the server's list, is neither created nor
/// deleted. The address identifies a known calendar, too: a server may store a new calendar at
/// another address than that of its name.
package struct AccountPlan: Hashable, Sendable {
  /// The action for a calendar.
  package enum Action: Hashable, Sendable {
    /// It is on both sides, and is synced; a new pair starts without agreements.
    case pair(KnownCollection, isNew: Bool)
    /// It is only on the server, and is created here.
    case createHere(AccountCollection)
    /// It is only here, and is created on the server.
    case createThere(AccountCollection)
    /// It was on both sides, and is missing on one: nothing is created or deleted.
    case gone(KnownCollection, from: MergeSide)
    /// It was on both sides, and is on neither.
    case forget(KnownCollection)
    /// It is not selected; the record is dropped, if there is one.
    case leave(isKnown: Bool)
    /// One side has several calendars with its name.
    case ambiguous([String])
    /// It is selected by its name, and exists nowhere.
    case missing
    /// The server does not list it, for this reason: nothing is created or deleted.
    case unlisted(String)

    /// Whether the action creates no calendar on a side that a sync does not write.
    fileprivate func isAllowed(_ direction: SyncDirection) -> Bool {
      switch self {
      case .createHere: direction != .push
      case .createThere: direction != .pull
      default: true
      }
    }
  }

  /// A calendar with its action.
  package struct Entry: Hashable, Sendable {
    /// The name of the calendar within the account.
    package let id: CollectionID
    /// The name for people, or nil.
    package let title: String?
    /// Whether the calendar is here.
    package let isHere: Bool
    /// Whether the calendar is on the server.
    package let isThere: Bool
    /// Whether the user may only read the calendar on the server.
    package let isReadOnly: Bool
    /// The action.
    package let action: Action
  }

  /// A side of the account that lists no calendar although the ledger knows some.
  ///
  /// A disk that is not mounted leaves an empty folder.
  package struct EmptySide: Error, Hashable, Sendable {
    /// The side.
    package let side: MergeSide
    /// The number of known calendars.
    package let known: Int

    /// Creates an error.
    package init(side: MergeSide, known: Int) {
      self.side = side
      self.known = known
    }
  }

  /// The calendars in order of name.
  package let entries: [Entry]
  /// The paired calendars whose record has other components than the server states.
  package let outdated: Set<CollectionID>

  /// Plans a run; a sync in one direction creates no calendar on the side that it does not write.
  ///
  /// - Parameters:
  ///   - here: The calendars of the folder, in any order.
  ///   - list: The list of the server, in any order.
  ///   - known: The calendars in the ledger, in any order.
  ///   - selection: The selected calendars.
  ///   - direction: The direction of the syncs of the calendars.
  /// - Throws: `EmptySide`.
  package init(
    here: [AccountCollection], there list: AccountList, known: [KnownCollection],
    selection: CollectionSelection, direction: SyncDirection = .both
  ) throws(EmptySide) {
    if !known.isEmpty, here.isEmpty || list.collections.isEmpty && list.gaps.isEmpty {
      throw EmptySide(side: here.isEmpty ? .local : .remote, known: known.count)
    }
    let theirs = Self.named(list.collections, beside: here, known: known)
    let (here, there) = (
      Dictionary(grouping: here, by: \.id), Dictionary(grouping: theirs, by: \.id)
    )
    let known = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    var ids = Set(here.keys).union(there.keys).union(known.keys)
    if case .named(let selected) = selection { ids.formUnion(selected) }
    let entries = ids.sorted().map { id in
      let (mine, theirs) = (here[id] ?? [], there[id] ?? [])
      let gap =
        theirs.isEmpty ? list.gaps.first { $0.mayHold(id, known[id]) } : nil
      let action = Self.action(
        id, here: mine, there: gap.map { .failure($0) } ?? .success(theirs), known: known[id],
        selection)
      return Entry(
        id: id, title: theirs.first?.title ?? mine.first?.title, isHere: !mine.isEmpty,
        isThere: !theirs.isEmpty, isReadOnly: theirs.first?.components?.isEmpty == true,
        action: action.isAllowed(direction) ? action : .leave(isKnown: false))
    }
    self.entries = entries
    outdated = Set(
      entries.compactMap { entry in
        guard case .pair(let pair, isNew: false) = entry.action else { return nil }
        return pair.components == known[entry.id]?.components ? nil : entry.id
      })
  }

  /// The calendars of the server with the names that the ledger knows.
  ///
  /// On a side where the title is the name, a new calendar belongs to the one here with the same title. If
  /// another calendar has the name already, the new one gets a distinct name.
  private static func named(
    _ theirs: [AccountCollection], beside here: [AccountCollection], known: [KnownCollection]
  ) -> [AccountCollection] {
    let names = Dictionary(known.map { ($0.location, $0.id) }) { first, _ in first }
    let taken = Set(theirs.compactMap { names[$0.place] })
    let knownIDs = Set(known.map(\.id))
    let open = here.filter { !knownIDs.contains($0.id) }
    let openIDs = Set(open.map(\.id))
    let openByTitle = Dictionary(grouping: open.filter { $0.title != nil }, by: \.title)
    let new = Dictionary(
      grouping: theirs.filter { names[$0.place] == nil && $0.distinctID != nil }, by: \.id)
    return theirs.map { calendar in
      if let id = names[calendar.place] { return calendar.named(id) }
      guard let distinct = calendar.distinctID, !openIDs.contains(calendar.id) else {
        return calendar
      }
      let isShared = new[calendar.id, default: []].count > 1
      let alike = openByTitle[calendar.title, default: []]
      if !isShared, alike.count == 1, let mine = alike.first { return calendar.named(mine.id) }
      return isShared || taken.contains(calendar.id) ? calendar.named(distinct) : calendar
    }
  }

  /// The calendars of the server with one name, or the gap in which they may be.
  private enum Theirs {
    case success([AccountCollection])
    case failure(AccountList.Gap)
  }

  private static func action(
    _ id: CollectionID, here: [AccountCollection], there found: Theirs,
    known: KnownCollection?, _ selection: CollectionSelection
  ) -> Action {
    let there = if case .success(let list) = found { list } else { [AccountCollection]() }
    let isSelected = selection.contains(
      id, isHere: !here.isEmpty || known != nil, isThere: !there.isEmpty || known != nil)
    guard isSelected else { return .leave(isKnown: known != nil) }
    if case .failure(let gap) = found, known != nil || !here.isEmpty {
      return .unlisted(gap.reason)
    }
    if here.count > 1 || there.count > 1 {
      let places = (here.count > 1 ? here : []) + (there.count > 1 ? there : [])
      return .ambiguous(places.map(\.place).sorted())
    }
    switch (here.first, there.first, known) {
    case (let mine?, let theirs?, let known):
      let pair = KnownCollection(
        id, folder: mine.place, location: theirs.place, components: theirs.components)
      let isSame =
        known.map { !$0.isGone && $0.folder == pair.folder && $0.location == pair.location }
      return .pair(pair, isNew: isSame != true)
    case (nil, nil, let known?): return .forget(known)
    case (nil, nil, nil): return .missing
    case (_?, nil, let known?): return .gone(known, from: .remote)
    case (nil, _?, let known?): return .gone(known, from: .local)
    case (let mine?, nil, nil): return .createThere(mine)
    case (nil, let theirs?, nil): return .createHere(theirs)
    }
  }

  /// Whether carrying out the plan changes no side and no set of pairs.
  package var isSettled: Bool {
    entries.allSatisfy { entry in
      switch entry.action {
      case .pair(_, let isNew): !isNew
      case .gone(let known, _): known.isGone
      case .leave(let isKnown): !isKnown
      case .ambiguous, .missing, .unlisted: true
      case .createHere, .createThere, .forget: false
      }
    }
  }
}

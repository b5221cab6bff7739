// SPDX-License-Identifier: Apache-2.0

/// Finds the calendars of an account on both sides, and creates those that one side lacks.
///
/// It runs before the syncs of the calendars, which are ordinary ones. A process that ends between
/// the creation of a calendar and its record leaves two calendars of one name, which the next run
/// pairs. Therefore no intent is stored. On a server that stores calendars at addresses of its own, an
/// empty calendar remains.
package struct AccountRun: Sendable {
  /// Actions and findings of a run, for display.
  package enum Event: Hashable, Sendable {
    /// A calendar was created on a side, or would be in a dry run.
    case created(CollectionID, title: String?, on: MergeSide)
    /// A calendar that is on neither side any more was forgotten.
    case forgotten(CollectionID)
  }

  private let binding: AccountBinding
  private let local: any CalendarAccount
  private let remote: any CalendarAccount
  private let ledger: any AccountLedger
  private let selection: CollectionSelection
  private let isDryRun: Bool
  private let components: Set<String>?
  /// The direction of the syncs of the calendars.
  package var direction = SyncDirection.both
  private let report: @Sendable (Event) -> Void

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - binding: The account.
  ///   - sides: The folder of folders, and the account on the server.
  ///   - ledger: The ledger with the known calendars.
  ///   - selection: The selected calendars.
  ///   - components: The components of new calendars on the server; nil for all.
  ///   - isDryRun: Whether nothing is written.
  ///   - report: Called with what is done.
  package init(
    _ binding: AccountBinding, between sides: (any CalendarAccount, any CalendarAccount),
    over ledger: any AccountLedger, selection: CollectionSelection = .all,
    components: Set<String>? = nil, isDryRun: Bool = false,
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.binding = binding
    (local, remote) = sides
    self.ledger = ledger
    self.selection = selection
    self.components = components
    self.isDryRun = isDryRun
    self.report = report
  }

  /// Lists both sides and plans, without any change.
  ///
  /// - Throws: An error of a side or of the ledger; `AccountPlan.EmptySide`.
  package func plan() async throws -> AccountPlan {
    let known = try await ledger.collections(of: binding)
    let here = try await local.collections()
    let there = try await remote.list()
    return try AccountPlan(
      here: here, there: there, known: known, selection: selection, direction: direction)
  }

  /// Plans and carries out.
  ///
  /// - Throws: `CancellationError`; an error of a list or of the ledger, after which nothing more
  ///   is done. The failure of a single creation is in the outcome.
  package func run() async throws -> AccountOutcome {
    let plan = try await plan()
    var outcome = AccountOutcome(plan: plan)
    for entry in plan.entries {
      try Task.checkCancellation()
      switch entry.action {
      case .pair(let pair, let isNew):
        if isNew || plan.outdated.contains(entry.id) {
          try await store(pair, startingOver: isNew)
        }
        outcome.pairs.append(pair)
      case .createHere, .createThere:
        do {
          if let pair = try await create(entry) { outcome.pairs.append(pair) }
        } catch let error as CreationFailure {
          outcome.failures[entry.id] = error.reason
        }
      case .gone(var known, _):
        guard !known.isGone else { continue }
        known.isGone = true
        try await store(known, startingOver: false)
      case .forget:
        try await forget(entry.id)
        report(.forgotten(entry.id))
      case .leave(let isKnown):
        if isKnown { try await forget(entry.id) }
      case .ambiguous, .missing, .unlisted: break
      }
    }
    return outcome
  }

  private struct CreationFailure: Error {
    let reason: any Error
  }

  /// Creates a calendar on the side that lacks it, and stores the pair.
  private func create(_ entry: AccountPlan.Entry) async throws -> KnownCollection? {
    let pair: KnownCollection
    do {
      switch entry.action {
      case .createHere(let theirs):
        if isDryRun { return reportCreation(of: entry, on: .local, nil) }
        let mine = try await local.create(
          entry.id, title: theirs.title, for: theirs.components)
        pair = KnownCollection(
          entry.id, folder: mine.place, location: theirs.place, components: theirs.components)
      case .createThere(let mine):
        if isDryRun { return reportCreation(of: entry, on: .remote, nil) }
        // A server invents a title for a calendar without one, such as its path.
        let theirs = try await remote.create(
          entry.id, title: mine.title ?? entry.id.rawValue, for: components)
        pair = KnownCollection(
          entry.id, folder: mine.place, location: theirs.place, components: theirs.components)
      default: return nil
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw CreationFailure(reason: error)
    }
    try await store(pair, startingOver: true)
    return reportCreation(of: entry, on: entry.isHere ? .remote : .local, pair)
  }

  private func reportCreation(
    of entry: AccountPlan.Entry, on side: MergeSide, _ pair: KnownCollection?
  ) -> KnownCollection? {
    report(.created(entry.id, title: entry.title, on: side))
    return pair
  }

  private func store(_ pair: KnownCollection, startingOver isNew: Bool) async throws {
    guard !isDryRun else { return }
    try await ledger.store(pair, of: binding, startingOver: isNew)
  }

  private func forget(_ id: CollectionID) async throws {
    guard !isDryRun else { return }
    try await ledger.forget(id, of: binding)
  }
}

/// The outcome of a run for an account.
package struct AccountOutcome: Sendable {
  /// The plan.
  package let plan: AccountPlan
  /// The calendars that are on both sides now, and are to be synced.
  package internal(set) var pairs: [KnownCollection] = []
  /// The calendars that could not be created, with the reasons.
  package internal(set) var failures: [CollectionID: any Error] = [:]
}

// SPDX-License-Identifier: Apache-2.0

package import CalendarRemotes
import CalendarStore
package import CalendarSync
package import Logging

/// The calendars of accounts on both sides: listed, and changed as a whole.
package struct AccountCalendars: Sendable {
  /// The calendars of one account's sync.
  package struct Listing: Sendable {
    /// The name of the sync.
    package let sync: String
    /// The calendars, in order of name; nil if a side could not be listed.
    package let entries: [Entry]?
    /// The feeds to which the user subscribed on the server; a sync leaves them out.
    package let subscriptions: [AccountSubscription]
    /// The error of the listing, or nil.
    package let error: EpactError?
  }

  /// A calendar of an account.
  package struct Entry: Sendable {
    /// The name of its sync, such as `home/work`.
    package let name: String
    /// The name for people, or nil.
    package let title: String?
    /// Whether it is here.
    package let isHere: Bool
    /// Whether it is on the server.
    package let isThere: Bool
    /// Whether the user may only read it on the server.
    package let isReadOnly: Bool
    /// The action of the next sync.
    package let state: State
    /// The error of the last sync, or nil.
    package let complaint: String?
  }

  /// The action of the next sync for a calendar.
  package enum State: String, Sendable, CaseIterable {
    /// It is synced.
    case synced
    /// It is on both sides, and is going to be synced.
    case new
    /// It is only on the server, and is going to be created here.
    case createHere = "create-here"
    /// It is only here, and is going to be created on the server.
    case createThere = "create-there"
    /// Its folder is gone; nothing is deleted.
    case goneHere = "gone-here"
    /// It is gone from the server; nothing is deleted.
    case goneThere = "gone-there"
    /// It is on neither side any more, and is going to be forgotten.
    case gone
    /// It is not selected by `collections`.
    case notSelected = "not-selected"
    /// Several calendars of one side have its name.
    case ambiguous
    /// `collections` names it, and it exists nowhere.
    case missing
    /// The server does not list it because of an error; nothing is created or deleted.
    case unlisted
  }

  private let configuration: Configuration
  private let machine: Machine
  private let log: Logger
  private let isDryRun: Bool

  /// Takes a configuration; contacts no server.
  package init(
    _ configuration: Configuration, machine: Machine, log: Logger? = nil, isDryRun: Bool = false
  ) {
    self.configuration = configuration
    self.machine = machine
    self.log = log ?? .silent
    self.isDryRun = isDryRun
  }

  /// Lists the calendars of some accounts on both sides, or of all; changes nothing.
  ///
  /// - Throws: `EpactError` if a name is unknown; errors of the ledger; `CancellationError`.
  package func list(_ names: [String]) async throws -> [Listing] {
    let known = configuration.accountSyncs.map(\.name)
    for name in names where !known.contains(name) {
      throw EpactError.unknown(name, what: "sync of an account", known: known)
    }
    let ledger = try LedgerFolder(machine: machine, isReadOnly: false).openLedger()
    var listings: [Listing] = []
    let complaints = Dictionary(
      try await ledger.attempts().map { ($0.sync, $0.message) }
    ) { first, _ in first }.compactMapValues(\.self)
    for sync in configuration.accountSyncs(named: names) {
      do {
        let (plan, subscriptions) = try await reaching(sync, ledger) { reached in
          (try await reached.run.plan(), try await reached.account.subscriptions())
        }
        listings.append(
          Listing(
            sync: sync.name, entries: plan.entries.map { Entry($0, sync.name, complaints) },
            subscriptions: subscriptions, error: nil))
      } catch let error as CancellationError {
        throw error
      } catch {
        let described = AccountSync.describe(error, of: sync)
        listings.append(
          Listing(sync: sync.name, entries: nil, subscriptions: [], error: described))
      }
    }
    return listings
  }

  /// An account that may be used: its sides, and the run over them.
  private struct Reached {
    let run: AccountRun
    let folder: FolderAccount
    let account: any RemoteAccount
    let binding: AccountBinding
  }

  /// Checks the access to an account, and logs the requests of `body`.
  private func reaching<Result>(
    _ sync: AccountSyncSettings, _ ledger: any LedgerStore, _ body: (Reached) async throws -> Result
  ) async throws -> Result {
    let settings = try configuration.account(of: sync)
    let factory = Remotes(machine: machine, log: log)
    let permission = try await RemotePermission(
      for: settings, wanted: .full, ledger, factory, machine)
    guard permission.tier == .full else { throw AccountSync.needsFull(settings.name) }
    let (folder, binding) = (
      FolderAccount(path: sync.folder), try configuration.binding(of: sync, machine)
    )
    return try await permission.recording(factory, ledger) { factory in
      let account = try factory.account(settings)
      let run = AccountRun(
        binding, between: (folder, account), over: ledger, selection: sync.selection)
      return try await body(Reached(run: run, folder: folder, account: account, binding: binding))
    }
  }

  // MARK: Changes

  /// The sync of an account and the folder that a name such as `home/work` denotes.
  ///
  /// - Throws: `EpactError` if it denotes no calendar of an account.
  private func parts(of name: String) throws(EpactError) -> (AccountSyncSettings, folder: String) {
    for sync in configuration.accountSyncs where name.hasPrefix(sync.name + "/") {
      return (sync, String(name.dropFirst(sync.name.utf8.count + 1)))
    }
    throw EpactError.unknown(
      name, what: "calendar of an account",
      known: configuration.syncs.filter { $0.account != nil }
        .map(\.name))
  }

  /// The whole name of the calendar that a text denotes (``CalendarName``); the text if none.
  ///
  /// - Throws: `EpactError` if it denotes several calendars.
  package func name(of text: String) throws(EpactError) -> String {
    let names = Set(configuration.calendars.keys)
      .union(configuration.syncs.filter { $0.account != nil }.map(\.name))
    return try CalendarName.find(text, among: names) { configuration.calendarTitles } ?? text
  }

  /// Whether a name such as `home/work` can denote a calendar of an account.
  package func isPart(_ name: String) -> Bool { (try? parts(of: name)) != nil }

  /// Creates a calendar in the folder of an account's sync; the next sync creates it on the server.
  ///
  /// - Parameters:
  ///   - text: The name of the folder.
  ///   - sync: The name of the account's sync.
  ///   - properties: The title and the colour.
  /// - Returns: The name of the calendar, such as `home/work`.
  /// - Throws: `EpactError` if there is no such account, or if the name is taken or invalid;
  ///   `StoreError`.
  package func create(
    _ text: String, in sync: String, _ properties: CollectionProperties
  ) async throws -> String {
    guard let account = configuration.accountSyncs.first(where: { $0.name == sync }) else {
      throw EpactError.unknown(
        sync, what: "sync of an account", known: configuration.accountSyncs.map(\.name))
    }
    guard let id = CollectionID(folder: text), id.folder == text, !text.contains("/") else {
      throw EpactError(.argument, "a calendar cannot have the name \"\(text)\"", subject: text)
    }
    guard account.selection.contains(id, isHere: true, isThere: false) else {
      throw EpactError(
        .argument, "the \"collections\" of the sync \"\(sync)\" do not select \"\(text)\"",
        subject: text)
    }
    let path = "\(account.folder)/\(id.folder)"
    guard FileMode(path) == nil else {
      throw EpactError(.argument, "there is a calendar \(path) already", subject: path)
    }
    guard !isDryRun else { return "\(sync)/\(id.folder)" }
    return try await LedgerFolder(machine: machine, isReadOnly: false).whileLocked(for: "calendars")
    {
      // A folder with its title is made in one step, so that no run creates it without one.
      try FolderAccount(path: account.folder).create(id, properties)
      return "\(sync)/\(id.folder)"
    }
  }

  /// Lets the next sync take a calendar for a new one, and create it on the side that lacks it.
  ///
  /// - Throws: `EpactError` if the ledger knows no such calendar; errors of the ledger.
  package func recreate(_ name: String) async throws {
    let (sync, folder) = try parts(of: name)
    let binding = try configuration.binding(of: sync, machine)
    let place = LedgerFolder(machine: machine, isReadOnly: isDryRun)
    try await place.whileRunning("calendars", keeping: configuration.historyDays) { ledger in
      let known = try await ledger.collections(of: binding)
      guard let found = known.first(where: { $0.folder == folder }) else {
        throw EpactError.unknown(
          name, what: "calendar", in: "the ledger", known: known.map { binding.sync(of: $0.folder) }
        )
      }
      if !isDryRun { try await ledger.forget(found.id, of: binding) }
    }
    try note(CalendarChange(.recreated, of: name))
  }

  /// Notes a change of a calendar in the history.
  private func note(_ change: CalendarChange) throws {
    guard !isDryRun else { return }
    try ChangeRecorder(machine: machine, historyDays: configuration.historyDays).note(change)
  }

  /// Removes a calendar from both sides, first from the server.
  ///
  /// - Parameters:
  ///   - name: The name, such as `home/work`.
  ///   - isWithItems: Whether it is removed with its items.
  /// - Returns: The number of items because of which it was not removed; 0 if it is gone.
  /// - Throws: `EpactError` if there is no such calendar or no access; errors of both sides.
  package func remove(_ name: String, withItems isWithItems: Bool) async throws -> Int {
    let (sync, folder) = try parts(of: name)
    let place = LedgerFolder(machine: machine, isReadOnly: false)
    let days = configuration.historyDays
    let count = try await place.whileRunning("calendars", keeping: days) { ledger in
      try FileBatch(of: machine).recover()
      return try await reaching(sync, ledger) { reached in
        guard let id = CollectionID(folder: folder) else { return 0 }
        let here = try reached.folder.collections().filter { $0.id == id }
        let place = try await ledger.collections(of: reached.binding).first { $0.id == id }?
          .location
        let there = try await reached.account.collections().filter { calendar in
          // Where the title is the name, another calendar may have it now.
          calendar.place == place
            || calendar.id == id && (place == nil || calendar.distinctID == nil)
        }
        guard here.count <= 1, there.count <= 1, !here.isEmpty || !there.isEmpty else {
          throw EpactError.unknown(
            name, what: "calendar", in: "the account", known: configuration.syncs.map(\.name))
        }
        if let mine = here.first {
          let count = try reached.folder.items(of: mine).count
          guard isWithItems || count == 0 else { return count }
        }
        guard !isDryRun else { return 0 }
        var count = 0
        if let theirs = there.first {
          count = try await reached.account.remove(theirs, withItems: isWithItems)
        }
        if count == 0, let mine = here.first {
          count = try reached.folder.remove(mine, withItems: isWithItems)
        }
        if count == 0 { try await ledger.forget(id, of: reached.binding) }
        return count
      }
    }
    if count == 0 { try note(CalendarChange(.removed, of: name)) }
    return count
  }
}

extension AccountCalendars.Entry {
  fileprivate init(_ entry: AccountPlan.Entry, _ sync: String, _ complaints: [String: String]) {
    let name = "\(sync)/\(entry.id.folder)"
    self.name = name
    complaint = complaints[name]
    title = entry.title
    isHere = entry.isHere
    isThere = entry.isThere
    isReadOnly = entry.isReadOnly
    state =
      switch entry.action {
      case .pair(_, let isNew): isNew ? .new : .synced
      case .createHere: .createHere
      case .createThere: .createThere
      case .gone(_, from: .local): .goneHere
      case .gone(_, from: .remote): .goneThere
      case .forget: .gone
      case .leave: .notSelected
      case .ambiguous: .ambiguous
      case .missing: .missing
      case .unlisted: .unlisted
      }
  }
}

// SPDX-License-Identifier: Apache-2.0

package import CalendarStore
import CivilTime

/// The accounts of others for which a host runs syncs.
///
/// Their configurations, due times and last outcomes are rows in the ledger of the host. Each account
/// has a ledger of its own: a tenant of the host's database, or a file in the account's home folder.
package struct AccountHost: Sendable {
  /// The settings of the host.
  package let settings: HostingSettings
  /// The time between two runs of an account, in seconds, if none is given.
  package static let defaultInterval = 86_400
  /// The maximum number of connections that wait for their next use.
  private static let idleConnections = 64

  private let database: LedgerSettings?
  private let historyDays: Int
  private let connections: PostgreSQLConnections?
  let machine: Machine

  /// Takes the host of a configuration; opens nothing.
  ///
  /// - Throws: `EpactError` if the configuration is not that of a host.
  package init(_ configuration: Configuration, machine: Machine) throws(EpactError) {
    guard let settings = configuration.hosting else {
      throw EpactError(
        .configuration,
        "the configuration has no \"accounts-folder\", the folder for accounts of others",
        remedy: .other("Add it: accounts-folder = \"/data/calendars\"."))
    }
    self.settings = settings
    self.machine = machine.using(configuration)
    database = configuration.ledger
    historyDays = configuration.historyDays
    connections =
      configuration.ledger == nil ? nil : PostgreSQLConnections(limit: Self.idleConnections)
  }

  // MARK: Ledger

  /// Opens the ledger of the host.
  ///
  /// - Parameter isReadOnly: Whether nothing may be written.
  /// - Returns: The ledger.
  /// - Throws: `StoreError`.
  package func openLedger(readOnly isReadOnly: Bool = false) throws(StoreError) -> LedgerDatabase {
    let folder = LedgerFolder(machine: machine, isReadOnly: isReadOnly)
    return isReadOnly
      ? try folder.openForViewing() : try folder.openDatabase(historyDays: historyDays)
  }

  /// Calls a closure with each chosen account.
  ///
  /// - Parameters:
  ///   - choice: The accounts.
  ///   - limit: The maximum number of accounts; nil for all.
  ///   - body: The closure.
  /// - Throws: `EpactError` for a name that no account has; errors of the ledger and of the closure.
  package func each(
    _ choice: HostedAccountChoice, limit: Int? = nil, _ body: (HostedAccount) throws -> Void
  ) throws {
    var missing: Set<String> = []
    if case .named(let names) = choice { missing = names }
    try openLedger(readOnly: true).read { ledger in
      try ledger.eachHostedAccount(choice, limit: limit) { account in
        missing.remove(account.name)
        try body(account)
      }
    }
    if let name = missing.min() { throw Self.unknown(name) }
  }

  /// The numbers of the accounts.
  ///
  /// - Throws: `StoreError`.
  package func counts() throws -> HostedAccountCounts {
    let now = machine.now()
    return try openLedger(readOnly: true).read { try $0.hostedAccountCounts(at: now) }
  }

  /// Writes the configurations of accounts to files, as they are imported: `ana.toml`.
  ///
  /// - Parameters:
  ///   - choice: The accounts.
  ///   - folder: The path of the folder, which is made if it is missing.
  /// - Returns: The number of files.
  /// - Throws: `EpactError` for a name that no account has; `StoreError`.
  package func export(_ choice: HostedAccountChoice, to folder: String) throws -> Int {
    try PrivateFolder.make(folder)
    var count = 0
    try each(choice) { account in
      try AtomicFile.write(
        Array(account.configuration.utf8), to: "\(folder)/\(account.name).toml",
        permissions: .secret)
      count += 1
    }
    return count
  }

  /// The error for a name that no account has.
  static func unknown(_ name: String) -> EpactError {
    EpactError(.argument, "there is no account \"\(name)\"", subject: name)
  }

  /// Pauses accounts, so that they are not due, or resumes them.
  ///
  /// - Throws: `EpactError` for a name that no account has, so that nothing is changed.
  package func setPaused(_ isPaused: Bool, _ names: [String]) throws {
    try openLedger().write { ledger in
      for name in names {
        guard try ledger.setPaused(isPaused, hostedAccount: name) else { throw Self.unknown(name) }
      }
    }
  }

  /// Removes accounts; their ledgers and folders stay.
  ///
  /// - Throws: `EpactError` for a name that no account has, so that nothing is changed.
  package func remove(_ names: [String]) throws {
    try openLedger().write { ledger in
      for name in names {
        guard try ledger.removeHostedAccount(named: name) else { throw Self.unknown(name) }
      }
    }
  }

  // MARK: Accounts

  /// The account with a name.
  ///
  /// - Throws: `EpactError` if there is none; `StoreError`.
  package func account(named name: String) throws -> HostedAccount {
    let found = try openLedger(readOnly: true).read { try $0.hostedAccount(named: name) }
    guard let found else { throw Self.unknown(name) }
    return found
  }

  /// The machine on which an account's commands and syncs run: its home folder, its configuration and its
  /// ledger, with the clock, the network and the programs of the host.
  package func machine(for account: HostedAccount) -> Machine {
    var machine = machine
    machine.homeFolder = "\(settings.folder)/\(account.name)"
    machine.currentFolder = machine.homeFolder
    for variable in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
      machine.environment[variable] = nil
    }
    machine.environment["HOME"] = machine.homeFolder
    machine.ledger = .hosted(
      HostedPlace(
        name: account.name, configuration: account.configuration,
        passwordCommand: settings.passwordCommand, database: database(of: account.name)))
    return machine
  }

  /// The database of an account's ledger, whose password the host knows; nil for a file.
  private func database(of account: String) -> PostgreSQLPlace? {
    guard let database else { return nil }
    var place = LedgerSettings(
      address: database.address, account: "\(database.account)/\(account)",
      password: database.password
    ).place(on: machine)
    place.connections = connections
    return place
  }

  /// The shares of servers, which all machines of the host have in common.
  func shares() -> ServerShares {
    var place = database?.place(on: machine)
    place?.connections = connections
    return ServerShares(limit: settings.accountsPerServer, in: place)
  }
}

extension HostedAccount {
  /// Why a text cannot be the name of an account; nil if it can.
  ///
  /// It is the name of a folder and a part of a tenant's name.
  package static func problem(ofName name: String) -> String? {
    let allowed = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-._@+".utf8.contains(byte)
      }
    }
    guard !allowed || name.isEmpty || name.utf8.count > 128 || [".", "-"].contains(name.prefix(1))
    else { return nil }
    return
      "\"\(name)\" cannot be the name of an account: it has up to 128 of the characters A-Z, a-z, 0-9 "
      + "and -._@+, and begins with none of . and -"
  }
}

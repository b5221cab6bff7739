// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarStore
import CalendarSync
import CivilTime

/// The import of accounts from files, each of which is the configuration of one: `ana.toml`.
package struct AccountImport: Sendable {
  /// The numbers of accounts.
  package struct Summary: Sendable, Hashable {
    /// The accounts that are new.
    package var added = 0
    /// The accounts whose configuration or interval changed.
    package var changed = 0
    /// The accounts that were as in their files.
    package var unchanged = 0
    /// The remotes to which access was granted.
    package var granted = 0
  }

  /// The maximum size of a configuration, in bytes.
  private static let sizeLimit = 1 << 20

  private let host: AccountHost
  /// The time between two runs in seconds; nil for that of known accounts, and the default of new ones.
  private let interval: Int?
  /// The purpose for which access is granted to the remotes; nil to grant none.
  private let purpose: String?
  private let isDryRun: Bool

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - interval: The time between two runs in seconds; nil for that of known accounts, and the default
  ///     of new ones.
  ///   - purpose: The purpose for which each remote is granted the access that its syncs need; nil to
  ///     grant none.
  ///   - isDryRun: Whether the files are only checked.
  package init(into host: AccountHost, interval: Int?, purpose: String?, isDryRun: Bool = false) {
    (self.host, self.interval, self.purpose) = (host, interval, purpose)
    self.isDryRun = isDryRun
  }

  /// Imports files.
  ///
  /// All files are read twice, so that nothing is stored if one of them is invalid.
  ///
  /// - Parameter paths: The paths of files and of folders with files whose names end in `.toml`.
  /// - Returns: The numbers of accounts.
  /// - Throws: `EpactError` for a file that cannot be read, a name that cannot be used, and a
  ///   configuration without syncs; `ConfigurationError`; `AccessError` for the purpose; `StoreError`.
  package func run(_ paths: [String]) async throws -> Summary {
    if let purpose { _ = try Purpose(purpose) }
    let files = try paths.flatMap { try configurations(at: $0) }
    var names: [String: String] = [:]
    for file in files {
      let account = try account(in: file)
      if let other = names.updateValue(file, forKey: account.name) {
        throw EpactError(
          .argument, "\(other) and \(file) are configurations of one account, \(account.name)",
          subject: account.name)
      }
      try await check(account, file)
    }
    var summary = Summary()
    let ledger = try host.openLedger(readOnly: isDryRun)
    for file in files {
      try Task.checkCancellation()
      try await store(try account(in: file), in: ledger, &summary)
    }
    return summary
  }

  // MARK: Files

  private func configurations(at path: String) throws -> [String] {
    let stream = try Self.opening(path)
    guard try stream.facts().isFolder else { return [path] }
    let names = try Self.names(in: path).filter { $0.hasSuffix(".toml") }
    guard !names.isEmpty else {
      throw EpactError(
        .failed, "the folder \(path) has no file whose name ends in .toml", subject: path)
    }
    return names.map { "\(path)/\($0)" }
  }

  private static func names(in folder: String) throws -> [String] {
    do {
      return try FileSource.entries(ofFolder: folder)
    } catch {
      throw EpactError(.failed, "cannot list the folder \(folder): \(error)", subject: folder)
    }
  }

  private static func opening(_ path: String) throws -> InputStream {
    do {
      return try InputStream(path: path)
    } catch {
      throw EpactError(.failed, "cannot read \(path): \(error)", subject: path)
    }
  }

  private func account(in file: String) throws -> HostedAccount {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    let name = last.hasSuffix(".toml") ? String(last.dropLast(5)) : last
    if let problem = HostedAccount.problem(ofName: name) {
      throw EpactError(.argument, "\(file): \(problem)", subject: file)
    }
    var stream = try Self.opening(file)
    guard let bytes = try stream.readAll(limit: Self.sizeLimit),
      let text = String(validating: bytes, as: UTF8.self)
    else {
      throw EpactError(
        .configuration, "\(file) is no configuration: it is not UTF-8, or larger than 1 MiB",
        subject: file)
    }
    return HostedAccount(
      name: name, configuration: text, interval: interval ?? AccountHost.defaultInterval,
      dueAt: host.machine.now())
  }

  private func check(_ account: HostedAccount, _ file: String) async throws {
    let configuration = try loading(host.machine(for: account), file)
    guard configuration.hasSyncs else {
      throw EpactError(.configuration, "\(file) has no [[sync]]", subject: file)
    }
  }

  /// The configuration of an account, with the path of its file in errors.
  private func loading(_ machine: Machine, _ file: String) throws -> Configuration {
    do {
      return try ConfigurationFile(machine: machine).load(finding: false)
    } catch let error as ConfigurationError {
      throw ConfigurationError(path: file, problems: error.problems)
    }
  }

  // MARK: Storing

  private func store(
    _ account: HostedAccount, in ledger: LedgerDatabase, _ summary: inout Summary
  ) async throws {
    let known = try await ledger.read { [name = account.name] in try $0.hostedAccount(named: name) }
    var new = known ?? account
    new.configuration = account.configuration
    new.interval = interval ?? new.interval
    if new == known {
      summary.unchanged += 1
    } else {
      if known == nil { summary.added += 1 } else { summary.changed += 1 }
      // The next run shows whether the new configuration is of use.
      new.dueAt = account.dueAt
      if !isDryRun { try await ledger.write { [new] in try $0.store(new) } }
    }
    guard !isDryRun else { return }
    let machine = host.machine(for: new)
    let configuration = try ConfigurationFile(machine: machine).load()
    if known == nil { try Self.makeFolders(of: configuration, machine) }
    guard let purpose else { return }
    do {
      summary.granted += try await grant(purpose, in: configuration, machine)
    } catch let error as EpactError {
      throw EpactError(
        error.code, "\(account.name) was stored, and not granted access: \(error.message)",
        details: error.details, subject: account.name, remedy: error.remedy)
    }
  }

  /// Makes the folders of the calendars, once: later, a missing one may be on a disk that is not mounted.
  private static func makeFolders(of configuration: Configuration, _ machine: Machine) throws {
    try PrivateFolder.make(machine.homeFolder)
    let folders =
      configuration.calendars.values.filter { !$0.isInDatabase }.map(\.path)
      + configuration.accountSyncs.map(\.folder)
    for folder in folders where !folder.hasSuffix(".ics") { try PrivateFolder.make(folder) }
  }

  /// Grants each remote the access that its syncs need, unless it has been decided about.
  ///
  /// - Returns: The number of grants.
  private func grant(
    _ purpose: String, in configuration: Configuration, _ machine: Machine
  ) async throws -> Int {
    var count = 0
    for name in configuration.grantNames {
      var access = try await RemoteAccess(to: name, in: configuration, machine: machine)
      guard access.status == .notDetermined else { continue }
      try await access.store(access.wanted, purpose: purpose)
      count += 1
    }
    return count
  }
}

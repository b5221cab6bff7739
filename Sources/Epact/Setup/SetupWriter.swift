// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarStore
package import CalendarSync
import Glibc

/// Carries out a plan: writes files first, then the grants.
package struct SetupWriter: Sendable {
  /// A step, for display.
  package enum Event: Sendable {
    /// A calendar is already synced by the configured remote with the name, and is not changed; nor is the
    /// source of its password, also if another one was given.
    case alreadySynced(name: String, SetupPlan.Entry, hasPassword: Bool)
    /// The configuration was written.
    case written(path: String, isNew: Bool)
    /// The configuration is a symbolic link, and cannot be written; the text has to be added.
    case configurationIsLink(String)
    /// An entry was added.
    case added(SetupPlan.Entry)
    /// The existing grant of an entry is sufficient.
    case alreadyGranted(SetupPlan.Entry, AccessGrant)
    /// The wording of the purpose can be improved.
    case weakPurpose(Purpose.Weakness)
  }

  private let configuration: ConfigurationFile
  private let machine: Machine
  private let prompt: any AccessPrompt
  private let report: @Sendable (Event) -> Void

  /// Creates a writer for a configuration.
  ///
  /// - Parameters:
  ///   - configuration: The location of the configuration.
  ///   - machine: The machine with the ledger and the clock.
  ///   - prompt: Asks the user to confirm higher access than before.
  ///   - report: Called with every step.
  package init(
    _ configuration: ConfigurationFile, machine: Machine, prompt: any AccessPrompt,
    report: @escaping @Sendable (Event) -> Void
  ) {
    self.configuration = configuration
    self.machine = machine
    self.prompt = prompt
    self.report = report
  }

  /// Writes passwords, folders and the configuration, and stores the grants.
  ///
  /// - Returns: The added entries, without those that the configuration already contained.
  /// - Throws: `EpactError` or `ConfigurationError`; files written before the error remain and are
  ///   harmless.
  package func carryOut(_ whole: SetupPlan) async throws -> SetupPlan {
    try configuration.expectFile()
    let plan = try withoutKnown(whole)
    guard !plan.entries.isEmpty else {
      return plan
    }
    let path = configuration.path
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    try FileTrust(machine).expect(folder, "folder of the configuration")
    let earlier = try text(of: path)
    let separator = earlier.isEmpty ? "" : earlier.hasSuffix("\n") ? "\n" : "\n\n"
    let text = earlier + separator + plan.text(machine.paths)
    // Validate the new configuration before anything is written.
    let added = try Configuration(
      parsing: text, path: path,
      paths: PathResolver(home: machine.homeFolder, base: folder),
      isPrivate: FileMode(path)?.isOpenToOthers != true)
    for entry in plan.entries { try await check(entry, plan, added) }
    try PrivateFolder.make(folder)
    if case .new(let secret, let store) = plan.password { try store.store(secret, on: machine) }
    for entry in plan.entries where !entry.path.lowercased().hasSuffix(".ics") {
      try PrivateFolder.make(entry.path)
    }
    try write(text, to: path, plan)
    for entry in plan.entries { report(.added(entry)) }
    try await grant(plan, added)
    return plan
  }

  /// The plan without calendars that are already synced.
  private func withoutKnown(_ plan: SetupPlan) throws -> SetupPlan {
    let configuration = try self.configuration.load()
    let synced = Set(configuration.syncs.map(\.remote))
    let remotes = Remotes(machine: machine)
    func identity(_ settings: RemoteSettings) -> RemoteIdentity? {
      (try? remotes.identity(of: settings)) ?? (try? remotes.writtenIdentity(of: settings))
    }
    var known: [RemoteIdentity: String] = [:]
    for settings in configuration.remotes.values where synced.contains(settings.name) {
      if let place = identity(settings) { known[place] = settings.name }
    }
    // An account is another thing than a calendar at its address.
    var accounts: [RemoteIdentity: String] = [:]
    for sync in configuration.accountSyncs {
      let place = configuration.accounts[sync.account].flatMap(identity)
      if let place { accounts[place] = sync.name }
    }
    let added = try Configuration(
      parsing: plan.text(machine.paths, isAlone: true), path: self.configuration.path,
      paths: PathResolver(home: machine.homeFolder, base: "/"), isPrivate: true)
    var rest = plan
    rest.entries = plan.entries.filter { entry in
      let calendar = added.remotes[entry.name].flatMap(identity).flatMap { known[$0] }
      let account = added.accounts[entry.name].flatMap(identity).flatMap { accounts[$0] }
      guard let name = calendar ?? account else { return true }
      report(.alreadySynced(name: name, entry, hasPassword: plan.password.source != nil))
      rest.known[entry.name] = name
      return false
    }
    return rest
  }

  /// Checks restrictions, and asks before a grant is raised; both before anything is written.
  private func check(
    _ entry: SetupPlan.Entry, _ plan: SetupPlan, _ configuration: Configuration
  ) async throws {
    let access = try await RemoteAccess(
      to: entry.name, in: configuration, machine: machine, isDryRun: true)
    try access.expectGrantable(plan.access)
    guard let earlier = access.grant, plan.access > earlier.tier, !plan.isConfirmed else {
      return
    }
    guard prompt.canAsk else {
      throw EpactError(
        .noAccess,
        "the access to \(access.identity) is \(earlier.tier.rawValue), and there is no terminal to "
          + "ask on whether it is to be \(plan.access.rawValue)",
        subject: entry.name, remedy: .lowerAccess(earlier.tier))
    }
    try await access.confirm(raising: earlier, to: plan.access, purpose: plan.purpose, prompt)
  }

  private func grant(_ plan: SetupPlan, _ configuration: Configuration) async throws {
    let ledgerFolder = LedgerFolder(machine: machine, isReadOnly: false)
    for (index, entry) in plan.entries.enumerated() {
      var access = try await RemoteAccess(to: entry.name, in: configuration, machine: machine)
      // An equal or higher existing grant is kept; raising was confirmed in `check`.
      if let earlier = access.grant, earlier.tier >= plan.access {
        report(.alreadyGranted(entry, earlier))
      } else if let weakness = try await access.store(plan.access, purpose: plan.purpose.text) {
        report(.weakPurpose(weakness))
      }
      guard index == 0, let grant = access.grant else { continue }
      let recorder = AccessRecorder(
        log: try ledgerFolder.openLedger(), grant: grant, tier: plan.access, now: machine.now)
      for request in plan.requests { try await recorder.note(request) }
      try await recorder.flush()
    }
  }

  private func text(of path: String) throws -> String {
    var file: InputStream
    do {
      file = try InputStream(path: path)
    } catch  where error.code == ENOENT {
      return ""
    } catch {
      throw EpactError(.configuration, "cannot read the configuration \(path): \(error)")
    }
    guard let bytes = try file.readAll(limit: 1 << 20),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw EpactError(.configuration, "the configuration \(path) cannot be added to") }
    return text
  }

  private func write(_ text: String, to path: String, _ plan: SetupPlan) throws {
    let isNew = FileMode(path) == nil
    do {
      try AtomicFile.write(
        Array(text.utf8), to: path, permissions: isNew ? .secret : .shared)
    } catch {
      guard error.code == .notRegular else { throw error }
      // A symbolic link of a configuration manager must not be replaced.
      report(.configurationIsLink(plan.text(machine.paths)))
      throw EpactError(
        .configuration, "\(path) is a link, and is not replaced", subject: path,
        remedy: .other("Add the lines above to the file that it leads to."))
    }
    report(.written(path: path, isNew: isNew))
  }
}

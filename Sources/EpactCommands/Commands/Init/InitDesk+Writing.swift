// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Epact
import Glibc

/// Execution of the plan: files first, then the grants.
extension InitDesk {
  /// Writes passwords, folders and the configuration, and stores the grants.
  ///
  /// - Returns: The added entries, without those that the configuration already contained.
  /// - Throws: `Failure` or `ConfigurationError`; files written before the error remain and are
  ///   harmless.
  func carryOut(_ whole: InitPlan) async throws -> InitPlan {
    let plan = try withoutKnown(whole)
    guard !plan.entries.isEmpty else {
      context.console.say("There is nothing to add.")
      return plan
    }
    let path = context.configurationPath
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    try FileTrust(context.machine).expect(folder, "folder of the configuration")
    let earlier = try text(of: path)
    let separator = earlier.isEmpty ? "" : earlier.hasSuffix("\n") ? "\n" : "\n\n"
    let text = earlier + separator + plan.text
    // Validate the new configuration before anything is written.
    let configuration = try Configuration(
      parsing: text, path: path,
      paths: PathResolver(home: context.machine.homeFolder, base: folder),
      isPrivate: FileMode(path)?.isOpenToOthers != true)
    for entry in plan.entries { try await check(entry, plan, configuration) }
    try PrivateFolder.make(folder)
    if case .newFile(let place, let secret) = plan.password {
      guard
        try AtomicFile.create(
          Array((secret.revealed + "\n").utf8), at: place, permissions: .secret)
      else {
        throw Failure(
          .nothingDone, "there is a file \(place) already",
          hint: "To use what is in it: --password-file \(ShellWord(place))")
      }
    }
    for entry in plan.entries { try PrivateFolder.make(entry.path) }
    try write(text, to: path, plan)
    for entry in plan.entries {
      context.console.say(
        "\(entry.name, .bold): \(entry.path) and \(Self.shown(entry))")
    }
    try await grant(plan, configuration)
    return plan
  }

  /// The plan without calendars that are already synced.
  private func withoutKnown(_ plan: InitPlan) throws -> InitPlan {
    let configuration = try context.configuration()
    let synced = Set(configuration.syncs.map(\.remote))
    let factory = Remotes(machine: context.machine, log: context.log)
    func identity(_ settings: RemoteSettings) -> RemoteIdentity? {
      (try? factory.identity(of: settings)) ?? (try? factory.writtenIdentity(of: settings))
    }
    var known: [RemoteIdentity: String] = [:]
    for settings in configuration.remotes.values where synced.contains(settings.name) {
      if let place = identity(settings) { known[place] = settings.name }
    }
    let added = try Configuration(
      parsing: plan.text, path: context.configurationPath,
      paths: PathResolver(home: context.machine.homeFolder, base: "/"), isPrivate: true)
    var rest = plan
    rest.entries = plan.entries.filter { entry in
      guard let name = added.remotes[entry.name].flatMap(identity).flatMap({ known[$0] }) else {
        return true
      }
      context.console.say(
        "\(name, .bold): \(Self.shown(entry)) is in the configuration already, and stays as it is")
      return false
    }
    return rest
  }

  /// The URL of a private feed is a secret, so that only the host is shown.
  private static func shown(_ entry: InitPlan.Entry) -> String {
    entry.kind == "webcal" ? InitAccount(text: entry.place).host : entry.place
  }

  /// Checks restrictions, and asks before a grant is raised; both before anything is written.
  private func check(
    _ entry: InitPlan.Entry, _ plan: InitPlan, _ configuration: Configuration
  ) async throws {
    let desk = try await AccessDesk(
      remote: entry.name, configuration: configuration, isDryRun: true, context)
    if let restriction = desk.restriction, plan.access > restriction.tier {
      throw Failure(.noAccess, "access to \(entry.name) is \(restriction), and cannot be granted")
    }
    guard let earlier = desk.grant, plan.access > earlier.tier else {
      return
    }
    guard context.console.canAsk else {
      throw Failure(
        .noAccess,
        "the access to \(desk.identity) is \(earlier.tier.rawValue), and there is no terminal to ask on whether it is to be \(plan.access.rawValue)",
        hint: "Run it on a terminal, or with --access \(earlier.tier.rawValue).")
    }
    try desk.confirm(raising: earlier, to: plan.access, purpose: plan.purpose)
  }

  private func grant(_ plan: InitPlan, _ configuration: Configuration) async throws {
    let state = State(machine: context.machine, isReadOnly: false)
    for (index, entry) in plan.entries.enumerated() {
      var desk = try await AccessDesk(
        remote: entry.name, configuration: configuration, isDryRun: false, context)
      // An equal or higher existing grant is kept; raising was confirmed in `check`.
      if let earlier = desk.grant, earlier.tier >= plan.access {
        context.console.note(
          "\(entry.name): access is granted already: \(earlier.tier.rawValue), for: \(earlier.purpose)"
        )
      } else {
        try await desk.store(plan.access, purpose: plan.purpose.text, isConfirmed: true)
      }
      guard index == 0, let grant = desk.grant else { continue }
      let recorder = AccessRecorder(
        log: try state.openLedger(), grant: grant, tier: plan.access, now: context.machine.now)
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
      throw Failure(.configuration, "cannot read the configuration \(path): \(error)")
    }
    guard let bytes = try file.readAll(limit: 1 << 20),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw Failure(.configuration, "the configuration \(path) cannot be added to") }
    return text
  }

  private func write(_ text: String, to path: String, _ plan: InitPlan) throws {
    let isNew = FileMode(path) == nil
    do {
      try AtomicFile.write(
        Array(text.utf8), to: path, permissions: isNew ? .secret : .shared)
    } catch {
      guard error.code == .notRegular else { throw error }
      // A symbolic link of a configuration manager must not be replaced.
      context.console.show(ConsoleText(lines: plan.text))
      throw Failure(
        .configuration, "\(path) is a link, and is not replaced",
        hint: "Add the lines above to the file that it leads to.")
    }
    context.console.say(isNew ? "Written: \(path)" : "Added to \(path)")
  }
}

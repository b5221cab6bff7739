// SPDX-License-Identifier: Apache-2.0

import CalendarStore
package import CalendarSync
package import Epact

/// Changes and shows the access to remotes and of programs.
package struct AccessRun {
  /// The change of an access.
  package enum Change: Sendable {
    /// Nothing changes; the user is asked about remotes without a decision.
    case none
    /// The prompt asks the user to confirm a higher tier than before; nil if the user has confirmed.
    case grant(AccessTier, purpose: String?, confirming: Console?)
    case revocation
  }

  private let change: Change
  private let configuration: Configuration
  package let programs: ProgramDecisions
  private let machine: Machine
  private let console: Console
  /// Whether changes are checked, but not stored.
  private let isDryRun: Bool
  /// Whether the output is JSON.
  package var asJSON = false

  /// Creates a run with the remotes of a configuration.
  package init(
    _ change: Change, in configuration: Configuration, machine: Machine, _ console: Console,
    isDryRun: Bool
  ) {
    (self.change, self.configuration, self.machine) = (change, configuration, machine)
    (self.console, self.isDryRun) = (console, isDryRun)
    programs = ProgramDecisions(machine: machine, isDryRun: isDryRun)
  }

  /// Changes the access to a remote, and shows it.
  package func run(forRemote remote: String) async throws {
    var access = try await RemoteAccess(
      to: remote, in: configuration, machine: machine, isDryRun: isDryRun)
    switch change {
    case .none where access.grant == nil && !asJSON: advise(on: try await access.ask(console))
    case .none: break
    case .grant(let tier, let purpose, let prompt):
      let reason = purpose ?? RemoteAccess.purposeOfNone
      advise(on: try await access.store(tier, purpose: reason, confirming: prompt))
    case .revocation: try await access.revoke()
    }
    if asJSON { console.write(access.json) } else { console.say(access.line()) }
  }

  /// Changes the access to all remotes of an account, and shows it.
  package func run(forAccountOf remote: String) async throws {
    var access = try await AccountAccess(
      of: remote, in: configuration, machine: machine, isDryRun: isDryRun)
    switch change {
    case .none where !asJSON: try await access.ask(console)
    case .none: break
    case .grant(let tier, let purpose, let prompt):
      let reason = purpose ?? RemoteAccess.purposeOfNone
      advise(on: try await access.store(tier, purpose: reason, confirming: prompt))
    case .revocation: try await access.revoke()
    }
    if asJSON { return console.write(["remotes": .array(access.members.map(\.json))]) }
    let width = access.members.map { DisplayWidth.of(SafeText.escaped($0.name)) }.max() ?? 0
    console.say(access.members.map { $0.line(nameWidth: width) })
  }

  private func advise(on weakness: Purpose.Weakness?) {
    if let weakness { console.note(weakness.advice) }
  }

  /// Changes the access of a program to a kind of items or to all, and shows it; a calendar is that for
  /// write-only access.
  ///
  /// - Throws: `EpactError` without a kind of items to grant access to; errors of `ProgramDecisions`.
  package func run(
    forProgram program: String, _ entity: ProgramEntity?, calendar: String?
  ) throws {
    var shown: [ProgramDecision]
    if case .grant(let tier, let purpose, let prompt) = change {
      guard let entity else {
        throw EpactError(
          .argument, "a grant to a program needs --for events or --for reminders", subject: program)
      }
      let change = ProgramDecisions.Change(
        program, for: entity, to: tier, purpose: purpose, calendar: calendar)
      shown = [
        try programs.store(
          change, confirming: prompt.map { prompt in { try prompt.confirm(raising: $0, to: $1) } })
      ]
      if tier != .none, let purpose { advise(on: try Purpose(purpose).weakness) }
    } else {
      let isRevoked = if case .revocation = change { true } else { false }
      if isRevoked { _ = try programs.revoke(program, for: entity) }
      shown = try programs.list(of: program, for: entity)
      if isRevoked, isDryRun { shown = [] }
    }
    guard !asJSON else { return console.write(["programs": .array(shown.map(\.json))]) }
    console.say(shown.map { $0.line() })
    if shown.isEmpty { console.say("\(program, .bold)  not-determined") }
  }

  /// Shows the access to all remotes and of all programs; returns whether there is any.
  package func list() async throws -> Bool {
    let names = configuration.grantNames
    let decisions = try programs.list()
    let width =
      (names + decisions.map { SafeText.escaped($0.grant.program) })
      .map(DisplayWidth.of).max() ?? 0
    var objects: [JSONValue] = []
    for name in names {
      do {
        let access = try await RemoteAccess(
          to: name, in: configuration, machine: machine, isDryRun: true)
        objects.append(access.json)
        if !asJSON { console.say(access.line(nameWidth: width)) }
      } catch let error as StoreError {
        console.warn("\(name): \(error)")
      }
    }
    if asJSON {
      console.write(["remotes": .array(objects), "programs": .array(decisions.map(\.json))])
    } else {
      console.say(decisions.map { $0.line(nameWidth: width) })
    }
    return !names.isEmpty || !decisions.isEmpty
  }

  /// Shows the decisions about a remote with the requests to it, or about all remotes and programs.
  package func showLog(ofRemote remote: String?) async throws {
    let requests = try await LoggedRequests(to: remote, in: configuration, machine: machine)
    for (name, error) in requests.unreadable { console.warn("\(name): \(error)") }
    let uses = remote == nil ? try programs.log() : nil
    show(LoggedAccess(requests, uses), "Nothing was granted or requested so far.")
  }

  /// Shows the decisions about a program, with the uses under each grant.
  package func showLog(ofProgram program: String) throws {
    show(LoggedAccess(nil, try programs.log(of: program)), "Nothing was granted or used so far.")
  }

  private func show(_ log: LoggedAccess, _ nothing: ConsoleText) {
    guard !asJSON else { return console.write(log.json) }
    console.say(log.lines)
    if log.lines.isEmpty { console.note(nothing) }
  }
}

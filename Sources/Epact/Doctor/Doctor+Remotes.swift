// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import CivilTime

extension Doctor {
  /// The maximum clock deviation without a warning, in seconds; servers compare ETags, not times.
  private static let tolerance: Int64 = 300

  /// Checks the access to a remote, its credentials, and its reachability if the access allows it.
  func remote(_ settings: RemoteSettings, _ configuration: Configuration) async -> [Diagnosis] {
    let access: RemoteAccess
    do {
      access = try await RemoteAccess(
        to: settings.name, in: configuration, machine: machine, isDryRun: true)
    } catch {
      return [Diagnosis("remote", of: settings.name, error)]
    }
    var findings = [finding(of: access)]
    findings += credentials(settings)
    switch access.status {
    case .notDetermined, .restricted, .denied: break
    case .writeOnly:
      findings.append(
        Diagnosis(
          .note, "reachability", of: settings.name,
          "not tried, because every request would read, and the access is write-only"))
    case .full where isOffline:
      findings.append(Diagnosis(.note, "reachability", of: settings.name, "not tried"))
    case .full:
      findings += await reach(
        settings, access, isAccount: configuration.accounts[settings.name] != nil)
    }
    return findings
  }

  private func finding(of access: RemoteAccess) -> Diagnosis {
    let text =
      "\(access.status.rawValue), \(access.identity)\(access.restriction.map { ", \($0)" } ?? "")"
    switch access.status {
    case .notDetermined:
      return Diagnosis(
        .warning, "access", of: access.name, text,
        remedy: .grant(access.wanted, remote: access.name))
    case .denied:
      return Diagnosis(
        .note, "access", of: access.name, text,
        remedy: .changeAnswer(access.wanted, remote: access.name))
    case .restricted:
      return Diagnosis(
        access.syncs.isEmpty ? .note : .error, "access", of: access.name, text,
        remedy: .other(
          "A sync with it does nothing. Ask the administrator, or remove the sync."),
        code: .noAccess)
    case .writeOnly where access.syncs.contains { $0.access > .writeOnly }:
      let isRestricted = access.restriction.map { $0.tier < .full } ?? false
      return Diagnosis(
        .warning, "access", of: access.name, "\(text), and a sync wants full access",
        remedy: isRestricted
          ? .other("With access = \"write-only\" in its [[sync]] it only adds events.")
          : .grant(.full, remote: access.name))
    case .writeOnly, .full: return Diagnosis(.ok, "access", of: access.name, text)
    }
  }

  // MARK: Credentials

  /// Checks the source of the password without fetching it.
  private func credentials(_ settings: RemoteSettings) -> [Diagnosis] {
    guard let server = settings.server else { return [] }
    let name = settings.name
    if let words = server.tokenCommand { return [program(words, "token-command", name)] }
    switch server.password {
    case nil:
      guard server.username != nil else {
        return [Diagnosis(.note, "credentials", of: name, "none")]
      }
      return [
        Diagnosis(
          .warning, "credentials", of: name, "a user name without a password",
          remedy: .other("Add \"password-command\" or \"password-file\"."))
      ]
    case .literal?:
      return [
        Diagnosis(
          .note, "credentials", of: name, "the password is in the configuration",
          remedy: .other("A \"password-command\" keeps it out of back-ups."))
      ]
    case .command(let words)?: return [program(words, "password-command", name)]
    case .file(let path)?: return [file(path, "password-file", name)]
    case .netrc(let path)?: return [file(path, "netrc", name)]
    case .environment(let variable)?:
      let isSet = machine.environment[variable]?.isEmpty == false
      return [
        Diagnosis(
          isSet ? .ok : .error, "credentials", of: name,
          "the variable \(variable) is \(isSet ? "set" : "not set")",
          remedy: isSet ? nil : .other("A timer has an environment of its own."),
          code: .configuration)
      ]
    case .systemd(let credential)?:
      return [
        Diagnosis(.ok, "credentials", of: name, "the credential \(credential) of a systemd service")
      ]
    }
  }

  private func program(_ words: [String], _ key: String, _ remote: String) -> Diagnosis {
    let program = words.first ?? ""
    guard machine.executable(program) != nil else {
      return Diagnosis(
        .error, "credentials", of: remote, "\(key) names a program that is not there",
        remedy: .other("Install it, or correct the name."), code: .configuration)
    }
    if program.contains("/"), let fault = fault(program, isStrict: false, key, remote) {
      return fault
    }
    return Diagnosis(.ok, "credentials", of: remote, "\(key) runs \(program)")
  }

  private func file(_ path: String, _ key: String, _ remote: String) -> Diagnosis {
    guard let mode = FileMode(path) else {
      return Diagnosis(
        .error, "credentials", of: remote, "\(key) names \(path), which is not there",
        code: .configuration)
    }
    guard !mode.isOpenToOthers else {
      return Diagnosis(
        .error, "credentials", of: remote, "\(path) is not private to you",
        remedy: .makePrivate(path: path), code: .configuration)
    }
    return fault(path, key, remote)
      ?? Diagnosis(.ok, "credentials", of: remote, "\(key) is \(path)")
  }

  /// The finding for a file that other users can change.
  private func fault(
    _ path: String, isStrict: Bool = true, _ key: String, _ remote: String
  ) -> Diagnosis? {
    do {
      try FileTrust(machine, isStrict: isStrict).expect(path, "\(key)")
      return nil
    } catch {
      return Diagnosis("credentials", of: remote, error)
    }
  }

  // MARK: Reaching

  /// Opens the remote as a sync does, and evaluates the server's headers.
  private func reach(
    _ settings: RemoteSettings, _ access: RemoteAccess, isAccount: Bool
  ) async -> [Diagnosis] {
    guard let grant = access.grant else { return [] }
    let answers = ServerAnswers()
    var observed = machine
    let makeTransport = machine.makeTransport
    observed.makeTransport = { identity, connections in
      answers.observing(try makeTransport(identity, connections))
    }
    var factory = Remotes(machine: observed, log: log)
    let ledger: any LedgerStore
    do {
      ledger = try LedgerFolder(machine: machine, isReadOnly: false).openLedger()
    } catch {
      return [Diagnosis("ledger", error)]
    }
    let recorder = AccessRecorder(log: ledger, grant: grant, tier: .full, now: machine.now)
    factory.note = { try await recorder.note($0) }
    var findings: [Diagnosis] = []
    do {
      let words = try await Self.reach(settings, by: factory, isAccount: isAccount)
      findings.append(Diagnosis(.ok, "reachability", of: settings.name, words))
    } catch {
      findings.append(Diagnosis("reachability", of: settings.name, error))
    }
    try? await recorder.flush()
    return findings + heard(answers, settings.name)
  }

  /// Opens a calendar, or lists those of an account, and says what is there.
  private static func reach(
    _ settings: RemoteSettings, by factory: Remotes, isAccount: Bool
  ) async throws -> String {
    guard isAccount else {
      _ = try await AccessTier.full.open(try factory.remote(settings))
      return "the calendar is there"
    }
    let account = try factory.account(settings)
    let found = try await account.collections()
    let readOnly = found.filter { $0.components?.isEmpty == true }.map { $0.title ?? $0.id.folder }
    let subscriptions = try await account.subscriptions().map(\.title)
    var words = found.count == 1 ? "1 calendar is there" : "\(found.count) calendars are there"
    if !readOnly.isEmpty { words += "; read-only: \(readOnly.joined(separator: ", "))" }
    if !subscriptions.isEmpty {
      words += "; subscriptions, which a sync leaves out: \(subscriptions.joined(separator: ", "))"
    }
    return words
  }

  private func heard(_ answers: ServerAnswers, _ name: String) -> [Diagnosis] {
    var findings: [Diagnosis] = []
    if let time = answers.date {
      let difference = machine.now().secondsSinceEpoch - time.secondsSinceEpoch
      let off = difference.magnitude
      if off > UInt64(Self.tolerance) {
        findings.append(
          Diagnosis(
            .warning, "clock", of: name,
            "this machine is \(off) s \(difference > 0 ? "ahead of" : "behind") the server",
            remedy: .other("No sync depends on it, but times that are written into items do.")))
      }
    }
    if let server = answers.server {
      findings.append(Diagnosis(.note, "server", of: name, "\(server)"))
      findings += ServerHabit.known(of: server).map {
        Diagnosis(.note, "server", of: name, $0.habit, remedy: .other($0.consequence))
      }
    }
    return findings
  }
}

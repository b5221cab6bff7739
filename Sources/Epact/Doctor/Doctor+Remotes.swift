// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import CivilTime

extension Doctor {
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
    // The missing sign-in is a finding about the credentials.
    case .full where settings.signIn(on: machine).map(needsSignIn) == true: break
    case .full where isOffline:
      findings.append(Diagnosis(.note, "reachability", of: settings.name, "not tried"))
    case .full:
      findings += await reach(settings, access, configuration)
    }
    return findings
  }

  private func finding(of access: RemoteAccess) -> Diagnosis {
    let limit = access.restriction.map { ", \($0.words)" } ?? ""
    let isPulled = !access.syncs.isEmpty && access.syncs.allSatisfy { $0.direction == .pull }
    let use = isPulled ? ", only pulled from" : ""
    let text = "\(access.status.rawValue), \(access.identity)\(use)\(limit)"
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
    if let signIn = settings.signIn(on: machine) { return [finding(of: signIn)] }
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

  /// The time before the end of a sign-in from which it is a warning, in seconds.
  private static let signInWarning: Int64 = 2 * 24 * 3600

  private func needsSignIn(_ signIn: RemoteSignIn) -> Bool {
    SignInState(of: signIn, at: machine.now()).needsSignIn
  }

  /// Checks the stored tokens of a sign-in without using them.
  private func finding(of signIn: RemoteSignIn) -> Diagnosis {
    let state = SignInState(of: signIn, at: machine.now())
    let name = signIn.remote
    let remedy = EpactError.Remedy.signIn(remote: name)
    switch state {
    case .missing, .ended:
      return Diagnosis(
        .error, "credentials", of: name, state.words, remedy: remedy, code: .noAccess)
    case .unreadable(let error): return Diagnosis("credentials", of: name, error)
    case .valid: return Diagnosis(.ok, "credentials", of: name, state.words)
    case .expiring(let end):
      let rest = end.secondsSinceEpoch - machine.now().secondsSinceEpoch
      let isSoon = rest < Self.signInWarning
      return Diagnosis(
        isSoon ? .warning : .note, "credentials", of: name,
        "\(state.words) \(machine.localTime(end))", remedy: isSoon ? remedy : nil)
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
}

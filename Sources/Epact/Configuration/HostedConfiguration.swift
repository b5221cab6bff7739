// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes

extension Configuration {
  /// Limits the configuration of a hosted account to its own folder and passwords, and adds what the
  /// host provides.
  ///
  /// Who writes to the database of a host must not be able to run programs on it, or to read files and
  /// secrets of the host and of other accounts.
  ///
  /// - Throws: `ConfigurationError` with all that a hosted account cannot have.
  mutating func confine(to place: HostedPlace, home: String) throws(ConfigurationError) {
    var check = HostedCheck(account: place.name, home: home)
    check.check(self)
    guard check.problems.isEmpty else {
      throw ConfigurationError(path: place.path, problems: check.problems)
    }
    ledger = LedgerSettings(of: place)
    guard let command = place.passwordCommand else { return }
    remotes = remotes.mapValues { $0.withPassword(from: command, account: place.name) }
    accounts = accounts.mapValues { $0.withPassword(from: command, account: place.name) }
  }
}

/// The check that a configuration concerns one hosted account alone.
private struct HostedCheck {
  let account: String
  /// The absolute path of the account's home folder.
  let home: String
  var problems: [ConfigurationError.Problem] = []

  mutating func check(_ configuration: Configuration) {
    for (key, words) in [
      ("on-failure", configuration.onFailure), ("on-change", configuration.onChange),
      ("sendmail-command", configuration.sendmailCommand),
    ] where words != nil {
      refuse("\"\(key)\" runs a program, which only the host's own configuration can")
    }
    if configuration.metrics != nil { refuse("\"metrics\" is for the host's own configuration") }
    if configuration.ledger != nil { refuse("\"ledger\" is for the host's own configuration") }
    if configuration.hosting != nil {
      refuse("\"accounts-folder\" is for the host's own configuration")
    }
    for calendar in configuration.calendars.values.sorted(by: { $0.name < $1.name })
    where !calendar.isInDatabase {
      checkPath(calendar.path, of: "[calendar.\(calendar.name)]")
    }
    for sync in configuration.accountSyncs {
      checkPath(sync.folder, of: "the sync \"\(sync.name)\"")
    }
    for (table, remotes) in [
      ("remote", configuration.remotes), ("account", configuration.accounts),
    ] {
      for remote in remotes.values.sorted(by: { $0.name < $1.name }) {
        check(remote, "[\(table).\(remote.name)]")
      }
    }
  }

  private mutating func refuse(_ message: String) {
    problems.append(ConfigurationError.Problem(line: nil, message))
  }

  private mutating func checkPath(_ path: String, of owner: String) {
    let isInside = path.hasPrefix(home + "/") && !path.split(separator: "/").contains("..")
    if !isInside {
      refuse("the path \(path) of \(owner) is outside of the account's folder, \(home)")
    }
  }

  private mutating func check(_ remote: RemoteSettings, _ title: String) {
    switch remote.kind {
    case .folder(let path), .file(let path): checkPath(path, of: title)
    case .birthdays(let settings): checkPath(settings.path, of: title)
    case .calDAV, .vendor, .webcal, .mirror: break
    }
    guard let server = remote.server else { return }
    if server.tokenCommand != nil {
      refuse(
        "\"token-command\" of \(title) runs a program, which only the host's own configuration can")
    }
    if let client = server.identity.client {
      checkPath(client.certificateFile, of: title)
      checkPath(client.keyFile, of: title)
    }
    check(server.password, "password", title)
    check(server.signIn?.clientSecret, "client-secret", title)
    switch server.signIn?.store {
    case nil, .file?: break
    case .credential(let name)?: checkCredential(name, of: title)
    case .keyring?: refuse("the tokens of \(title) would be in the keyring of the host's user")
    }
  }

  private mutating func checkCredential(_ name: String, of title: String) {
    guard !name.hasPrefix("\(account).") else { return }
    refuse("the name of the credential of \(title) does not begin with \"\(account).\"")
  }

  private mutating func check(_ source: PasswordSource?, _ key: String, _ title: String) {
    switch source {
    case nil: break
    case .file(let path), .netrc(let path): checkPath(path, of: title)
    case .systemd(let name): checkCredential(name, of: title)
    case .command:
      refuse(
        "\"\(key)-command\" of \(title) runs a program; the host's \"accounts-password-command\" can"
      )
    case .environment: refuse("\"\(key)-env\" of \(title) is a variable of the host")
    case .literal: refuse("\"\(key)\" of \(title) would be readable in the ledger of the host")
    }
  }
}

extension RemoteSettings {
  /// The settings with the host's command as the source of a password that is needed and has none.
  fileprivate func withPassword(from command: [String], account: String) -> RemoteSettings {
    guard var server, server.username != nil, server.password == nil, server.tokenCommand == nil,
      server.signIn == nil
    else { return self }
    server.password = .command(
      command.map { word in
        word.replacing("{account}", with: account).replacing("{remote}", with: name)
      })
    let kind: Kind
    switch self.kind {
    case .calDAV(let dav):
      var new = CalDAVSettings(
        address: dav.address, collection: dav.collection, server: server,
        invitations: dav.invitations)
      new.account = dav.account
      kind = .calDAV(new)
    case .webcal(let feed): kind = .webcal(WebcalSettings(address: feed.address, server: server))
    case .vendor, .folder, .file, .mirror, .birthdays: return self
    }
    return RemoteSettings(name: name, kind: kind)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarStore

/// A place where a typed password is stored.
package enum PasswordStore: Sendable, Hashable {
  /// A kind of places.
  package enum Kind: String, CaseIterable, Sendable {
    /// A file that only the user can read.
    case file
    /// The keyring of the desktop (the Secret Service), by `secret-tool` of libsecret.
    case keyring
    /// A file that systemd encrypts for this machine.
    case credential
  }

  /// A new private file at a path.
  case file(String)
  /// The item of an account in the keyring.
  case keyring(account: String, user: String)
  /// A new file at a path, encrypted under a name.
  case credential(path: String, name: String, isOfUser: Bool)

  /// The time limit of a program, in seconds; sufficient to unlock a keyring.
  private static let timeLimit = 60.0
  private static let sizeLimit = 1 << 20

  /// The source that reads the password from the store.
  var source: PasswordSource {
    switch self {
    case .file(let path): .file(path)
    case .keyring: .command(["secret-tool", "lookup"] + attributes)
    case .credential(let path, let name, let isOfUser):
      .command(Self.decrypting(path, as: name, isOfUser: isOfUser))
    }
  }

  /// The store for another user of the same account.
  func of(_ other: String) -> PasswordStore {
    guard case .keyring(let account, _) = self else { return self }
    return .keyring(account: account, user: other)
  }

  /// The attributes by which `secret-tool` finds an item.
  private var attributes: [String] {
    guard case .keyring(let account, let user) = self else { return [] }
    return ["service", "epact", "account", account, "user", user]
  }

  private static func decrypting(_ path: String, as name: String, isOfUser: Bool) -> [String] {
    ["systemd-creds"] + (isOfUser ? ["--user"] : []) + ["--name=\(name)", "decrypt", path, "-"]
  }

  /// Stores a password, and checks that it can be read again.
  ///
  /// - Throws: `EpactError`, which never contains the password.
  func store(_ secret: Secret, on machine: Machine) throws {
    switch self {
    case .file(let path): try Self.create(path, Array((secret.revealed + "\n").utf8))
    case .keyring(let account, let user):
      let label = "--label=Epact: \(user) at \(account)"
      // Standard input: arguments are visible to other users.
      _ = try Self.output(
        of: ["secret-tool", "store", label] + attributes, input: secret, on: machine)
      let kept = try Self.output(of: ["secret-tool", "lookup"] + attributes, on: machine)
      guard kept == Array(secret.revealed.utf8) else {
        throw EpactError(
          .failed, "the keyring does not return the password that was stored",
          remedy: .keepPasswordInFile)
      }
    case .credential(let path, _, _): try Self.create(path, try encrypted(secret, on: machine))
    }
  }

  /// Checks whether systemd encrypts and decrypts for this user; other stores need no check.
  ///
  /// - Throws: `EpactError` with the failed program.
  package func check(on machine: Machine) throws {
    guard case .credential = self else { return }
    _ = try encrypted(Secret("probe"), on: machine)
  }

  private func encrypted(_ secret: Secret, on machine: Machine) throws -> [UInt8] {
    guard case .credential(_, let name, let isOfUser) = self else { return [] }
    let scope = isOfUser ? ["--user"] : []
    let bytes = try Self.output(
      of: ["systemd-creds"] + scope + ["--name=\(name)", "encrypt", "-", "-"], input: secret,
      on: machine)
    let kept = try Self.output(
      of: Self.decrypting("-", as: name, isOfUser: isOfUser),
      input: Secret(String(decoding: bytes, as: UTF8.self)), on: machine)
    guard kept == Array(secret.revealed.utf8) else {
      throw EpactError(.failed, "systemd-creds does not return the password that was encrypted")
    }
    return bytes
  }

  private static func create(_ path: String, _ bytes: [UInt8]) throws {
    guard try AtomicFile.create(bytes, at: path, permissions: .secret) else {
      throw EpactError(
        .failed, "there is a file \(path) already", subject: path,
        remedy: .usePasswordFile(path: path))
    }
  }

  /// The output of a program, whose own messages are not shown.
  fileprivate static func output(
    of words: [String], input: Secret? = nil, on machine: Machine
  ) throws(EpactError) -> [UInt8] {
    var process = Subprocess(
      words: words, environment: machine.environment, timeLimit: timeLimit,
      outputLimit: sizeLimit, stopwatch: machine.stopwatch)
    process.input = input.map { Array($0.revealed.utf8) } ?? []
    process.showsErrors = false
    do {
      return try process.output()
    } catch let error as Subprocess.Failure {
      throw EpactError(
        .unavailable, "\(words[0]) \(error.reason)",
        remedy: .keepPasswordInFile)
    } catch {
      throw EpactError(.unavailable, "\(words[0]) was interrupted")
    }
  }
}

/// The stores for the password of a new account.
package struct PasswordStores: Sendable {
  /// The first version of systemd that encrypts credentials for users without privileges.
  private static let versionForUsers = 256
  /// The first version of systemd that encrypts credentials.
  private static let version = 250

  private let name: String
  private let account: String
  private let configuration: String
  private let machine: Machine

  /// Creates the stores.
  ///
  /// - Parameters:
  ///   - name: The name of the account, from which names of files are derived.
  ///   - account: The host of the account, with the port if there is one.
  ///   - configuration: The path of the configuration.
  ///   - machine: The machine with the files and programs.
  package init(name: String, account: String, configuration: String, machine: Machine) {
    (self.name, self.account) = (name, account)
    (self.configuration, self.machine) = (configuration, machine)
  }

  /// The kinds of stores that exist on this machine, a file first.
  package var available: [PasswordStore.Kind] {
    PasswordStore.Kind.allCases.filter(exists)
  }

  private func exists(_ kind: PasswordStore.Kind) -> Bool {
    switch kind {
    case .file: true
    case .keyring: answers
    case .credential: hasCredentials
    }
  }

  /// Whether a keyring answers: the search for an item that does not exist succeeds.
  private var answers: Bool {
    guard machine.executable("secret-tool") != nil else { return false }
    let words = ["secret-tool", "search", "service", "epact-probe"]
    return (try? PasswordStore.output(of: words, on: machine)) != nil
  }

  private var hasCredentials: Bool {
    guard machine.executable("systemd-creds") != nil,
      let output = try? PasswordStore.output(of: ["systemd-creds", "--version"], on: machine)
    else { return false }
    // As in "systemd 252 (252.38-1~deb12u1)".
    let words = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count > 1, let number = Int(words[1].prefix { $0.isNumber }) else { return false }
    return number >= (machine.userID == 0 ? Self.version : Self.versionForUsers)
  }

  /// The store of a kind for the password of a user.
  ///
  /// - Throws: `EpactError` if it does not work on this machine.
  package func store(_ kind: PasswordStore.Kind, for user: String) throws -> PasswordStore {
    guard exists(kind) else {
      throw EpactError(
        .unavailable, "there is no \(kind.rawValue) for passwords on this machine",
        remedy: .other("There is: \(available.map(\.rawValue).joined(separator: ", "))"))
    }
    switch kind {
    case .file: return .file(path("password"))
    case .keyring: return .keyring(account: account, user: user)
    case .credential:
      let store = PasswordStore.credential(
        path: path("credential"), name: CalendarInfo.plainName(name), isOfUser: machine.userID != 0)
      try store.check(on: machine)
      return store
    }
  }

  /// The path of a new file beside the configuration.
  package func path(_ ending: String) -> String {
    SetupPlan.passwordPath(for: name, configuration: configuration, ending: ending)
  }
}

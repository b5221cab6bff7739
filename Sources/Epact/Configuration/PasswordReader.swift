// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarRemotes

/// Reads a password or a token from the configured source.
package struct PasswordReader: Sendable {
  /// The time limit of a command, in seconds; sufficient to type a passphrase.
  private static let timeLimit = 60.0
  /// The maximum size of a password, in bytes.
  private static let sizeLimit = 64 * 1024

  /// The name of the remote, for messages.
  let remote: String
  /// The host of the password.
  let host: String
  /// The machine with the files and programs.
  let machine: Machine
  /// The name of the secret in messages, such as `password`.
  private let what: String

  /// Creates a reader for a remote.
  package init(remote: String, host: String, machine: Machine, what: String = "password") {
    self.remote = remote
    self.host = host
    self.machine = machine
    self.what = what
  }

  /// Reads the password of a user.
  ///
  /// - Throws: `EpactError`, which never contains data that was read.
  package func password(from source: PasswordSource, for user: String) throws -> Secret {
    switch source {
    case .literal(let secret): secret
    case .file(let path):
      try secret(from: try read(path, isPrivate: true, what: "\(what) file"))
    case .command(let words):
      try secret(from: try run(words, key: "\(what.replacing(" ", with: "-"))-command"))
    case .environment(let name): try variable(name)
    case .systemd(let name): try credential(name)
    case .netrc(let path): try entry(for: user, in: path)
    }
  }

  /// Runs the command that prints an access token.
  ///
  /// - Throws: `EpactError`, which never contains data that was read.
  package func token(from words: [String]) throws -> Secret {
    try secret(from: try run(words, key: "token-command"))
  }

  private func variable(_ name: String) throws -> Secret {
    guard let value = machine.environment[name], !value.isEmpty else {
      throw EpactError(
        .configuration,
        "the \(what) of \"\(remote)\" is to be in the environment as \(name), which is not set")
    }
    return Secret(value)
  }

  /// Reads a credential of a systemd service (`LoadCredential=`), whose folder is private to it.
  private func credential(_ name: String) throws -> Secret {
    guard let folder = machine.environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
      throw EpactError(
        .configuration,
        "the \(what) of \"\(remote)\" is to be the credential \(name), but there is no "
          + "$CREDENTIALS_DIRECTORY",
        remedy: .other(
          "systemd sets it for a service with LoadCredential= or LoadCredentialEncrypted=."))
    }
    let path = "\(folder)/\(name)"
    // systemd may grant access by an ACL, which appears as a group permission.
    return try secret(from: try read(path, isPrivate: false, what: "credential"))
  }

  private func entry(for user: String, in path: String) throws -> Secret {
    let bytes = try read(path, isPrivate: true, what: "netrc file")
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw EpactError(.configuration, "the netrc file \(path) is not UTF-8")
    }
    guard let password = Netrc(parsing: text).password(host: host, login: user) else {
      throw EpactError(
        .configuration, "the netrc file \(path) has no \(what) for \(user) on \(host)")
    }
    return password
  }

  private func read(_ path: String, isPrivate: Bool, what: String) throws -> [UInt8] {
    do {
      var file = try InputStream(path: path)
      let facts = try file.facts()
      guard facts.isRegular else { throw EpactError(.configuration, "\(path) is not a file") }
      if isPrivate {
        guard !facts.isOpenToOthers, facts.owner == machine.userID || facts.owner == 0 else {
          throw EpactError(
            .configuration, "the \(what) \(path) is not private to you",
            subject: path, remedy: .makePrivate(path: path))
        }
        try FileTrust(machine).expect(path, "\(what)", opened: facts)
      }
      guard let bytes = try file.readAll(limit: Self.sizeLimit) else {
        throw EpactError(.configuration, "the \(what) \(path) is too large for a \(what)")
      }
      return bytes
    } catch let error as SystemError {
      throw EpactError(.configuration, "cannot read the \(what) \(path): \(error)")
    }
  }

  private func run(_ words: [String], key: String) throws -> [UInt8] {
    let process = Subprocess(
      words: words, environment: machine.environment, timeLimit: Self.timeLimit,
      outputLimit: Self.sizeLimit, stopwatch: machine.stopwatch)
    // The message contains only the program, and only if it can be run: the other words may be a
    // secret if the user mistook the key for that of the password.
    let name = "the \(key) of \"\(remote)\""
    let program = "\(name), \(words[0]),"
    if words[0].contains("/") {
      try FileTrust(machine, isStrict: false).expect(words[0], "\(key)")
    }
    do {
      return try process.output()
    } catch let error as Subprocess.Failure {
      switch error {
      case .notStarted(let reason):
        throw EpactError(.configuration, "\(name) cannot be run: \(reason)")
      case .timedOut: throw EpactError(.unavailable, "\(program) gave no answer in 60 s")
      case .tooMuchOutput: throw EpactError(.configuration, "\(program) printed too much")
      case .exited(let status):
        throw EpactError(.noAccess, "\(program) ended with status \(status)")
      }
    }
  }

  /// The text without the trailing line break that programs and editors add.
  private func secret(from bytes: [UInt8]) throws -> Secret {
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw EpactError(.configuration, "the \(what) of \"\(remote)\" is not UTF-8")
    }
    if let last = text.last, last.isNewline { text.removeLast() }
    guard !text.isEmpty else {
      throw EpactError(.noAccess, "the \(what) of \"\(remote)\" is empty")
    }
    return Secret(text)
  }
}

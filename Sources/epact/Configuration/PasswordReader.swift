// SPDX-License-Identifier: Apache-2.0

/// Gets a password from where the configuration says it is.
struct PasswordReader: Sendable {
  /// How long a `password-command` may take, in seconds: long enough to type a passphrase.
  private static let timeLimit = 60.0
  /// The longest password, in bytes.
  private static let sizeLimit = 64 * 1024

  /// Where the password comes from.
  let source: PasswordSource
  /// The name of the remote, for messages.
  let remote: String
  /// The machine that files and programs are on.
  let machine: Dependencies

  /// Gets the password.
  ///
  /// - Throws: `Failure`, which never holds anything that was read.
  func password() throws -> Secret {
    switch source {
    case .literal(let secret): return secret
    case .file(let path): return try secret(from: try read(path))
    case .command(let words): return try secret(from: try run(words))
    }
  }

  private func read(_ path: String) throws -> [UInt8] {
    do {
      var file = try InputStream(path: path)
      let facts = try file.facts()
      guard facts.isRegular else { throw Failure(.configuration, "\(path) is not a file") }
      guard !facts.isOpenToOthers, facts.owner == machine.userID || facts.owner == 0 else {
        throw Failure(
          .configuration, "the password file \(path) is not private to you",
          hint: "Run: chmod 600 \(ShellWord(path))")
      }
      guard let bytes = try file.readAll(limit: Self.sizeLimit) else {
        throw Failure(.configuration, "the password file \(path) is too large for a password")
      }
      return bytes
    } catch let error as SystemError {
      throw Failure(.configuration, "cannot read the password file \(path): \(error)")
    }
  }

  private func run(_ words: [String]) throws -> [UInt8] {
    let process = Subprocess(
      words: words, environment: machine.environment, timeLimit: Self.timeLimit,
      outputLimit: Self.sizeLimit, stopwatch: machine.stopwatch)
    // Only the program is named: an argument may be a secret.
    let name = words[0]
    do {
      return try process.output()
    } catch let error as Subprocess.Failure {
      switch error {
      case .notStarted(let reason):
        throw Failure(
          .configuration, "cannot run the password-command of \"\(remote)\", \(name): \(reason)")
      case .timedOut:
        throw Failure(
          .unavailable, "the password-command of \"\(remote)\", \(name), gave no answer in 60 s")
      case .tooMuchOutput:
        throw Failure(
          .configuration, "the password-command of \"\(remote)\", \(name), printed too much")
      case .exited(let status):
        throw Failure(
          .noAccess,
          "the password-command of \"\(remote)\", \(name), ended with status \(status)")
      }
    }
  }

  /// The bytes without the line end after them, which programs and editors add.
  private func secret(from bytes: [UInt8]) throws -> Secret {
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.configuration, "the password of \"\(remote)\" is not UTF-8")
    }
    if let last = text.last, last.isNewline { text.removeLast() }
    guard !text.isEmpty else {
      throw Failure(.noAccess, "the password of \"\(remote)\" is empty")
    }
    return Secret(text)
  }
}

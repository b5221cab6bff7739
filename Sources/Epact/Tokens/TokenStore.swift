// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarStore
import FoundationEssentials
import Glibc

/// The place of the tokens of remotes that sign in.
public enum TokenStoreKind: Sendable, Hashable {
  /// A file of the state folder, which only the user can read.
  case file
  /// The keyring of the desktop (the Secret Service), by `secret-tool` of libsecret.
  case keyring
  /// The credential with this name of a systemd service, which is only read.
  case credential(String)
}

/// Stores the tokens of one sign-in.
///
/// Only a record is stored, and it is replaced as a whole. The lock is a file of its own, so that
/// processes on one machine renew one after the other.
package struct TokenStore: Sendable {
  /// The maximum size of a record, in bytes; tokens of some servers are long.
  private static let sizeLimit = 256 << 10
  /// The time limit of a program, in seconds; sufficient to unlock a keyring.
  private static let timeLimit = 60.0
  /// The delay before the lock is tried again.
  private static let lockDelay = Duration.milliseconds(50)
  /// The maximum number of attempts to take the lock.
  private static let lockAttempts = 1200

  /// The kind of place.
  let kind: TokenStoreKind
  private let remote: String
  private let machine: Machine

  /// Creates a store; reads nothing yet.
  ///
  /// - Parameters:
  ///   - kind: The kind of place.
  ///   - remote: The name of the remote or the account.
  ///   - machine: The machine with the files and programs.
  package init(_ kind: TokenStoreKind, of remote: String, on machine: Machine) {
    (self.kind, self.remote, self.machine) = (kind, remote, machine)
  }

  private var folder: String { machine.stateFolder + "/sign-ins" }

  /// The path of the file without its extension; other bytes than letters and digits are escaped.
  private var stem: String {
    let name = remote.utf8.reduce(into: "") { result, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += "%" + String(byte, radix: 16)
      }
    }
    return folder + "/" + name
  }

  /// The path of the file with the tokens.
  package var path: String { stem + ".json" }

  /// Whether tokens can be stored.
  package var isWritable: Bool {
    if case .credential = kind { false } else { true }
  }

  private var attributes: [String] { ["service", "epact", "sign-in", remote] }

  // MARK: Records

  /// Reads the record; nil if there is none.
  ///
  /// - Throws: `EpactError` if it cannot be read, or if others can read it.
  package func read() throws(EpactError) -> TokenRecord? {
    let bytes: [UInt8]?
    switch kind {
    case .file: bytes = try contents(of: path, isPrivate: true)
    case .keyring: bytes = try output(of: ["secret-tool", "lookup"] + attributes, mayFail: true)
    case .credential(let name):
      guard let folder = machine.environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
        throw EpactError(
          .configuration,
          "the tokens of \"\(remote)\" are to be the credential \(name), but there is no "
            + "$CREDENTIALS_DIRECTORY",
          remedy: .other(
            "systemd sets it for a service with LoadCredential= or LoadCredentialEncrypted=."))
      }
      bytes = try contents(of: "\(folder)/\(name)", isPrivate: false)
    }
    guard let bytes, !bytes.isEmpty else { return nil }
    guard let record = try? JSONDecoder().decode(TokenRecord.self, from: Data(bytes)) else {
      throw EpactError(
        .failed, "the stored tokens of \"\(remote)\" cannot be read", subject: remote,
        remedy: .signIn(remote: remote))
    }
    return record
  }

  /// Stores a record, and replaces an earlier one.
  ///
  /// - Throws: `EpactError`, which never contains a token.
  package func write(_ record: TokenRecord) throws(EpactError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(record) else {
      throw EpactError(.failed, "the tokens of \"\(remote)\" cannot be stored", subject: remote)
    }
    let bytes = Array(data)
    switch kind {
    case .file:
      try PrivateFolder.make(folder)
      do {
        try AtomicFile.write(bytes, to: path, permissions: .secret)
      } catch {
        throw EpactError(
          .failed, "the tokens of \"\(remote)\" cannot be stored: \(error)", subject: path)
      }
    case .keyring:
      // Standard input: arguments are visible to other users.
      _ = try output(
        of: ["secret-tool", "store", "--label=Epact: \(remote)"] + attributes, input: bytes)
    case .credential(let name):
      throw EpactError(
        .configuration, "the credential \(name) with the tokens of \"\(remote)\" is only read",
        subject: remote)
    }
  }

  /// Removes the record.
  ///
  /// - Throws: `EpactError` if it cannot be removed.
  package func remove() throws(EpactError) {
    switch kind {
    case .file:
      guard unsafe unlink(path) != 0, errno != ENOENT else { return }
      throw EpactError(.failed, "cannot remove \(path): \(SystemError())", subject: path)
    case .keyring: _ = try output(of: ["secret-tool", "clear"] + attributes, mayFail: true)
    case .credential(let name):
      throw EpactError(
        .configuration, "the credential \(name) with the tokens of \"\(remote)\" is only read",
        subject: remote)
    }
  }

  /// Calls `body` while no other process renews or replaces the tokens.
  ///
  /// - Throws: `EpactError` if another process holds the lock for a minute; errors of `body`.
  package func whileLocked<Result>(_ body: () async throws -> Result) async throws -> Result {
    for attempt in 1... {
      do {
        let lock = try StoreLock.acquire(
          stem + ".lock", for: "sign-in", since: machine.timeOfDay())
        let result = try await body()
        extendLifetime(lock)
        return result
      } catch let error as StoreError where error.code == .locked && attempt < Self.lockAttempts {
        // The lock is not waited for on a thread that the holder may need.
        try await machine.pace.sleep(Self.lockDelay)
      }
    }
    preconditionFailure("the number of attempts is limited")
  }

  // MARK: Places

  private func contents(of path: String, isPrivate: Bool) throws(EpactError) -> [UInt8]? {
    guard FileMode(path) != nil else { return nil }
    do {
      var file = try InputStream(path: path)
      let facts = try file.facts()
      guard facts.isRegular else { throw EpactError(.configuration, "\(path) is not a file") }
      if isPrivate {
        guard !facts.isOpenToOthers, facts.owner == machine.userID else {
          throw EpactError(
            .configuration, "the tokens in \(path) are not private to you", subject: path,
            remedy: .makePrivate(path: path))
        }
        try FileTrust(machine, isStrict: false).expect(path, "file with tokens", opened: facts)
      }
      guard let bytes = try file.readAll(limit: Self.sizeLimit) else {
        throw EpactError(.failed, "\(path) is too large for tokens", subject: path)
      }
      return bytes
    } catch let error as EpactError {
      throw error
    } catch {
      throw EpactError(.failed, "cannot read \(path): \(error)", subject: path)
    }
  }

  /// The output of a program, whose own messages are not shown.
  private func output(
    of words: [String], input: [UInt8] = [], mayFail: Bool = false
  ) throws(EpactError) -> [UInt8]? {
    var process = Subprocess(
      words: words, environment: machine.environment, timeLimit: Self.timeLimit,
      outputLimit: Self.sizeLimit, stopwatch: machine.stopwatch)
    process.input = input
    process.showsErrors = false
    do {
      return try process.output()
    } catch let error as Subprocess.Failure {
      if mayFail, case .exited = error { return nil }
      throw EpactError(.unavailable, "\(words[0]) \(error.reason)")
    } catch {
      throw EpactError(.unavailable, "\(words[0]) was interrupted")
    }
  }
}

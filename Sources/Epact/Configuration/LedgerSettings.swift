// SPDX-License-Identifier: Apache-2.0

package import CalendarStore
import Glibc

extension Machine {
  /// The absolute path of the configuration that the user chose; nil for the standard one.
  package var chosenConfiguration: String? {
    if case .configured(let path) = ledger { path } else { nil }
  }

  /// The machine with the ledger of a configuration, if that was read from a chosen file.
  func using(_ configuration: Configuration) -> Machine { using(configuration.chosenPath) }

  /// The machine with the ledger of the configuration in a file.
  package func using(_ file: ConfigurationFile) -> Machine {
    using(file.isExplicit ? file.path : nil)
  }

  private func using(_ path: String?) -> Machine {
    guard let path else { return self }
    var machine = self
    machine.ledger = .configured(path)
    return machine
  }
}

/// The database of a ledger that several machines share, instead of a file in the state folder.
///
/// ```toml
/// ledger = "postgresql://epact@db.example.org/calendars"
/// ledger-account = "ana"
/// ledger-password-command = ["pass", "show", "calendars/db"]
/// ```
package struct LedgerSettings: Sendable, Hashable {
  /// The address of the database, without a password.
  package let address: PostgreSQLAddress
  /// The account whose ledger it is, among those in the database.
  package let account: String
  /// The source of the password; nil for the ways of libpq, such as its password file.
  let password: PasswordSource?

  /// The database and the account, for connections; connects to nothing.
  func place(on machine: Machine) -> PostgreSQLPlace {
    if case .hosted(let hosted) = machine.ledger, let database = hosted.database { return database }
    guard let password else { return PostgreSQLPlace(address: address, tenant: account) }
    let reader = PasswordReader(
      remote: "ledger", host: address.parameters["host"] ?? "", machine: machine,
      what: "ledger password")
    let user = address.parameters["user"] ?? ""
    return PostgreSQLPlace(address: address, tenant: account) {
      try reader.password(from: password, for: user).revealed
    }
  }
}

extension LedgerSettings {
  /// The database of a hosted account; nil for a file in its home folder.
  init?(of hosted: HostedPlace) {
    guard let database = hosted.database else { return nil }
    self.init(address: database.address, account: database.tenant, password: nil)
  }
}

extension LedgerLease {
  /// The lease of this process, which others know by its machine and its number.
  ///
  /// - Parameter patience: The time to wait for a lease of another process, in seconds.
  /// - Returns: The lease.
  static func ofThisProcess(patience: Int = 5) -> LedgerLease {
    var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    let isKnown = unsafe gethostname(&name, name.count - 1) == 0
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let host = isKnown ? String(decoding: bytes, as: UTF8.self) : "another machine"
    return LedgerLease(holder: "process \(getpid()) on \(host)", patience: patience, isKept: true)
  }
}

extension ConfigurationReader {
  /// The keys of the ledger's place.
  static let ledgerKeys = ["ledger", "ledger-account"] + secretKeys("ledger-password")

  /// The database of the ledger; nil for a file in the state folder.
  mutating func ledger(in root: Table) -> LedgerSettings? {
    guard let text = string("ledger", in: root) else {
      for key in Self.ledgerKeys.dropFirst()
      where root.members[key] != nil && root.members["ledger"] == nil {
        complain([key], "\"\(key)\" is about a database, and there is no \"ledger\"")
      }
      return nil
    }
    let account = string("ledger-account", in: root)
    if account?.isEmpty ?? (root.members["ledger-account"] == nil) {
      complain(
        ["ledger"], "expected \"ledger-account\", the name of your account in the database, too")
    }
    let password = secret("ledger-password", in: root)
    do throws(PostgreSQLAddress.Problem) {
      let address = try PostgreSQLAddress(text)
      return account.map { LedgerSettings(address: address, account: $0, password: password) }
    } catch {
      complain(["ledger"], "\"ledger\" cannot be used: \(error)")
      return nil
    }
  }
}

extension ConfigurationFile {
  /// The database of the ledger; nil for a file in the state folder.
  ///
  /// Nothing else of the configuration is checked.
  ///
  /// - Throws: `EpactError` if the file cannot be read or trusted; `ConfigurationError`.
  func ledgerSettings() throws -> LedgerSettings? {
    if let hosted { return LedgerSettings(of: hosted) }
    guard let contents = try contents(),
      contents.text.utf8.firstRange(of: "ledger".utf8) != nil
    else { return nil }
    try contents.expectTrust()
    var (reader, document) = try ConfigurationReader.reading(
      contents.text, path: path, paths: contents.paths, isPrivate: contents.isPrivate)
    let settings = reader.ledger(in: .root(document))
    guard reader.problems.isEmpty else {
      throw ConfigurationError(path: path, problems: reader.problems)
    }
    return settings
  }
}

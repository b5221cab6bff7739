// SPDX-License-Identifier: Apache-2.0

/// The address of a PostgreSQL database, without credentials.
///
/// ```
/// postgresql://epact@db.example.org/calendars?sslrootcert=/etc/ssl/db.pem
/// postgresql:///calendars?host=/run/postgresql
/// ```
///
/// A connection to another machine is encrypted, and the server proves its name
/// (`sslmode=verify-full`). A socket of this machine and its loopback addresses need no encryption.
public struct PostgreSQLAddress: Hashable, Sendable, CustomStringConvertible {
  /// The reason why a text is not an address of a database.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message for people, which has no part of a password.
    public let description: String
  }

  /// The parameters that an address can have, all of them about finding and trusting the server.
  private static let known: Set<String> = [
    "host", "port", "user", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl",
    "sslcrldir", "passfile", "connect_timeout", "application_name", "target_session_attrs",
  ]

  /// The parameters for libpq, by keyword.
  package let parameters: [String: String]
  /// The address, which has no password.
  public let description: String

  /// Reads an address.
  ///
  /// - Parameter text: The address: `postgresql://[user@]host[:port]/database[?keyword=value&…]`.
  /// - Throws: `Problem` if it is not an address, contains a password, or names a server that is
  ///   reached without a proof of its name.
  public init(_ text: String) throws(Problem) {
    guard let start = ["postgresql://", "postgres://"].first(where: text.hasPrefix) else {
      throw Problem(description: "an address of a database begins with postgresql://")
    }
    var parts = Parts(text.dropFirst(start.count))
    try parts.readQuery()
    try parts.readUser()
    try parts.readHosts()
    guard !parts.values["dbname", default: ""].isEmpty else {
      throw Problem(description: "the address names no database: postgresql://HOST/DATABASE")
    }
    for keyword in parts.values.keys.sorted() where !Self.known.contains(keyword) {
      throw Problem(description: "an address has no parameter '\(keyword)'")
    }
    if let seconds = parts.values["connect_timeout"], !(1...600).contains(Int(seconds) ?? 0) {
      throw Problem(description: "connect_timeout has from 1 through 600 seconds")
    }
    try Self.secure(&parts.values)
    (parameters, description) = (parts.values, text)
  }

  /// Whether all servers are on this machine.
  var isOfThisMachine: Bool { Self.isOfThisMachine(parameters) }

  /// Chooses the mode of encryption, and refuses one that does not prove the name of the server.
  private static func secure(_ values: inout [String: String]) throws(Problem) {
    // Kerberos would be tried first, and looks for tickets.
    values["gssencmode"] = "disable"
    if isOfThisMachine(values) {
      values["sslmode", default: "prefer"] += ""
      return
    }
    let mode = values["sslmode", default: "verify-full"]
    guard mode == "verify-full" else {
      throw Problem(
        description: "sslmode=\(mode) does not prove the name of the server; a server on another "
          + "machine needs sslmode=verify-full, and sslrootcert=FILE for its authority")
    }
    values["sslmode"] = mode
  }

  private static func isOfThisMachine(_ values: [String: String]) -> Bool {
    let hosts = values["host", default: ""].split(separator: ",", omittingEmptySubsequences: false)
    return hosts.allSatisfy { host in
      host.isEmpty || host.hasPrefix("/") || host == "localhost" || host == "::1"
        || isLoopback(host)
    }
  }

  /// Whether a host is an IPv4 address of this machine (127.0.0.0/8), as four numbers.
  static func isLoopback(_ host: some StringProtocol) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
      .map { UInt8($0, radix: 10) }
    return numbers.count == 4 && numbers[0] == 127 && numbers.allSatisfy { $0 != nil }
  }
}

/// The parts of an address that are not read yet, and the values that were.
private struct Parts {
  private var rest: Substring
  var values: [String: String] = [:]

  init(_ rest: Substring) {
    self.rest = rest
  }

  mutating func readQuery() throws(PostgreSQLAddress.Problem) {
    guard let mark = rest.firstIndex(of: "?") else { return }
    for pair in rest[rest.index(after: mark)...].split(separator: "&") {
      guard let sign = pair.firstIndex(of: "=") else {
        throw PostgreSQLAddress.Problem(description: "a parameter of the address has no value")
      }
      let keyword = String(pair[..<sign])
      guard keyword != "password" else { throw Self.password }
      guard values[keyword] == nil else {
        throw PostgreSQLAddress.Problem(description: "the address has '\(keyword)' twice")
      }
      values[keyword] = try decoded(pair[pair.index(after: sign)...])
    }
    rest = rest[..<mark]
  }

  mutating func readUser() throws(PostgreSQLAddress.Problem) {
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    guard let sign = rest[..<end].lastIndex(of: "@") else { return }
    let user = rest[..<sign]
    guard !user.contains(":") else { throw Self.password }
    values["user"] = try decoded(user)
    rest = rest[rest.index(after: sign)...]
  }

  mutating func readHosts() throws(PostgreSQLAddress.Problem) {
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let name = try decoded(rest[slash...].dropFirst())
    if !name.isEmpty { values["dbname"] = name }
    var (hosts, ports): ([String], [String]) = ([], [])
    for part in rest[..<slash].split(separator: ",") {
      let (host, port) = try Self.split(part)
      hosts.append(try decoded(host))
      ports.append(port)
    }
    guard !hosts.isEmpty else { return }
    guard values["host"] == nil, values["port"] == nil else {
      throw PostgreSQLAddress.Problem(description: "the address names its host twice")
    }
    values["host"] = hosts.joined(separator: ",")
    values["port"] = ports.joined(separator: ",")
  }

  /// Splits a host and its port, 5432 if there is none.
  private static func split(
    _ text: Substring
  ) throws(PostgreSQLAddress.Problem) -> (host: Substring, port: String) {
    var (host, port): (Substring, Substring) = (text, "")
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      port = text[text.index(after: end)...]
    } else if let sign = text.lastIndex(of: ":") {
      (host, port) = (text[..<sign], text[sign...])
    }
    guard !port.isEmpty else { return (host, "5432") }
    guard port.hasPrefix(":"), let number = UInt16(port.dropFirst()) else {
      throw PostgreSQLAddress.Problem(description: "the port of the address is not a number")
    }
    return (host, "\(number)")
  }

  private func decoded(_ text: Substring) throws(PostgreSQLAddress.Problem) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16), value != 0 else {
        throw PostgreSQLAddress.Problem(description: "the address has a wrong percent sign")
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static var password: PostgreSQLAddress.Problem {
    PostgreSQLAddress.Problem(
      description:
        "the address contains a password, which others may read; use a command or a file "
        + "of the configuration, or libpq's password file (~/.pgpass, PGPASSFILE)")
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The place of a ledger in PostgreSQL: a database, and the tenant whose rows are used.
public struct PostgreSQLPlace: Sendable {
  /// The address of the database.
  public let address: PostgreSQLAddress
  /// The name of the tenant: one user's ledger among those in the database.
  public let tenant: String
  /// Returns the password; nil for the ways of libpq, such as its password file.
  let password: (@Sendable () throws -> String)?
  /// The open connections to the database that several ledgers share; nil for a connection of its own.
  package var connections: PostgreSQLConnections?

  /// Describes a ledger; connects to nothing.
  ///
  /// - Parameters:
  ///   - address: The address of the database.
  ///   - tenant: The name of the tenant, which is not empty.
  ///   - password: Returns the password; it is called for each connection. Nil for the ways of
  ///     libpq.
  public init(
    address: PostgreSQLAddress, tenant: String,
    password: (@Sendable () throws -> String)? = nil
  ) {
    self.address = address
    self.tenant = tenant
    self.password = password
  }

  /// The time that a connection may take, in seconds: that of the address, or ten.
  var connectionTime: Int { address.parameters["connect_timeout"].flatMap { Int($0) } ?? 10 }

  /// The settings of each connection.
  ///
  /// - The schema comes before temporary tables, which other code could use to replace the
  ///   ledger's.
  /// - A statement takes at most a minute, and waits at most five seconds for another transaction.
  /// - A transaction of a process that hangs is ended by the server after a minute.
  private static let settings = [
    "search_path=\(PostgreSQLSchema.name),pg_temp", "statement_timeout=60000", "lock_timeout=5000",
    "idle_in_transaction_session_timeout=60000", "client_min_messages=error", "row_security=on",
  ]

  /// Takes a connection that no ledger uses, or connects.
  ///
  /// - Throws: `PostgreSQLError`, `StoreError`, or an error of the password's source.
  func connection() throws -> PostgreSQLConnection {
    while let known = connections?.take() {
      // The server may have closed it in the meantime.
      if (try? known.run("SELECT 1")) != nil { return known }
    }
    return try connect()
  }

  /// Connects, and checks that the server keeps what the ledger needs.
  private func connect() throws -> PostgreSQLConnection {
    var parameters = address.parameters
    parameters["client_encoding"] = "UTF8"
    parameters["options"] = Self.settings.map { "-c \($0)" }.joined(separator: " ")
    parameters["application_name", default: "epact"] += ""
    // A server that is gone without a word is noticed after half a minute.
    parameters["keepalives"] = "1"
    parameters["keepalives_idle"] = "15"
    parameters["keepalives_interval"] = "5"
    parameters["keepalives_count"] = "3"
    parameters["tcp_user_timeout"] = "30000"
    if let password { parameters["password"] = try password() }
    let db = try PostgreSQLConnection(parameters, seconds: connectionTime)
    guard db.isTrusted else {
      throw StoreError(
        code: .noAccess, path: address.description,
        message: "the connection leaves this machine without encryption (PGHOSTADDR?)")
    }
    guard db.serverVersion >= 130_000 else {
      throw StoreError.unusable(address.description, "the server is older than PostgreSQL 13")
    }
    try checkServer(db)
    return db
  }

  private func checkServer(_ db: PostgreSQLConnection) throws {
    let query = """
      SELECT CAST(rolname AS TEXT), rolsuper OR rolbypassrls, current_setting('server_encoding'),
        current_setting('synchronous_commit')
      FROM pg_roles WHERE rolname = current_user
      """
    let answer = try db.first(query) { row in
      (
        role: try row.value(0) as String, sees: try row.value(1) as Bool,
        encoding: try row.value(2) as String, commit: try row.value(3) as String
      )
    }
    guard let (role, sees, encoding, commit) = answer else {
      throw LedgerFault.failed("the server does not know the role")
    }
    guard !sees else {
      throw StoreError(
        code: .noAccess, path: address.description,
        message:
          "the role '\(role)' bypasses row-level security, which keeps the tenants apart; use "
          + "one without SUPERUSER and BYPASSRLS")
    }
    guard encoding == "UTF8" else {
      throw LedgerFault.failed("the database has the encoding \(encoding) instead of UTF8")
    }
    // A transaction is durable when it returns.
    if commit == "off" { try db.run("SET synchronous_commit = on") }
  }
}

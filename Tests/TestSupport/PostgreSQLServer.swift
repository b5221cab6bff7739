// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A real PostgreSQL server in a temporary folder, which the tests of a process share.
///
/// `.ci/setup` installs it. It listens on a socket in its folder and on a port of loopback, asks
/// for no password, and does not wait for the disk. It ends with the process, even if that is
/// killed.
package final class PostgreSQLServer: Sendable {
  /// The reason why the server could not be started, or does not do what a test waits for.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The server of this process, or why there is none.
  private static let started = Result { try PostgreSQLServer() }
  private static let databases = Atomic(0)

  /// The server, which is started for the first test that needs it.
  package static func shared() throws -> PostgreSQLServer { try started.get() }

  /// The role with all rights.
  package static let owner = "owner"
  /// A role that owns the databases, and is held to row-level security.
  package static let user = "epact"

  /// The folder of the socket.
  package let folder: String
  package let port: Int
  private let programs: String
  private let running: Mutex<(process: TestProgram.Started, lifeline: CInt)>

  private init() throws {
    let versions =
      (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    guard let version = versions.compactMap({ Int($0) }).max() else {
      throw Failure(description: "PostgreSQL is missing: run .ci/setup")
    }
    programs = "/usr/lib/postgresql/\(version)/bin"
    Self.removeLeftovers()
    folder = "\(Self.prefix)\(getpid())"
    port = try ServerProcess.freePort()
    try Self.makeFolder(folder)
    var maker = TestProgram(
      Self.asOther + [
        "\(programs)/initdb", "--pgdata", folder + "/data", "--username", Self.owner, "--auth",
        "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync",
      ])
    maker.output = .null
    guard try maker.run() == 0 else { throw Failure(description: "initdb failed") }
    let options = [
      "fsync=off", "full_page_writes=off", "unix_socket_directories=\(folder)",
      "listen_addresses=127.0.0.1", "port=\(port)", "max_connections=200", "log_statement=none",
      "deadlock_timeout=200ms",
    ].flatMap { ["-c", $0] }
    // A server that is killed leaves shared memory behind.
    let ending = """
      kill -QUIT $!; for n in $(seq 50); do kill -0 $! 2>/dev/null || break; sleep 0.1; done
      kill -KILL $! 2>/dev/null; wait; rm -rf '\(folder)'
      """
    running = Mutex(
      try ServerProcess.spawn(
        Self.asOther + ["\(programs)/postgres", "-D", folder + "/data"] + options,
        log: folder + "/log", ending: ending))
    for _ in 0..<200 {
      if (try? execute("SELECT 1", in: "postgres")) != nil { break }
      usleep(50_000)
    }
    try execute("CREATE ROLE \(Self.user) LOGIN", in: "postgres")
  }

  /// The words before a command that has to run for another user than root, as the server has to.
  private static var asOther: [String] {
    getuid() == 0 ? ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] : []
  }

  private static func makeFolder(_ folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    guard getuid() == 0 else { return }
    guard let nobody = unsafe getpwnam("nobody") else {
      throw Failure(description: "there is no user nobody")
    }
    guard unsafe chown(folder, nobody.pointee.pw_uid, nobody.pointee.pw_gid) == 0 else {
      throw Failure(description: "the folder cannot be given to nobody")
    }
  }

  /// The parent of the folders, in memory if possible: each database is hundreds of files.
  ///
  /// Another user than root cannot enter the folder for temporary files of a user.
  private static let parent =
    unsafe access("/dev/shm", R_OK | W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp"
  private static let prefix = "\(parent)/epact-postgresql-"

  /// Removes the folders of servers whose processes have ended.
  private static func removeLeftovers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where "\(parent)/\(name)".hasPrefix(prefix) {
      let number = "\(parent)/\(name)".dropFirst(prefix.count)
      guard let process = pid_t(number), process == getpid() || kill(process, 0) != 0 else {
        continue
      }
      try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
    }
  }

  // MARK: Databases

  /// Creates an empty database and returns its name.
  package func makeDatabase() throws -> String {
    let name = "d\(Self.databases.wrappingAdd(1, ordering: .relaxed).newValue)"
    try execute("CREATE DATABASE \(name) OWNER \(Self.user)", in: "postgres")
    return name
  }

  /// The address of a database by the socket, for a role.
  package func address(of database: String, as user: String = user) -> String {
    "postgresql://\(user)@/\(database)?host=\(folder)&port=\(port)"
  }

  /// Executes statements as the role with all rights, and returns the rows as lines.
  @discardableResult
  package func execute(_ sql: String, in database: String, as user: String = owner) throws -> String
  {
    let bytes = try program(sql, in: database, as: user).outputBytes()
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Begins to execute statements in one transaction as the role with all rights, over a connection
  /// beside those of the test.
  package func start(_ sql: String, in database: String) throws -> TestProgram.Started {
    var program = program(sql, in: database, as: Self.owner)
    program.output = .null
    return try program.start()
  }

  /// Asks until a query has an answer, at most two hundred times.
  package func wait(for answer: String, to query: String, in database: String) throws {
    for _ in 0..<200 {
      if try execute(query, in: database) == answer { return }
      usleep(20_000)
    }
    throw Failure(description: "the database never answers \(answer) to \(query)")
  }

  /// Kills the connections of a role to a database.
  package func killConnections(to database: String, of user: String = user) throws {
    try execute(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = '\(database)' AND usename = '\(user)' AND pid <> pg_backend_pid()
      """, in: database)
  }

  private func program(_ sql: String, in database: String, as user: String) -> TestProgram {
    var program = TestProgram([
      "\(programs)/psql", "-h", folder, "-p", "\(port)", "-U", user, "-d", database, "-X", "-q",
      "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql,
    ])
    program.errors = .null
    return program
  }

  // MARK: Encryption

  /// Gives the server a certificate for the name `localhost`, so that it encrypts for those who
  /// ask.
  ///
  /// - Returns: The file with the certificate of the authority that vouches for it.
  package func encrypt() throws -> String {
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    let authority = ["-keyout", "\(folder)/ca.key", "-out", "\(folder)/ca.pem"]
    let own = ["-keyout", "\(folder)/server.key", "-out", "\(folder)/server.pem"]
    for words in [
      authority + ["-subj", "/CN=Authority of the tests"],
      own + [
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-addext",
        "basicConstraints=critical,CA:FALSE", "-CA", "\(folder)/ca.pem", "-CAkey",
        "\(folder)/ca.key",
      ],
    ] {
      var maker = TestProgram(Self.asOther + ["openssl", "req", "-x509"] + key + words)
      (maker.output, maker.errors) = (.null, .null)
      guard try maker.run() == 0 else { throw Failure(description: "openssl failed") }
    }
    for (name, value) in [
      ("ssl_cert_file", "\(folder)/server.pem"), ("ssl_key_file", "\(folder)/server.key"),
      ("ssl", "on"),
    ] { try execute("ALTER SYSTEM SET \(name) = '\(value)'", in: "postgres") }
    try execute("SELECT pg_reload_conf()", in: "postgres")
    try wait(for: "on", to: "SHOW ssl", in: "postgres")
    return "\(folder)/ca.pem"
  }
}

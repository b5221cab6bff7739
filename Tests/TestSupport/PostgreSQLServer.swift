// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A real PostgreSQL server in a temporary folder, which the tests of a process share.
///
/// `.ci/setup` installs it. It listens on a socket in its folder and on a port of loopback, asks for no
/// password, and does not wait for the disk. It ends with the process, even if that is killed.
package final class PostgreSQLServer: Sendable {
  /// The reason why the server could not be started.
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
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    port = try ServerProcess.freePort()
    // The server refuses to run for root.
    let asOther =
      getuid() == 0 ? ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] : []
    if getuid() == 0 {
      guard let nobody = unsafe getpwnam("nobody") else {
        throw Failure(description: "there is no user nobody")
      }
      guard unsafe chown(folder, nobody.pointee.pw_uid, nobody.pointee.pw_gid) == 0 else {
        throw Failure(description: "the folder cannot be given to nobody")
      }
    }
    var maker = TestProgram(
      asOther + [
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
    running = Mutex(
      try ServerProcess.spawn(
        asOther + ["\(programs)/postgres", "-D", folder + "/data"] + options,
        log: folder + ".log"))
    for _ in 0..<200 {
      if (try? execute("SELECT 1", in: "postgres")) != nil { break }
      usleep(50_000)
    }
    try execute("CREATE ROLE \(Self.user) LOGIN", in: "postgres")
  }

  /// The server may run for another user, who cannot enter the folder for temporary files of a user.
  private static let prefix = "/tmp/epact-postgresql-"

  /// Removes the folders of servers whose processes have ended.
  private static func removeLeftovers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
    for name in names where "/tmp/\(name)".hasPrefix(prefix) {
      let number = "/tmp/\(name)".dropFirst(prefix.count).prefix { $0.isNumber }
      guard let process = pid_t(number), process == getpid() || kill(process, 0) != 0 else {
        continue
      }
      try? FileManager.default.removeItem(atPath: "/tmp/\(name)")
    }
  }

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
    var program = TestProgram([
      "\(programs)/psql", "-h", folder, "-p", "\(port)", "-U", user, "-d", database, "-X", "-q",
      "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql,
    ])
    program.errors = .null
    return String(decoding: try program.outputBytes(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A real CalDAV server, started for a test and ended with it.
///
/// The servers are Python programs in `.build/servers`, which `.ci/setup` makes. A test that needs
/// one fails without it: a test that skips itself proves nothing.
package final class ServerProcess: Sendable {
  /// Which server.
  package enum Kind: String, CaseIterable, Sendable {
    case radicale
    case xandikos

    /// The path of the calendar that the server starts with; it is empty.
    package var calendarPath: String {
      self == .radicale ? "/alice/cal/" : "/alice/calendars/cal/"
    }
  }

  /// Why a server could not be started.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The user of both servers; Xandikos asks nobody for a password.
  package static let user = "alice"
  /// Another user of Radicale, with the same password and without calendars.
  package static let otherUser = "bob"
  package static let password = "s3cret"

  /// The certificate of a server that speaks TLS, which no authority vouches for.
  package static var certificate: String {
    repository + "/Fixtures/caldav/localhost-certificate.pem"
  }

  /// The private key of the certificate.
  package static var key: String { repository + "/Fixtures/caldav/localhost-key.pem" }

  package let kind: Kind
  package let port: Int
  private let folder: String
  private let command: [String]
  /// The process, and its life line: a shell beside it waits for the other end to be closed, which
  /// happens even if this process is killed.
  private let running: Mutex<(process: TestProgram.Started, lifeline: CInt)>

  /// The scheme and host of the server's address.
  private let origin: String

  /// Starts a server on a free port with an empty calendar, and waits until it answers.
  ///
  /// With `isSecure` it speaks TLS, which only Radicale can do by itself, and with `asksWho` it does so
  /// with nobody who does not show its own certificate.
  package init(_ kind: Kind, isSecure: Bool = false, asksWho: Bool = false) async throws {
    self.kind = kind
    let program = Self.repository + "/.build/servers/bin/\(kind.rawValue)"
    guard unsafe access(program, X_OK) == 0 else {
      throw Failure(description: "\(program) is missing: run .ci/setup")
    }
    folder = try Self.makeFolder()
    port = try Self.freePort()
    origin = isSecure ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)"
    let arguments =
      switch kind {
      case .radicale:
        try Self.prepareRadicale(in: folder, port: port, isSecure: isSecure, asksWho: asksWho)
      case .xandikos: try Self.prepareXandikos(program, in: folder, port: port)
      }
    command = [program] + arguments
    running = Mutex(try Self.spawn(command, log: folder + "/log"))
    try await waitUntilItAnswers()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The address of the server.
  package var root: String { "\(origin)/" }

  /// The address of the calendar.
  package var calendar: String { "\(origin)\(kind.calendarPath)" }

  /// What the server has written to its log.
  package var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

  /// Ends the server and waits for its end.
  private func stop() {
    running.withLock { running in
      close(running.lifeline)
      running.process.wait()
    }
  }

  /// Ends the server, copies what it stores, and starts it again.
  package func backUp() async throws {
    try await restart {
      try? FileManager.default.removeItem(atPath: folder + "/backup")
      try FileManager.default.copyItem(atPath: folder + "/data", toPath: folder + "/backup")
    }
  }

  /// Ends the server, puts the copy of what it stored back, and starts it again.
  package func restore() async throws {
    try await restart {
      try FileManager.default.removeItem(atPath: folder + "/data")
      try FileManager.default.copyItem(atPath: folder + "/backup", toPath: folder + "/data")
    }
  }

  private func restart(after change: () throws -> Void) async throws {
    stop()
    let result = Result { try change() }
    let started = try Self.spawn(command, log: folder + "/log")
    running.withLock { $0 = started }
    try result.get()
    try await waitUntilItAnswers()
  }

  private static var repository: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
  }

  static func makeFolder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "epact-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.path
  }

  /// The ports that were tried so far; where a run begins depends on its process.
  private static let tried = Atomic(Int(getpid()))

  /// A port that nobody listens on, and that no other server of these tests gets before this one has it.
  ///
  /// It lies below those that the system gives to whoever asks for any, and each is tried once.
  package static func freePort() throws -> Int {
    for _ in 0..<100 {
      let number = tried.wrappingAdd(1, ordering: .relaxed).newValue
      guard let probe = try? LoopbackServer(port: 20_000 + number % 12_000, script: { _ in [] })
      else { continue }
      probe.stop()
      return probe.port
    }
    throw Failure(description: "no port is free")
  }

  private static func prepareRadicale(
    in folder: String, port: Int, isSecure: Bool, asksWho: Bool
  ) throws -> [String] {
    let collection = folder + "/data/collection-root/alice/cal"
    try FileManager.default.createDirectory(
      atPath: collection, withIntermediateDirectories: true)
    let properties = """
      {"tag":"VCALENDAR","D:displayname":"Private",\
      "C:supported-calendar-component-set":"VEVENT,VTODO,VJOURNAL"}
      """
    let configuration = """
      [server]
      hosts = 127.0.0.1:\(port)
      ssl = \(isSecure ? "True" : "False")
      certificate = \(certificate)
      key = \(key)
      certificate_authority = \(asksWho ? certificate : "")
      [auth]
      type = htpasswd
      htpasswd_filename = \(folder)/users
      htpasswd_encryption = plain
      delay = 0
      [rights]
      type = owner_only
      [storage]
      filesystem_folder = \(folder)/data
      [web]
      type = none
      [logging]
      level = info
      """
    for (path, text) in [
      (collection + "/.Radicale.props", properties),
      (folder + "/users", "\(user):\(password)\n\(otherUser):\(password)\n"),
      (folder + "/config", configuration),
    ] {
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
    return ["--config", folder + "/config"]
  }

  private static func prepareXandikos(
    _ program: String, in folder: String, port: Int
  ) throws -> [String] {
    for path in ["/data/alice/calendars", "/state"] {
      try FileManager.default.createDirectory(
        atPath: folder + path, withIntermediateDirectories: true)
    }
    let (maker, lifeline) = try spawn(
      [
        program, "create-collection", "-d", folder + "/data", "--type", "calendar", "--name",
        "alice/calendars/cal",
      ], log: folder + "/log", endsByItself: true)
    maker.wait()
    close(lifeline)
    return [
      "serve", "-d", folder + "/data", "--state-dir", folder + "/state", "--current-user-principal",
      "/alice/", "--defaults", "-l", "127.0.0.1", "-p", String(port), "--no-detect-systemd",
    ]
  }

  /// Starts a program under a shell that ends it, by the commands `ending`, once the life line is
  /// cut.
  static func spawn(
    _ command: [String], log: String, endsByItself: Bool = false,
    ending: String = "kill -KILL $! 2>/dev/null; wait"
  ) throws -> (process: TestProgram.Started, lifeline: CInt) {
    let (own, other) = try TestProgram.makeSocketPair()
    defer { close(other) }
    let script = endsByItself ? #"exec "$@""# : #""$@" </dev/null & read _; "# + ending
    let file = unsafe open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(file) }
    var program = TestProgram(["/bin/sh", "-c", script, "sh"] + command)
    (program.input, program.output, program.errors) = (.file(other), .file(file), .file(file))
    do {
      return (try program.start(), own)
    } catch {
      close(own)
      throw error
    }
  }

  /// How often a server is asked whether it has started, every 50 milliseconds: for two minutes, because
  /// the machine may have much else to do.
  static let patience = 2_400

  private func waitUntilItAnswers() async throws {
    for _ in 0..<Self.patience {
      if Self.answers(port) { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw Failure(description: "\(kind.rawValue) does not answer on port \(port):\n\(log)")
  }

  static func answers(_ port: Int) -> Bool {
    let probe = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    defer { close(probe) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

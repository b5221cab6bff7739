// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarStore
import Glibc

/// The files of the user's systemd units, in `~/.config/systemd/user`.
struct SystemdUnits: Sendable {
  /// The first line of the files written by this program.
  static let mark = "# Written by epact schedule; what is changed here is overwritten."
  private static let sizeLimit = 1 << 16
  /// The time limit of `systemctl`, in seconds.
  private static let timeLimit = 30.0

  private let machine: Machine
  /// The action on a machine without systemd.
  private let remedy: EpactError.Remedy

  init(machine: Machine, remedy: EpactError.Remedy) {
    self.machine = machine
    self.remedy = remedy
  }

  /// The path of a unit.
  func path(of unit: String) -> String { "\(machine.configurationFolder)/systemd/user/\(unit)" }

  /// Writes units; files with the same contents are not rewritten.
  ///
  /// - Returns: Whether a file has changed.
  /// - Throws: `EpactError` if a file is not from this program.
  func write(_ units: [(path: String, text: String)]) throws -> Bool {
    var hasChanged = false
    for (path, text) in units {
      let present = try read(path)
      if present == text { continue }
      try checkOwn(present, path)
      try PrivateFolder.make(CalendarLocation(path: path).folder)
      try AtomicFile.write(Array(text.utf8), to: path, permissions: .shared)
      hasChanged = true
    }
    return hasChanged
  }

  /// Stops units and removes their files.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `EpactError` if a file is not from this program.
  func remove(_ units: [String], stopping stopped: [String]) throws -> Bool {
    var isThere = false
    for unit in units {
      guard let text = try read(path(of: unit)) else { continue }
      try checkOwn(text, path(of: unit))
      isThere = true
    }
    guard isThere else { return false }
    // The files are removed even if the unit is already stopped or systemd is no longer installed.
    _ = try? systemctl(["disable", "--now"] + stopped)
    for unit in units where unsafe unlink(path(of: unit)) != 0 && errno != ENOENT {
      throw EpactError(.failed, "cannot remove \(path(of: unit)): \(SystemError())")
    }
    return true
  }

  /// The text of a unit; nil if there is none.
  ///
  /// - Throws: `EpactError` if it cannot be read.
  func text(of unit: String) throws -> String? { try read(path(of: unit)) }

  private func read(_ path: String) throws -> String? {
    var file: InputStream
    do {
      file = try InputStream(path: path)
    } catch  where [ENOENT, ENOTDIR].contains(error.code) {
      return nil
    } catch {
      throw EpactError(.failed, "cannot read \(path): \(error)")
    }
    guard let bytes = try file.readAll(limit: Self.sizeLimit) else {
      throw EpactError(.failed, "\(path) is too large for a unit of systemd")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func checkOwn(_ text: String?, _ path: String) throws(EpactError) {
    guard let text, !text.hasPrefix(Self.mark) else { return }
    throw EpactError(
      .failed, "\(path) was not written by epact, and is not changed",
      subject: path,
      remedy: .other("If it is not needed any more, remove it first."))
  }

  // MARK: systemd

  func systemctl(_ words: [String]) throws {
    do {
      _ = try process(["systemctl", "--user"] + words).output()
    } catch let error as Subprocess.Failure {
      let command = "systemctl --user \(words.joined(separator: " "))"
      throw EpactError(
        .unavailable, "the files are written, but \(command) \(error.reason)",
        remedy: remedy)
    }
  }

  /// Whether systemd runs a unit; nil if that is not known.
  func isActive(_ unit: String) -> Bool? { try? answer(["is-active", unit]) == "active" }

  private func answer(_ words: [String]) throws -> String {
    do {
      return Self.line(try process(["systemctl", "--user"] + words).output())
    } catch Subprocess.Failure.exited {
      return ""
    }
  }

  /// Whether systemd runs the user's services without a login session; nil if unknown.
  var linger: Bool? {
    let words = ["loginctl", "show-user", machine.userName(), "-p", "Linger", "--value"]
    guard let bytes = try? process(words).output() else { return nil }
    return Self.line(bytes) == "yes"
  }

  private func process(_ words: [String]) -> Subprocess {
    // The program is looked for in the same PATH that it gets.
    let program = words.first.map { machine.executable($0) ?? $0 }
    return Subprocess(
      words: [program].compactMap(\.self) + words.dropFirst(), environment: machine.environment,
      timeLimit: Self.timeLimit,
      outputLimit: Self.sizeLimit, stopwatch: machine.stopwatch)
  }

  private static func line(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  /// The command of a service, in the folders of this user.
  func command(_ words: [String]) -> String {
    machine.keepingFolders(words).map(Self.word).joined(separator: " ")
  }

  /// A word of a command in systemd syntax, quoted and with specifiers and variables escaped.
  static func word(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\\(scalar)"
      case "%": result += "%%"
      case "$": result += "$$"
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    let isPlain =
      result == text && !text.isEmpty
      && !text.contains { $0.isWhitespace || $0 == "'" || $0 == ";" }
    return isPlain ? text : "\"\(result)\""
  }

  // MARK: Restrictions

  /// Restrictions that the systemd of a user can enforce without a namespace of its own
  /// (systemd.exec(5)).
  static let commonRestrictions = """
    NoNewPrivileges=yes
    LockPersonality=yes
    RestrictNamespaces=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallErrorNumber=EPERM
    """

  /// The restrictions of a service that reads and writes calendars, and reaches servers.
  ///
  /// It starts the programs that remotes get their passwords from, and the commands of the user, so
  /// that it is not cut off from files and from generated code.
  static let restrictions = """
    \(commonRestrictions)
    RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
    """
}

// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarLanguage
import Glibc

/// Locates the configuration and the state of the user, and reads the configuration.
public struct ConfigurationFile: Sendable {
  /// The maximum size of a configuration, in bytes.
  private static let sizeLimit = 1 << 20

  /// The absolute path of the configuration.
  public let path: String
  /// Whether the user specified the path, so that a missing file is an error.
  public let isExplicit: Bool
  /// The place of a hosted account; nil for a file.
  let hosted: HostedPlace?
  private let machine: Machine

  /// Locates the configuration.
  ///
  /// - Parameters:
  ///   - path: The path given by the user; if nil, `$XDG_CONFIG_HOME/epact/config.toml`, else
  ///     `~/.config/epact/config.toml`.
  ///   - machine: The machine with the folders.
  public init(_ path: String? = nil, machine: Machine) {
    var machine = machine
    if let path { machine.ledger = .configured(machine.paths.absolute(path)) }
    self.machine = machine
    isExplicit = machine.chosenConfiguration != nil
    if case .hosted(let place) = machine.ledger {
      hosted = place
      self.path = place.path
    } else {
      hosted = nil
      self.path = machine.chosenConfiguration ?? machine.configurationFolder + "/epact/config.toml"
    }
  }

  /// Expects that the configuration is a file, which can be edited.
  ///
  /// - Throws: `EpactError` for that of a hosted account.
  func expectFile() throws(EpactError) {
    guard let hosted else { return }
    throw EpactError(
      .configuration,
      "the configuration of the account \(hosted.name) is in the ledger of its host, and is changed by "
        + "importing it again", subject: hosted.name)
  }

  /// The text of a configuration, and what decides on its use.
  struct Contents {
    let text: String
    /// Whether only the owner can read the file.
    let isPrivate: Bool
    /// The resolver for paths in the file.
    let paths: PathResolver
    /// Expects that other users cannot change the file, which names programs to run.
    let expectTrust: () throws -> Void
  }

  /// The contents of the file; nil if it is missing and the user did not choose it.
  ///
  /// - Throws: `EpactError` if the file cannot be read.
  func contents() throws -> Contents? {
    if let hosted {
      // A password in it is refused, with a better reason than that others can read it.
      return Contents(
        text: hosted.configuration, isPrivate: true,
        paths: PathResolver(home: machine.homeFolder, base: machine.homeFolder), expectTrust: {})
    }
    var file: InputStream
    do {
      file = try InputStream(path: path)
    } catch  where error.code == ENOENT && !isExplicit {
      return nil
    } catch {
      throw EpactError(.configuration, "cannot read the configuration \(path): \(error)")
    }
    let facts = try file.facts()
    guard !facts.isFolder else { throw EpactError(.configuration, "\(path) is a folder") }
    guard let bytes = try file.readAll(limit: Self.sizeLimit) else {
      throw EpactError(.configuration, "the configuration \(path) is larger than 1 MiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw EpactError(.configuration, "the configuration \(path) is not UTF-8")
    }
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    return Contents(
      text: text, isPrivate: !facts.isOpenToOthers && facts.owner == machine.userID,
      paths: PathResolver(home: machine.homeFolder, base: String(folder))
    ) { [machine, path] in
      try FileTrust(machine).expect(path, "configuration", opened: facts)
    }
  }

  /// Reads the configuration; a missing file is empty unless the user specified the path.
  ///
  /// The calendars of accounts that the ledger knows are added.
  ///
  /// - Throws: `EpactError` if the file cannot be read or trusted; `ConfigurationError`; `StoreError` if
  ///   the ledger is in a database that cannot be read.
  public func load() throws -> Configuration { try load(finding: true) }

  /// Reads the configuration, with the calendars of accounts that the ledger knows or without them.
  func load(finding isFinding: Bool) throws -> Configuration {
    guard let contents = try contents() else { return Configuration() }
    try contents.expectTrust()
    var configuration = try Configuration(
      parsing: contents.text, path: path, paths: contents.paths, isPrivate: contents.isPrivate
    ) { [machine] in
      // Without a time zone or ICU's data, no query can be read, and the command that needs one reports it.
      (try? machine.viewerZone()).flatMap { try? DatePhrases(machine: machine, zone: $0) }
    }
    configuration.chosenPath = machine.chosenConfiguration
    if let hosted { try configuration.confine(to: hosted, home: machine.homeFolder) }
    if isFinding {
      try configuration.expand(from: LedgerFolder(machine: machine, isReadOnly: true), machine)
    }
    return configuration
  }
}

/// All errors in a configuration, with their lines.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An error in the configuration.
  public struct Problem: Sendable, Hashable {
    /// The line, from 1; nil if the error concerns the whole file.
    public let line: Int?
    /// The message in lower case, without a full stop.
    public let message: String

    /// Creates a problem.
    public init(line: Int?, _ message: String) {
      self.line = line
      self.message = message
    }
  }

  /// The path of the configuration.
  public let path: String
  /// The errors, sorted by line; never empty.
  public let problems: [Problem]

  /// Creates an error.
  public init(path: String, problems: [Problem]) {
    self.path = path
    self.problems = problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// The errors in one string.
  public var description: String { lines.joined(separator: "; ") }

  /// The maximum number of errors that are described.
  private static let lineLimit = 100

  /// The errors with their positions, such as `config.toml:12: unknown key "colection"`.
  ///
  /// Of more than 100 errors, the last line has the number of the others.
  public var lines: [String] {
    let lines = problems.prefix(Self.lineLimit).map { problem in
      let place = problem.line.map { "\(path):\($0)" } ?? path
      return "\(place): \(problem.message)"
    }
    let rest = problems.count - lines.count
    return rest > 0 ? lines + ["\(path): \(rest) more errors"] : lines
  }
}

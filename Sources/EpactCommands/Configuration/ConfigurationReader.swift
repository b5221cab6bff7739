// SPDX-License-Identifier: Apache-2.0

import Epact
import TOMLKit

/// Converts a TOML document to a `Configuration`, and reports all errors.
///
/// Keys and types are checked here instead of in a decoder, because error messages need the line,
/// the key and a suggestion, and all errors are reported at once.
struct ConfigurationReader {
  /// A table of the document with its path.
  struct Table {
    let path: [String]
    let members: [String: TOMLNode]
    /// The name of the table in messages, such as `[remote.work]`.
    let title: String
  }

  let lines: TOMLLines
  let paths: PathResolver
  let isPrivate: Bool
  var problems: [ConfigurationError.Problem] = []

  /// Parses a configuration, or throws all errors in it.
  static func read(
    _ text: String, path: String, paths: PathResolver, isPrivate: Bool
  ) throws(ConfigurationError) -> Configuration {
    var (reader, document) = try reading(text, path: path, paths: paths, isPrivate: isPrivate)
    let configuration = reader.configuration(from: document)
    guard reader.problems.isEmpty else {
      throw ConfigurationError(path: path, problems: reader.problems)
    }
    return configuration
  }

  /// Parses a document, and returns it with its reader.
  static func reading(
    _ text: String, path: String, paths: PathResolver, isPrivate: Bool
  ) throws(ConfigurationError) -> (ConfigurationReader, [String: TOMLNode]) {
    do {
      let document = try TOMLNode.parse(text)
      let lines = TOMLLines(text)
      return (ConfigurationReader(lines: lines, paths: paths, isPrivate: isPrivate), document)
    } catch let error as TOMLParseError {
      let problem = ConfigurationError.Problem(
        line: error.source.begin.line, Self.firstLine(of: error.description))
      throw ConfigurationError(path: path, problems: [problem])
    } catch {
      throw ConfigurationError(path: path, problems: [.init(line: nil, "\(error)")])
    }
  }

  private init(lines: TOMLLines, paths: PathResolver, isPrivate: Bool) {
    self.lines = lines
    self.paths = paths
    self.isPrivate = isPrivate
  }

  private static func firstLine(of text: String) -> String {
    String(text.prefix { $0 != "\n" })
  }

  // MARK: Tables

  private mutating func configuration(from document: [String: TOMLNode]) -> Configuration {
    let root = Table(path: [], members: document, title: "the configuration")
    checkKeys(
      of: root, known: ["calendar", "remote", "sync", "history-days", "on-failure", "metrics"])
    var result = Configuration()
    if let days = count("history-days", of: "days", in: root) { result.historyDays = days }
    result.onFailure = words("on-failure", in: root)
    result.metrics = metrics(in: root)
    for table in namedTables("calendar", in: root) {
      guard let calendar = calendar(from: table) else { continue }
      result.calendars[calendar.name] = calendar
    }
    for table in namedTables("remote", in: root) {
      guard let remote = remote(from: table) else { continue }
      result.remotes[remote.name] = remote
    }
    let calendars = names(of: "calendar", in: document)
    let remotes = names(of: "remote", in: document)
    for table in arrayTables("sync", in: root) {
      guard let sync = sync(from: table, calendars: calendars, remotes: remotes) else { continue }
      if result.syncs.contains(where: { $0.name == sync.name }) {
        complain(table.path + ["name"], "there are two syncs with the name \"\(sync.name)\"")
      }
      result.syncs.append(sync)
    }
    return result
  }

  /// The node exporter reads only files with this extension.
  private mutating func metrics(in root: Table) -> String? {
    guard let path = string("metrics", in: root).map(paths.absolute) else { return nil }
    guard path.hasSuffix(".prom") else {
      complain(["metrics"], "expected \"metrics\" to be a file that ends in .prom")
      return nil
    }
    return path
  }

  private mutating func calendar(from table: Table) -> CalendarSettings? {
    checkKeys(of: table, known: ["path"])
    guard let path = requiredString("path", in: table) else { return nil }
    return CalendarSettings(name: table.path[1], path: paths.absolute(path))
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import TOMLKit

/// Turns a TOML document into a `Configuration`, and names everything that is wrong with it.
///
/// The names and types of the keys are checked here and not by a decoder, because a person needs the
/// line, the key and a way out, and all mistakes at once.
struct ConfigurationReader {
  /// A table of the document, and where it is.
  private struct Table {
    let path: [String]
    let members: [String: TOMLNode]
    /// How the table is called in messages, as `[remote.work]`.
    let title: String
  }

  private let lines: TOMLLines
  private let paths: PathResolver
  private let isPrivate: Bool
  private var problems: [ConfigurationError.Problem] = []

  /// Reads a document, or throws all that is wrong with it at once.
  static func read(
    _ text: String, path: String, paths: PathResolver, isPrivate: Bool
  ) throws(ConfigurationError) -> Configuration {
    let document: [String: TOMLNode]
    do {
      document = try TOMLNode.parse(text)
    } catch let error as TOMLParseError {
      let problem = ConfigurationError.Problem(
        line: error.source.begin.line, Self.firstLine(of: error.description))
      throw ConfigurationError(path: path, problems: [problem])
    } catch {
      throw ConfigurationError(path: path, problems: [.init(line: nil, "\(error)")])
    }
    var reader = ConfigurationReader(
      lines: TOMLLines(text), paths: paths, isPrivate: isPrivate)
    let configuration = reader.configuration(from: document)
    guard reader.problems.isEmpty else {
      throw ConfigurationError(path: path, problems: reader.problems)
    }
    return configuration
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
    checkKeys(of: root, known: ["calendar", "remote", "sync"])
    var result = Configuration()
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
    for table in syncTables(in: root) {
      guard let sync = sync(from: table, calendars: calendars, remotes: remotes) else { continue }
      if result.syncs.contains(where: { $0.name == sync.name }) {
        complain(table.path + ["name"], "there are two syncs with the name \"\(sync.name)\"")
      }
      result.syncs.append(sync)
    }
    return result
  }

  private mutating func calendar(from table: Table) -> CalendarSettings? {
    checkKeys(of: table, known: ["path"])
    guard let path = requiredString("path", in: table) else { return nil }
    return CalendarSettings(name: table.path[1], path: paths.absolute(path))
  }

  private mutating func remote(from table: Table) -> RemoteSettings? {
    guard let kind = requiredString("kind", in: table) else { return nil }
    let name = table.path[1]
    switch kind {
    case "caldav":
      checkKeys(
        of: table,
        known: [
          "kind", "url", "collection", "username", "password-command", "password-file", "password",
          "ca-file",
        ])
      return calDAV(from: table).map { RemoteSettings(name: name, kind: .calDAV($0)) }
    case "folder":
      checkKeys(of: table, known: ["kind", "path"])
      return folderPath(in: table).map {
        RemoteSettings(name: name, kind: .folder(path: $0))
      }
    default:
      complain(
        table.path + ["kind"], "expected kind = \"caldav\" or \"folder\", found \"\(kind)\"")
      return nil
    }
  }

  private mutating func folderPath(in table: Table) -> String? {
    guard let path = requiredString("path", in: table) else { return nil }
    guard !path.lowercased().hasSuffix(".ics") else {
      complain(table.path + ["path"], "a remote of the kind \"folder\" cannot be an .ics file")
      return nil
    }
    return paths.absolute(path)
  }

  private mutating func calDAV(from table: Table) -> CalDAVSettings? {
    let address = address(in: table)
    let collection = string("collection", in: table)
    let username = string("username", in: table)
    let password = password(in: table)
    let caFile = string("ca-file", in: table).map(paths.absolute)
    if password != nil, username == nil {
      complain(table.path, "\(table.title) has a password but no \"username\"")
    }
    return address.map {
      CalDAVSettings(
        address: $0, collection: collection, username: username, password: password, caFile: caFile)
    }
  }

  private mutating func address(in table: Table) -> RemoteURL? {
    guard let url = requiredString("url", in: table) else { return nil }
    do {
      return try RemoteURL(parsing: url)
    } catch {
      // Only the message: the address itself may hold a password.
      complain(table.path + ["url"], "\"url\" cannot be used: \(error.message)")
      return nil
    }
  }

  private mutating func password(in table: Table) -> PasswordSource? {
    let keys = ["password-command", "password-file", "password"]
      .filter { table.members[$0] != nil }
    if keys.count > 1 {
      let both = keys.map { "\"\($0)\"" }.joined(separator: " and ")
      complain(table.path + [keys[1]], "\(table.title) has \(both); one is enough")
    }
    switch keys.first {
    case "password-command":
      return words("password-command", in: table).map(PasswordSource.command)
    case "password-file":
      return string("password-file", in: table).map { .file(paths.absolute($0)) }
    case "password":
      if !isPrivate {
        complain(
          table.path + ["password"],
          "a password may stand only in a file that nobody else can read; run chmod 600 on this "
            + "file, or use \"password-command\" or \"password-file\"")
      }
      return string("password", in: table).map { .literal(Secret($0)) }
    default: return nil
    }
  }

  private mutating func sync(
    from table: Table, calendars: [String], remotes: [String]
  ) -> SyncSettings? {
    checkKeys(
      of: table,
      known: ["name", "calendar", "remote", "max-delete", "on-conflict", "on-conflict-in"])
    let name = requiredString("name", in: table)
    let calendar = requiredString("calendar", in: table)
    let remote = requiredString("remote", in: table)
    checkReference(calendar, key: "calendar", in: table, names: calendars)
    checkReference(remote, key: "remote", in: table, names: remotes)
    let maxDelete = count("max-delete", in: table)
    let policies = policies(in: table)
    guard let name, let calendar, let remote else { return nil }
    return SyncSettings(
      name: name, calendar: calendar, remote: remote, maxDelete: maxDelete, policies: policies)
  }

  /// The policy of a sync, and those of single properties and components.
  private mutating func policies(in table: Table) -> MergePolicies {
    var policies = MergePolicies()
    if let word = string("on-conflict", in: table) {
      policies.standard = policy(word, at: table.path + ["on-conflict"]) ?? .keepBoth
    }
    guard let node = table.members["on-conflict-in"] else { return policies }
    let path = table.path + ["on-conflict-in"]
    guard case .table(let members) = node else {
      complain(path, "expected \"on-conflict-in\" to be a table, found \(node.typeName)")
      return policies
    }
    for (name, node) in members.sorted(by: { $0.key < $1.key }) {
      guard case .string(let word) = node else {
        complain(path + [name], "expected \"\(name)\" to be a string, found \(node.typeName)")
        continue
      }
      policies.named[name.uppercased()] = policy(word, at: path + [name])
    }
    return policies
  }

  private mutating func policy(_ word: String, at path: [String]) -> MergePolicy? {
    if let policy = MergePolicy(rawValue: word) { return policy }
    let words = MergePolicy.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    complain(path, "expected one of \(words), found \"\(word)\"")
    return nil
  }

  private mutating func namedTables(_ key: String, in root: Table) -> [Table] {
    guard let node = root.members[key] else { return [] }
    guard case .table(let members) = node else {
      complain([key], "expected tables like [\(key).name], found \(node.typeName)")
      return []
    }
    return members.sorted { $0.key < $1.key }.compactMap { name, node in
      guard case .table(let members) = node else {
        complain([key, name], "expected a table [\(key).\(name)], found \(node.typeName)")
        return nil
      }
      if let reason = Self.problem(ofName: name) { complain([key, name], reason) }
      return Table(path: [key, name], members: members, title: "[\(key).\(name)]")
    }
  }

  private mutating func syncTables(in root: Table) -> [Table] {
    guard let node = root.members["sync"] else { return [] }
    guard case .array(let elements) = node else {
      complain(["sync"], "expected [[sync]] tables, found \(node.typeName)")
      return []
    }
    return elements.enumerated().compactMap { index, element in
      guard case .table(let members) = element else {
        complain(["sync"], "expected [[sync]] tables, found \(element.typeName)")
        return nil
      }
      return Table(path: ["sync", String(index)], members: members, title: "[[sync]]")
    }
  }

  private func names(of key: String, in document: [String: TOMLNode]) -> [String] {
    guard case .table(let members)? = document[key] else { return [] }
    return members.keys.sorted()
  }

  /// A name must not look like a path, because a command takes either.
  private static func problem(ofName name: String) -> String? {
    guard name.isEmpty || name.contains("/") || name.hasSuffix(".ics") || name == "-" else {
      return nil
    }
    return "\"\(name)\" cannot be a name: it is empty or looks like a path"
  }

  // MARK: Keys

  private mutating func checkKeys(of table: Table, known: [String]) {
    for key in table.members.keys.sorted() where !known.contains(key) {
      let near = Suggestion.nearest(to: key, among: known)
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? " in \(table.title)"
      complain(table.path + [key], "unknown key \"\(key)\"\(hint)")
    }
  }

  private mutating func checkReference(
    _ name: String?, key: String, in table: Table, names: [String]
  ) {
    guard let name, !names.contains(name) else { return }
    let near = Suggestion.nearest(to: name, among: names)
    let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
    complain(table.path + [key], "there is no [\(key).\(name)]\(hint)")
  }

  private mutating func requiredString(_ key: String, in table: Table) -> String? {
    guard table.members[key] != nil else {
      complain(table.path, "\(table.title) has no \"\(key)\"")
      return nil
    }
    return string(key, in: table)
  }

  private mutating func string(_ key: String, in table: Table) -> String? {
    guard let node = table.members[key] else { return nil }
    guard case .string(let text) = node else {
      complain(table.path + [key], "expected \"\(key)\" to be a string, found \(node.typeName)")
      return nil
    }
    guard !text.isEmpty else {
      complain(table.path + [key], "\"\(key)\" is empty")
      return nil
    }
    return text
  }

  private mutating func words(_ key: String, in table: Table) -> [String]? {
    guard let node = table.members[key] else { return nil }
    let wanted =
      "expected \"\(key)\" to be an array of strings, as [\"pass\", \"show\", \"dav/alice\"]"
    guard case .array(let elements) = node else {
      complain(table.path + [key], "\(wanted); found \(node.typeName)")
      return nil
    }
    var words: [String] = []
    for element in elements {
      guard case .string(let word) = element else {
        complain(table.path + [key], "\(wanted); found \(element.typeName) in it")
        return nil
      }
      words.append(word)
    }
    guard words.first?.isEmpty == false else {
      complain(table.path + [key], "\"\(key)\" names no program")
      return nil
    }
    return words
  }

  private mutating func count(_ key: String, in table: Table) -> Int? {
    guard let node = table.members[key] else { return nil }
    guard case .integer(let number) = node, number >= 0 else {
      complain(table.path + [key], "expected \"\(key)\" to be a number of items, from 0")
      return nil
    }
    return number
  }

  private mutating func complain(_ path: [String], _ message: String) {
    problems.append(ConfigurationError.Problem(line: lines.line(of: path), message))
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import CalendarStore
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

    /// The table with the keys at the top of a document.
    static func root(_ document: [String: TOMLNode]) -> Table {
      Table(path: [], members: document, title: "the configuration")
    }
  }

  let lines: TOMLLines
  let paths: PathResolver
  let isPrivate: Bool
  /// Creates the parser of dates in queries, which costs time; nil if queries are not checked.
  var phrases: () -> DatePhrases? = { nil }
  var problems: [ConfigurationError.Problem] = []

  /// Parses a configuration, or throws all errors in it.
  static func read(
    _ text: String, path: String, paths: PathResolver, isPrivate: Bool,
    phrases: @escaping () -> DatePhrases?
  ) throws(ConfigurationError) -> Configuration {
    var (reader, document) = try reading(text, path: path, paths: paths, isPrivate: isPrivate)
    reader.phrases = phrases
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
    if let line = TOMLLines.lineOfDeepValue(in: text) {
      let message = "tables or arrays nested deeper than \(TOMLLines.depthLimit)"
      throw ConfigurationError(path: path, problems: [.init(line: line, message)])
    }
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
    let root = Table.root(document)
    checkKeys(
      of: root,
      known: [
        "calendar", "remote", "account", "sync", "cache", "history-days", "time-limit-minutes",
        "on-failure", "metrics", "default-calendar", "default-reminders", "on-change", "addresses",
        "sendmail-command", "mirror",
      ] + Self.ledgerKeys + Self.hostingKeys)
    var result = Configuration()
    result.ledger = ledger(in: root)
    result.hosting = hosting(in: root)
    result.historyDays = count("history-days", of: "days", in: root) ?? result.historyDays
    result.timeLimit = timeLimit(in: root)
    result.usesCache = flag("cache", in: root) ?? true
    result.onFailure = words("on-failure", in: root)
    result.onChange = words("on-change", in: root)
    result.metrics = metrics(in: root)
    result.addresses = addresses(in: root)
    result.sendmailCommand = words("sendmail-command", in: root)
    for table in namedTables("calendar", in: root) {
      guard let calendar = calendar(from: table) else { continue }
      result.calendars[calendar.name] = calendar
    }
    let calendars = names(of: "calendar", in: document)
    result.defaultCalendar = defaultCalendar(
      "default-calendar", for: .event, in: root, names: calendars, result.calendars)
    result.defaultReminders = defaultCalendar(
      "default-reminders", for: .reminder, in: root, names: calendars, result.calendars)
    for table in namedTables("remote", in: root) {
      guard let remote = remote(from: table) else { continue }
      result.remotes[remote.name] = remote
    }
    let remotes = names(of: "remote", in: document)
    for table in namedTables("account", in: root) {
      guard let account = account(from: table, remotes: remotes) else { continue }
      result.accounts[account.name] = account
    }
    readSyncs(in: root, document, into: &result)
    readMirrors(in: root, calendars: calendars, into: &result)
    return result
  }

  /// Reads the syncs of calendars and of accounts.
  private mutating func readSyncs(
    in root: Table, _ document: [String: TOMLNode], into result: inout Configuration
  ) {
    let calendars = names(of: "calendar", in: document)
    let remotes = names(of: "remote", in: document)
    let accounts = names(of: "account", in: document)
    for table in arrayTables("sync", in: root) {
      if table.members["account"] != nil {
        guard let sync = accountSync(from: table, accounts: accounts) else { continue }
        checkName(sync.name, of: table, in: result)
        checkFolder(of: sync, table, in: result)
        result.accountSyncs.append(sync)
      } else {
        guard let sync = sync(from: table, calendars: calendars, remotes: remotes) else { continue }
        checkName(sync.name, of: table, in: result)
        result.syncs.append(sync)
      }
    }
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

  /// The user's addresses: e-mail addresses or other URIs.
  private mutating func addresses(in root: Table) -> Set<CalendarAddress> {
    guard let node = root.members["addresses"] else { return [] }
    guard case .array(let elements) = node else {
      complain(
        ["addresses"], "expected \"addresses\" to be an array of strings, found \(node.typeName)")
      return []
    }
    var addresses: Set<CalendarAddress> = []
    for element in elements {
      guard case .string(let text) = element, let address = CalendarAddress(ofUser: text) else {
        let found = if case .string(let text) = element { "\"\(text)\"" } else { element.typeName }
        complain(["addresses"], "expected an e-mail address or another URI, found \(found)")
        continue
      }
      addresses.insert(address)
    }
    return addresses
  }

  private mutating func calendar(from table: Table) -> CalendarSettings? {
    checkKeys(of: table, known: ["kind", "path", "components", "read-only"])
    let kinds = kinds("components", in: table) ?? CalendarInfo.standardKinds
    let isReadOnly = flag("read-only", in: table) ?? false
    guard let path = place(ofCalendar: table) else { return nil }
    return CalendarSettings(
      name: table.path[1], path: path, kinds: kinds, isReadOnly: isReadOnly)
  }

  /// The absolute path of a calendar, or its location in the ledger.
  private mutating func place(ofCalendar table: Table) -> String? {
    guard let kind = string("kind", in: table) else {
      return requiredString("path", in: table).map(paths.absolute)
    }
    if kind != "database" {
      complain(
        table.path + ["kind"],
        "expected kind = \"database\", or \"path\" for a calendar in files, found \"\(kind)\"")
    } else if table.members["path"] != nil {
      complain(table.path + ["path"], "a calendar of the kind \"database\" has no \"path\"")
    }
    return LocalCalendars.location(inDatabase: table.path[1])
  }

  /// The name of the calendar for new items of a kind, which has to accept them.
  private mutating func defaultCalendar(
    _ key: String, for kind: ItemKind, in root: Table, names: [String],
    _ calendars: [String: CalendarSettings]
  ) -> String? {
    guard let name = string(key, in: root) else { return nil }
    // Which calendars an account has is not known yet.
    let account = name.prefix { $0 != "/" }
    if !accountSyncNames(in: root).contains(String(account)) || account == name {
      checkReference(name, key: "calendar", at: [key], names: names)
    }
    if let calendar = calendars[name], !calendar.kinds.contains(kind) {
      complain(
        [key],
        "the \"components\" of [calendar.\(name)] do not contain \"\(kind.rawValue)\"")
    }
    return name
  }
}

extension ConfigurationReader {
  mutating func namedTables(_ key: String, in root: Table) -> [Table] {
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

  mutating func arrayTables(_ key: String, in root: Table) -> [Table] {
    guard let node = root.members[key] else { return [] }
    guard case .array(let elements) = node else {
      complain([key], "expected [[\(key)]] tables, found \(node.typeName)")
      return []
    }
    return elements.enumerated().compactMap { index, element in
      guard case .table(let members) = element else {
        complain([key], "expected [[\(key)]] tables, found \(element.typeName)")
        return nil
      }
      return Table(path: [key, String(index)], members: members, title: "[[\(key)]]")
    }
  }

  func names(of key: String, in document: [String: TOMLNode]) -> [String] {
    guard case .table(let members)? = document[key] else { return [] }
    return members.keys.sorted()
  }

  /// A name must not resemble a path, because commands accept both.
  static func problem(ofName name: String) -> String? {
    guard name.isEmpty || name.contains("/") || name.hasSuffix(".ics") || name == "-" else {
      return nil
    }
    return "\"\(name)\" cannot be a name: it is empty or looks like a path"
  }
}

extension ConfigurationReader {
  mutating func checkKeys(of table: Table, known: [String]) {
    for key in table.members.keys.sorted() where !known.contains(key) {
      let near = Suggestion.nearest(to: key, among: known)
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? " in \(table.title)"
      complain(table.path + [key], "unknown key \"\(key)\"\(hint)")
    }
  }

  mutating func checkReference(
    _ name: String?, key: String, in table: Table, names: [String]
  ) {
    checkReference(name, key: key, at: table.path + [key], names: names)
  }

  mutating func checkReference(
    _ name: String?, key: String, at path: [String], names: [String]
  ) {
    guard let name, !names.contains(name) else { return }
    let near = Suggestion.nearest(to: name, among: names)
    let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
    complain(path, "there is no [\(key).\(name)]\(hint)")
  }

  mutating func requiredString(_ key: String, in table: Table) -> String? {
    guard table.members[key] != nil else {
      complain(table.path, "\(table.title) has no \"\(key)\"")
      return nil
    }
    return string(key, in: table)
  }

  mutating func string(_ key: String, in table: Table) -> String? {
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

  mutating func words(_ key: String, in table: Table) -> [String]? {
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

  private mutating func timeLimit(in root: Table) -> Duration? {
    guard let minutes = count("time-limit-minutes", of: "minutes", in: root), minutes > 0 else {
      return nil
    }
    return .seconds(60 * Int64(min(minutes, 525_600)))
  }

  private mutating func flag(_ key: String, in table: Table) -> Bool? {
    switch table.members[key] {
    case nil: return nil
    case .bool(let flag)?: return flag
    case let node?:
      complain(
        table.path + [key], "expected \"\(key)\" to be true or false, found \(node.typeName)")
      return nil
    }
  }

  mutating func count(_ key: String, of what: String = "items", in table: Table) -> Int? {
    guard let node = table.members[key] else { return nil }
    guard case .integer(let number) = node, number >= 0 else {
      complain(table.path + [key], "expected \"\(key)\" to be a number of \(what), from 0")
      return nil
    }
    return number
  }

  mutating func complain(_ path: [String], _ message: String) {
    problems.append(ConfigurationError.Problem(line: lines.line(of: path), message))
  }
}

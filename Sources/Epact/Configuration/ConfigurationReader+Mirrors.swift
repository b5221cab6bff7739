// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarSync
import ICalSyntax

/// Parsing of mirrors.
extension ConfigurationReader {
  private static let mirrorKeys = [
    "name", "from", "to", "on-edit", "max-delete", "window", "components",
  ]
  private static let projectionKeys = ["show", "title", "keep", "private", "where"]

  /// Reads the mirrors, each as a remote and a sync of its name.
  mutating func readMirrors(
    in root: Table, calendars: [String], into result: inout Configuration
  ) {
    var sources: [String: [String]] = [:]
    for table in arrayTables("mirror", in: root) {
      checkKeys(of: table, known: Self.mirrorKeys + Self.projectionKeys)
      let from = names("from", in: table)
      for name in from { checkCalendar(name, "from", in: table, root, calendars) }
      let target = requiredString("to", in: table)
      if let target { checkCalendar(target, "to", in: table, root, calendars) }
      let projection = projection(in: table)
      let settings = settings(from: table, calendar: target, remote: string("name", in: table))
      let onEdit: MirrorSettings.OnEdit? = word("on-edit", in: table)
      guard var settings, let target, !from.isEmpty else { continue }
      settings.direction = .pull
      checkName(settings.name, of: table, in: result)
      if result.remotes[settings.name] != nil {
        complain(table.path + ["name"], "there is a [remote.\(settings.name)] already")
      }
      if Self.reaches(target, from: from, sources) {
        complain(
          table.path + ["to"],
          "the calendar \"\(target)\" would be a copy of itself: the mirror takes its items from it"
        )
      }
      sources[target, default: []] += from
      var mirror = MirrorSettings(of: from, showing: projection)
      mirror.onEdit = onEdit ?? .restore
      result.remotes[settings.name] = RemoteSettings(name: settings.name, kind: .mirror(mirror))
      result.syncs.append(settings)
    }
  }

  /// Whether a calendar is among the sources of others, or of their sources.
  private static func reaches(
    _ target: String, from names: [String], _ sources: [String: [String]]
  ) -> Bool {
    var seen: Set<String> = []
    var open = names
    while let name = open.popLast() {
      if name == target { return true }
      if seen.insert(name).inserted { open += sources[name] ?? [] }
    }
    return false
  }

  /// Checks the name of a calendar; those of an account are not known yet.
  private mutating func checkCalendar(
    _ name: String, _ key: String, in table: Table, _ root: Table, _ calendars: [String]
  ) {
    let account = String(name.prefix { $0 != "/" })
    guard account == name || !accountSyncNames(in: root).contains(account) else { return }
    checkReference(name, key: "calendar", at: table.path + [key], names: calendars)
  }

  /// The names of calendars: a string, or an array of strings.
  private mutating func names(_ key: String, in table: Table) -> [String] {
    guard let node = table.members[key] else {
      complain(table.path, "\(table.title) has no \"\(key)\"")
      return []
    }
    let texts = strings(node)
    if texts?.isEmpty != false {
      complain(
        table.path + [key],
        "expected \"\(key)\" to be the names of calendars, as [\"work\", \"home\"]; found "
          + "\(node.typeName)")
    }
    return texts ?? []
  }

  func strings(_ node: TOMLNode) -> [String]? {
    if case .string(let text) = node { return [text] }
    guard case .array(let elements) = node else { return nil }
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// The shown part of the items.
  private mutating func projection(in table: Table) -> ProjectionSettings {
    var settings = ProjectionSettings()
    settings.detail = word("show", in: table) ?? settings.detail
    settings.privateItems = word("private", in: table) ?? settings.privateItems
    settings.query = string("where", in: table)
    if let template = string("title", in: table) {
      do throws(EpactError) {
        settings.title = try ProjectionTitle(template)
      } catch {
        complain(table.path + ["title"], error.message)
      }
    }
    do throws(EpactError) {
      try settings.checkTitle()
    } catch {
      complain(table.path + ["title"], error.message)
    }
    if let query = settings.query { checkQuery(query, "where", in: table) }
    guard let node = table.members["keep"] else { return settings }
    let kept = strings(node)
    do throws(EpactError) {
      try settings.keep(kept ?? [])
    } catch {
      complain(table.path + ["keep"], error.message)
    }
    if kept == nil {
      complain(
        table.path + ["keep"],
        "expected \"keep\" to be names of properties, as [\"LOCATION\"]; found \(node.typeName)")
    }
    return settings
  }

  /// Checks a query; its dates are phrases in the language of the machine.
  private mutating func checkQuery(_ query: String, _ key: String, in table: Table) {
    guard let phrases = phrases() else { return }
    do throws(QueryError) {
      _ = try ItemQuery(parsing: query, phrases: phrases)
    } catch {
      complain(table.path + [key], "\"\(key)\", column \(error.column): \(error.message)")
    }
  }

  /// One of the words of an enumeration.
  mutating func word<Value: RawRepresentable<String> & CaseIterable>(
    _ key: String, in table: Table
  ) -> Value? {
    guard let text = string(key, in: table) else { return nil }
    if let value = Value(rawValue: text) { return value }
    let words = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    complain(table.path + [key], "expected \"\(key)\" to be one of \(words), found \"\(text)\"")
    return nil
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

extension ConfigurationReader {
  /// The keys of all syncs.
  static let commonSyncKeys = [
    "name", "access", "direction", "purpose", "max-delete", "verify-days", "on-conflict",
    "on-conflict-in", "window", "components",
  ]

  mutating func sync(
    from table: Table, calendars: [String], remotes: [String]
  ) -> SyncSettings? {
    checkKeys(of: table, known: ["calendar", "remote"] + Self.commonSyncKeys)
    let calendar = requiredString("calendar", in: table)
    let remote = requiredString("remote", in: table)
    checkReference(calendar, key: "calendar", in: table, names: calendars)
    checkReference(remote, key: "remote", in: table, names: remotes)
    return settings(from: table, calendar: calendar, remote: remote)
  }

  /// The settings that all syncs have, for a calendar and a remote.
  mutating func settings(
    from table: Table, calendar: String?, remote: String?
  ) -> SyncSettings? {
    let name = requiredString("name", in: table)
    let maxDelete = deletionLimit(in: table)
    let verifyDays = count("verify-days", of: "days", in: table)
    let policies = policies(in: table)
    let filter = filter(in: table)
    let access = tier("access", in: table, from: [.writeOnly, .full])
    let direction = direction(in: table, access)
    let purpose = purpose(in: table)
    guard let name, let calendar, let remote else { return nil }
    return SyncSettings(
      name: name, calendar: calendar, remote: remote, maxDelete: maxDelete,
      verifyDays: verifyDays, policies: policies,
      filter: filter, direction: direction, access: access ?? .full, purpose: purpose)
  }

  /// The direction of a sync with an access.
  private mutating func direction(in table: Table, _ access: AccessTier?) -> SyncDirection {
    guard let word = string("direction", in: table) else { return .both }
    let path = table.path + ["direction"]
    guard let direction = SyncDirection(rawValue: word) else {
      let words = SyncDirection.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      complain(path, "expected direction to be one of \(words), found \"\(word)\"")
      return .both
    }
    if direction == .pull, access == .writeOnly {
      complain(
        path,
        "a sync with write-only access reads nothing from the remote, so that it cannot pull")
    }
    return direction
  }

  /// The maximum number of deletions: a number of items, or a share such as `"25%"`.
  private mutating func deletionLimit(in table: Table) -> DeletionLimit? {
    guard case .string(let text)? = table.members["max-delete"] else {
      return count("max-delete", in: table).map(DeletionLimit.items)
    }
    guard text.hasSuffix("%"), let percent = Int(text.dropLast()), (0...100).contains(percent)
    else {
      complain(
        table.path + ["max-delete"],
        #"expected "max-delete" to be a number of items or a share such as "25%", found "\#(text)""#
      )
      return nil
    }
    return .percent(percent)
  }

  /// The tier with a name.
  mutating func tier(_ key: String, in table: Table, from tiers: [AccessTier]) -> AccessTier? {
    guard let word = string(key, in: table) else { return nil }
    if let tier = tiers.first(where: { $0.rawValue == word }) { return tier }
    let words = tiers.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    complain(table.path + [key], "expected \(key) to be one of \(words), found \"\(word)\"")
    return nil
  }

  private mutating func purpose(in table: Table) -> Purpose? {
    guard let text = string("purpose", in: table) else { return nil }
    do throws(AccessError) {
      return try Purpose(text)
    } catch {
      complain(table.path + ["purpose"], error.words)
      return nil
    }
  }

  /// The conflict policy of a sync, and those of single properties and components.
  mutating func policies(in table: Table) -> MergePolicies {
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

  mutating func policy(_ word: String, at path: [String]) -> MergePolicy? {
    if let policy = MergePolicy(rawValue: word) { return policy }
    let words = MergePolicy.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    complain(path, "expected one of \(words), found \"\(word)\"")
    return nil
  }
}

/// Parsing of the item filter of a sync.
extension ConfigurationReader {
  /// The window and the components of a sync.
  mutating func filter(in table: Table) -> ItemFilter {
    var filter = ItemFilter()
    filter.kinds = kinds("components", in: table)
    guard let node = table.members["window"] else { return filter }
    let path = table.path + ["window"]
    guard case .table(let members) = node else {
      complain(
        path,
        #"expected "window" to be a table, as { past = "90d", future = "2y" }, found \#(node.typeName)"#
      )
      return filter
    }
    let window = Table(path: path, members: members, title: "window")
    checkKeys(of: window, known: ["past", "future"])
    filter.past = span("past", in: window)
    filter.future = span("future", in: window)
    return filter
  }

  /// A span in days, such as `"90d"`, `"12w"`, `"6m"` or `"2y"`.
  private mutating func span(_ key: String, in table: Table) -> Int? {
    guard let text = string(key, in: table) else { return nil }
    guard let span = NumberOfDays(parsing: text) else {
      complain(
        table.path + [key],
        #"expected "\#(key)" to be days, weeks, months or years, such as "90d", "12w", "6m" or "2y", found "\#(text)""#
      )
      return nil
    }
    return span.days
  }

  /// A set of item kinds, given by component names.
  mutating func kinds(_ key: String, in table: Table) -> Set<ItemKind>? {
    guard let node = table.members[key] else { return nil }
    let names = ItemKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    guard case .array(let elements) = node, !elements.isEmpty else {
      complain(
        table.path + [key], "expected \"\(key)\" to be an array of some of \(names)")
      return nil
    }
    var kinds: Set<ItemKind> = []
    for element in elements {
      guard case .string(let word) = element, let kind = ItemKind(rawValue: word.uppercased())
      else {
        let found = if case .string(let word) = element { "\"\(word)\"" } else { element.typeName }
        complain(table.path + [key], "expected one of \(names), found \(found)")
        return nil
      }
      kinds.insert(kind)
    }
    return kinds
  }
}

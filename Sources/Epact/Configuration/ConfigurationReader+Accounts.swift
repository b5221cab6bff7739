// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// Parsing of accounts and of their syncs.
///
/// ```toml
/// [account.home]
/// kind = "caldav"
/// url = "https://dav.example.org/"
/// username = "ada"
///
/// [[sync]]
/// name = "home"
/// account = "home"
/// folder = "~/calendars/home"
/// collections = "all"            # or ["work", "private"], "from here", "from there"
/// ```
extension ConfigurationReader {
  /// The settings of an account, which has the keys of a CalDAV remote except `collection`, or those of a
  /// vendor except `calendar`.
  mutating func account(from table: Table, remotes: [String]) -> RemoteSettings? {
    let name = table.path[1]
    if remotes.contains(name) {
      complain(table.path, "there are a remote and an account with the name \"\(name)\"")
    }
    // The key of other programs is accepted, too.
    let key = table.members["kind"] == nil && table.members["type"] != nil ? "type" : "kind"
    let kind = requiredString(key, in: table)
    if let kind, kind != "caldav" {
      guard key == "kind", let vendor = VendorSettings.Vendor(rawValue: kind) else {
        complain(
          table.path + [key],
          "expected an account of the \(key) \"caldav\", \"google\" or \"graph\", found \"\(kind)\""
        )
        return nil
      }
      checkKeys(of: table, known: Self.vendorAccountKeys)
      return self.vendor(vendor, from: table, isAccount: true).map {
        RemoteSettings(name: name, kind: .vendor($0))
      }
    }
    checkKeys(of: table, known: [key, "url", "invitations"] + Self.serverKeys + Self.signInKeys)
    return calDAV(from: table).map { RemoteSettings(name: name, kind: .calDAV($0)) }
  }

  /// The sync of an account.
  mutating func accountSync(from table: Table, accounts: [String]) -> AccountSyncSettings? {
    for key in ["calendar", "remote"] where table.members[key] != nil {
      complain(
        table.path + [key],
        "a sync has either \"calendar\" and \"remote\", or \"account\" and \"folder\"")
    }
    checkKeys(
      of: table,
      known: ["account", "folder", "collections", "calendar", "remote"] + Self.commonSyncKeys)
    let account = string("account", in: table)
    checkReference(account, key: "account", in: table, names: accounts)
    let folder = requiredString("folder", in: table).map(paths.absolute)
    let selection = selection(in: table)
    let name = string("name", in: table)
    let settings = settings(from: table, calendar: name, remote: account)
    if let settings, settings.access != .full {
      complain(
        table.path + ["access"],
        "the sync of an account needs full access, because it lists the calendars there")
    }
    if let name, let reason = Self.problem(ofName: name) { complain(table.path + ["name"], reason) }
    guard let settings, let folder else { return nil }
    return AccountSyncSettings(settings: settings, folder: folder, selection: selection)
  }

  private mutating func selection(in table: Table) -> CollectionSelection {
    let path = table.path + ["collections"]
    let wanted =
      "expected \"collections\" to be \"all\", \"from here\", \"from there\" or an array of names"
    switch table.members["collections"] {
    case nil, .string("all")?: return .all
    case .string("from here")?: return .fromHere
    case .string("from there")?: return .fromThere
    case .array(let elements)? where !elements.isEmpty:
      var names: Set<CollectionID> = []
      for element in elements {
        guard case .string(let text) = element, let name = CollectionID(folder: text) else {
          let found =
            if case .string(let text) = element { "\"\(text)\"" } else { element.typeName }
          complain(path, "expected the name of a calendar's folder, found \(found)")
          continue
        }
        names.insert(name)
      }
      return .named(names)
    case .string(let word)?: complain(path, "\(wanted), found \"\(word)\"")
    case .array?: complain(path, "\(wanted), found an empty array")
    case let node?: complain(path, "\(wanted), found \(node.typeName)")
    }
    return .all
  }

  /// The names of the syncs of accounts.
  func accountSyncNames(in root: Table) -> Set<String> {
    guard case .array(let elements)? = root.members["sync"] else { return [] }
    return Set(
      elements.compactMap { element in
        guard case .table(let members) = element, members["account"] != nil,
          case .string(let name)? = members["name"]
        else { return nil }
        return name
      })
  }

  /// Checks that no other sync has a name, not even that of a calendar of an account.
  mutating func checkName(_ name: String, of table: Table, in configuration: Configuration) {
    let names = configuration.syncs.map(\.name) + configuration.accountSyncs.map(\.name)
    if names.contains(name) {
      complain(table.path + ["name"], "there are two syncs with the name \"\(name)\"")
    }
    let isAccount = table.members["account"] != nil
    let accounts = configuration.accountSyncs.map(\.name)
    let clash =
      isAccount
      ? names.first { $0.hasPrefix(name + "/") } : accounts.first { name.hasPrefix($0 + "/") }
    if let clash {
      complain(
        table.path + ["name"],
        "the names \"\(name)\" and \"\(clash)\" are ambiguous: an account's calendars have such "
          + "names")
    }
  }

  /// Checks that no other account has the folder.
  mutating func checkFolder(
    of sync: AccountSyncSettings, _ table: Table, in configuration: Configuration
  ) {
    if let other = configuration.accountSyncs.first(where: { $0.folder == sync.folder }) {
      complain(
        table.path + ["folder"],
        "the sync \"\(other.name)\" has the same folder; each account needs its own")
    }
  }
}

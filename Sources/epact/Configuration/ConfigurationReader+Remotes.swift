// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes

extension ConfigurationReader {
  mutating func remote(from table: Table) -> RemoteSettings? {
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

  mutating func folderPath(in table: Table) -> String? {
    guard let path = requiredString("path", in: table) else { return nil }
    guard !path.lowercased().hasSuffix(".ics") else {
      complain(table.path + ["path"], "a remote of the kind \"folder\" cannot be an .ics file")
      return nil
    }
    return paths.absolute(path)
  }

  mutating func calDAV(from table: Table) -> CalDAVSettings? {
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

  mutating func address(in table: Table) -> RemoteURL? {
    guard let url = requiredString("url", in: table) else { return nil }
    do {
      return try RemoteURL(parsing: url)
    } catch {
      // Only the message: the address itself may hold a password.
      complain(table.path + ["url"], "\"url\" cannot be used: \(error.message)")
      return nil
    }
  }

  mutating func password(in table: Table) -> PasswordSource? {
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
}

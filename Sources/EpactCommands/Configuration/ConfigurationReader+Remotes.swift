// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Epact

extension ConfigurationReader {
  mutating func remote(from table: Table) -> RemoteSettings? {
    guard let kind = requiredString("kind", in: table) else { return nil }
    let name = table.path[1]
    switch kind {
    case "caldav":
      checkKeys(of: table, known: ["kind", "url", "collection", "invitations"] + Self.serverKeys)
      return calDAV(from: table).map { RemoteSettings(name: name, kind: .calDAV($0)) }
    case "webcal":
      checkKeys(of: table, known: ["kind", "url"] + Self.serverKeys)
      return webcal(from: table).map { RemoteSettings(name: name, kind: .webcal($0)) }
    case "folder":
      checkKeys(of: table, known: ["kind", "path"])
      return path(ofFile: false, in: table).map {
        RemoteSettings(name: name, kind: .folder(path: $0))
      }
    case "file":
      checkKeys(of: table, known: ["kind", "path"])
      return path(ofFile: true, in: table).map {
        RemoteSettings(name: name, kind: .file(path: $0))
      }
    default:
      complain(
        table.path + ["kind"],
        "expected kind = \"caldav\", \"webcal\", \"folder\" or \"file\", found \"\(kind)\"")
      return nil
    }
  }

  private mutating func path(ofFile isFile: Bool, in table: Table) -> String? {
    guard let path = requiredString("path", in: table) else { return nil }
    guard path.lowercased().hasSuffix(".ics") == isFile else {
      complain(
        table.path + ["path"],
        isFile
          ? "a remote of the kind \"file\" is a path that ends in .ics"
          : "a remote of the kind \"folder\" cannot be an .ics file; that is the kind \"file\"")
      return nil
    }
    return paths.absolute(path)
  }

  private mutating func calDAV(from table: Table) -> CalDAVSettings? {
    let address = address(in: table)
    let collection = string("collection", in: table)
    let server = server(in: table)
    let invitations = invitations(in: table)
    return address.map {
      CalDAVSettings(
        address: $0, collection: collection, server: server, invitations: invitations)
    }
  }

  private mutating func invitations(in table: Table) -> InvitationPolicy {
    guard let word = string("invitations", in: table) else { return .hold }
    if let policy = InvitationPolicy(rawValue: word) { return policy }
    complain(
      table.path + ["invitations"], "expected invitations = \"hold\" or \"send\", found \"\(word)\""
    )
    return .hold
  }

  private mutating func webcal(from table: Table) -> WebcalSettings? {
    let address = address(in: table, isFeed: true)
    let server = server(in: table)
    guard let address else { return nil }
    if address.isPlain, server.password != nil || server.tokenCommand != nil {
      complain(
        table.path + ["url"],
        "a password is not sent without encryption; use https or webcals")
    }
    return WebcalSettings(address: address, server: server)
  }

  private mutating func address(in table: Table, isFeed: Bool = false) -> RemoteURL? {
    guard let url = requiredString("url", in: table) else { return nil }
    do throws(RemoteError) {
      return isFeed ? try RemoteURL(parsingFeed: url) : try RemoteURL(parsing: url)
    } catch {
      // Only the message is shown, because the URL may contain a password.
      complain(table.path + ["url"], "\"url\" cannot be used: \(error.message)")
      return nil
    }
  }
}

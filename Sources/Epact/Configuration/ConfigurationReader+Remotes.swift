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
        known: ["kind", "url", "collection", "invitations"] + Self.serverKeys + Self.signInKeys)
      return calDAV(from: table).map { RemoteSettings(name: name, kind: .calDAV($0)) }
    case "google", "graph":
      checkKeys(of: table, known: Self.vendorKeys)
      guard let vendor = VendorSettings.Vendor(rawValue: kind) else { return nil }
      return self.vendor(vendor, from: table).map { RemoteSettings(name: name, kind: .vendor($0)) }
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
    case "birthdays":
      checkKeys(of: table, known: ["kind", "path", "title", "anniversary-title"])
      return birthdays(from: table).map { RemoteSettings(name: name, kind: .birthdays($0)) }
    default:
      complain(
        table.path + ["kind"],
        "expected kind = \"caldav\", \"google\", \"graph\", \"webcal\", \"folder\", \"file\" or "
          + "\"birthdays\", found "
          + "\"\(kind)\"")
      return nil
    }
  }

  private mutating func birthdays(from table: Table) -> BirthdaySettings? {
    var titles = ContactEventTitles()
    titles.birthday = title("title", in: table) ?? titles.birthday
    titles.anniversary = title("anniversary-title", in: table) ?? titles.anniversary
    guard let path = requiredString("path", in: table) else { return nil }
    guard !path.lowercased().hasSuffix(".ics") else {
      complain(
        table.path + ["path"],
        "a remote of the kind \"birthdays\" is a folder of .vcf files, or a .vcf file")
      return nil
    }
    return BirthdaySettings(path: paths.absolute(path), titles: titles)
  }

  /// The template of titles, which must have the name of the contact.
  private mutating func title(_ key: String, in table: Table) -> String? {
    guard let title = string(key, in: table) else { return nil }
    if title.contains("{name}") { return title }
    complain(
      table.path + [key], "expected \"\(key)\" to contain {name}, found \"\(title)\"")
    return nil
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

  mutating func calDAV(from table: Table) -> CalDAVSettings? {
    let address = address(in: table)
    let collection = string("collection", in: table)
    var server = server(in: table)
    server.signIn = address.flatMap { signIn(in: table, at: $0) }
    let invitations = invitations(in: table)
    return address.map {
      CalDAVSettings(
        address: $0, collection: collection, server: server, invitations: invitations)
    }
  }

  mutating func invitations(in table: Table) -> InvitationPolicy {
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

extension ConfigurationReader {
  /// The keys for the source of a secret, only one of which may be present.
  static func secretKeys(_ name: String) -> [String] {
    ["-command", "-file", "-env", "-credential", "-netrc", ""].map { name + $0 }
  }
  /// The keys for the connection to a server.
  static let serverKeys =
    ["username", "token-command"] + secretKeys("password")
    + ["ca-file", "pin", "client-certificate", "client-key", "connections"]
  /// The maximum number of connections to a server; more would burden it.
  private static let mostConnections = 16

  /// The connection settings and the credentials of a server.
  mutating func server(in table: Table) -> ServerSettings {
    var server = ServerSettings()
    server.username = string("username", in: table)
    server.password = password(in: table)
    server.tokenCommand =
      table.members["token-command"] == nil ? nil : words("token-command", in: table)
    if server.password != nil, server.username == nil {
      complain(table.path, "\(table.title) has a password but no \"username\"")
    }
    if server.password != nil, server.tokenCommand != nil {
      complain(
        table.path + ["token-command"],
        "\(table.title) has a password and a \"token-command\"; one is enough")
    }
    server.identity = identity(in: table)
    switch table.members["connections"] {
    case nil: break
    case .integer(let number)? where (1...Self.mostConnections).contains(number):
      server.connections = number
    default:
      complain(
        table.path + ["connections"],
        "expected \"connections\" to be a number from 1 through \(Self.mostConnections)")
    }
    return server
  }

  private mutating func identity(in table: Table) -> NetworkIdentity {
    var identity = NetworkIdentity()
    identity.caFile = string("ca-file", in: table).map(paths.absolute)
    identity.pins = pins(in: table)
    let certificate = string("client-certificate", in: table).map(paths.absolute)
    let key = string("client-key", in: table).map(paths.absolute)
    if let certificate {
      identity.client = .init(certificateFile: certificate, keyFile: key ?? certificate)
    } else if key != nil {
      complain(
        table.path + ["client-key"],
        "\(table.title) has a \"client-key\" but no \"client-certificate\"")
    }
    return identity
  }

  /// The accepted public keys of the server: a string, or an array of strings.
  private mutating func pins(in table: Table) -> [PublicKeyPin] {
    let nodes: [TOMLNode]
    switch table.members["pin"] {
    case nil: return []
    case .array(let elements)?: nodes = elements
    case let node?: nodes = [node]
    }
    let pins = nodes.compactMap { node in
      if case .string(let text) = node { PublicKeyPin(text) } else { PublicKeyPin?.none }
    }
    if pins.isEmpty || pins.count < nodes.count {
      complain(
        table.path + ["pin"],
        "expected \"pin\" to be sha256// and the 44 characters of a public key's digest in base64")
    }
    return pins
  }

  private mutating func password(in table: Table) -> PasswordSource? {
    secret("password", in: table)
  }

  /// The source of a secret, which the ending of the key says.
  mutating func secret(_ name: String, in table: Table) -> PasswordSource? {
    let keys = Self.secretKeys(name).filter { table.members[$0] != nil }
    if keys.count > 1 {
      let both = keys.map { "\"\($0)\"" }.joined(separator: " and ")
      complain(table.path + [keys[1]], "\(table.title) has \(both); one is enough")
    }
    guard let key = keys.first else { return nil }
    switch key.dropFirst(name.count) {
    case "-command": return words(key, in: table).map(PasswordSource.command)
    case "-file": return string(key, in: table).map { .file(paths.absolute($0)) }
    case "-env": return string(key, in: table).map(PasswordSource.environment)
    case "-credential": return credential(key, in: table)
    case "-netrc": return string(key, in: table).map { .netrc(paths.absolute($0)) }
    default:
      if !isPrivate {
        complain(
          table.path + [key],
          "a \(name.replacing("-", with: " ")) is allowed only in a file that is private to you; "
            + "run chmod 600 on this file, or use \"\(name)-command\" or \"\(name)-file\"")
      }
      return string(key, in: table).map { .literal(Secret($0)) }
    }
  }

  private mutating func credential(_ key: String, in table: Table) -> PasswordSource? {
    guard let name = string(key, in: table) else { return nil }
    guard !name.contains("/"), name != ".", name != ".." else {
      complain(
        table.path + [key], "expected \"\(key)\" to be the name of a credential, found a path")
      return nil
    }
    return .systemd(name)
  }
}

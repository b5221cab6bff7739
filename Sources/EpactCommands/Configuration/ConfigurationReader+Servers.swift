// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Epact

extension ConfigurationReader {
  /// The keys for the source of a password, only one of which may be present.
  private static let passwordKeys = [
    "password-command", "password-file", "password-env", "password-credential", "password-netrc",
    "password",
  ]
  /// The keys for the connection to a server.
  static let serverKeys =
    ["username", "token-command"] + passwordKeys
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
    let keys = Self.passwordKeys.filter { table.members[$0] != nil }
    if keys.count > 1 {
      let both = keys.map { "\"\($0)\"" }.joined(separator: " and ")
      complain(table.path + [keys[1]], "\(table.title) has \(both); one is enough")
    }
    switch keys.first {
    case "password-command": return words("password-command", in: table).map(PasswordSource.command)
    case "password-file":
      return string("password-file", in: table).map { .file(paths.absolute($0)) }
    case "password-env": return string("password-env", in: table).map(PasswordSource.environment)
    case "password-credential": return credential(in: table)
    case "password-netrc":
      return string("password-netrc", in: table).map { .netrc(paths.absolute($0)) }
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

  private mutating func credential(in table: Table) -> PasswordSource? {
    guard let name = string("password-credential", in: table) else { return nil }
    guard !name.contains("/"), name != ".", name != ".." else {
      complain(
        table.path + ["password-credential"],
        "expected \"password-credential\" to be the name of a credential, found a path")
      return nil
    }
    return .systemd(name)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes

/// Parsing of the settings of a sign-in with OAuth 2.
///
/// ```toml
/// [remote.work]
/// kind = "caldav"
/// url = "https://dav.example.org/"
/// sign-in = "oauth"
/// client-id = "…"
/// client-secret-command = ["pass", "show", "work/client"]   # if the client has a secret
/// token-store = "file"                                      # or "secret-tool", "systemd:NAME"
/// ```
extension ConfigurationReader {
  /// The keys of a sign-in, without the one that chooses it.
  static let clientKeys =
    ["client-id", "token-store", "authorization-server", "scopes"] + secretKeys("client-secret")
  /// The keys of a CalDAV remote that may sign in.
  static let signInKeys = ["sign-in"] + clientKeys

  /// The sign-in of a CalDAV remote; nil if it has other credentials.
  mutating func signIn(in table: Table, at address: RemoteURL) -> SignInSettings? {
    guard let way = string("sign-in", in: table) else {
      for key in Self.clientKeys where table.members[key] != nil {
        complain(table.path + [key], "\"\(key)\" belongs to sign-in = \"oauth\"")
      }
      return nil
    }
    guard way == "oauth" else {
      complain(table.path + ["sign-in"], "expected sign-in = \"oauth\", found \"\(way)\"")
      return nil
    }
    return signIn(.discovered(resource: address), in: table)
  }

  /// The sign-in of a remote whose service is known.
  mutating func signIn(_ provider: SignInSettings.Provider, in table: Table) -> SignInSettings? {
    let keys = ["token-command"] + Self.secretKeys("password")
    if let key = keys.first(where: { table.members[$0] != nil }) {
      complain(table.path + [key], "\(table.title) signs in, and needs no \"\(key)\"")
    }
    let secret = secret("client-secret", in: table)
    let store = tokenStore(in: table)
    let server = authorizationServer(in: table)
    let scopes = scopes(in: table)
    guard let client = requiredString("client-id", in: table) else { return nil }
    var settings = SignInSettings(provider, clientID: client)
    (settings.clientSecret, settings.store) = (secret, store)
    (settings.authorizationServer, settings.scopes) = (server, scopes)
    return settings
  }

  private mutating func tokenStore(in table: Table) -> TokenStoreKind {
    let word = string("token-store", in: table)
    let prefix = "systemd:"
    switch word {
    case nil, "file"?: return .file
    case "secret-tool"?: return .keyring
    case let text? where text.hasPrefix(prefix):
      let name = String(text.dropFirst(prefix.count))
      if !name.isEmpty, !name.contains("/"), name != ".", name != ".." { return .credential(name) }
    default: break
    }
    complain(
      table.path + ["token-store"],
      "expected token-store = \"file\", \"secret-tool\" or \"systemd:NAME\", found "
        + "\"\(word ?? "")\"")
    return .file
  }

  private mutating func authorizationServer(in table: Table) -> String? {
    guard let text = string("authorization-server", in: table) else { return nil }
    do throws(RemoteError) {
      _ = try RemoteURL(parsing: text)
      return text
    } catch {
      complain(
        table.path + ["authorization-server"],
        "\"authorization-server\" cannot be used: \(error.message)")
      return nil
    }
  }

  private mutating func scopes(in table: Table) -> [String]? {
    guard let node = table.members["scopes"] else { return nil }
    let scopes = strings(node) ?? []
    let unusable = scopes.first { !Self.isScope($0) }
    guard unusable == nil, !scopes.isEmpty else {
      complain(
        table.path + ["scopes"],
        "expected \"scopes\" to be an array of scopes without spaces, found "
          + (unusable.map { "\"\($0)\"" } ?? node.typeName))
      return nil
    }
    return scopes
  }

  /// Whether a text can be a scope (RFC 6749 §3.3).
  private static func isScope(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
  }
}

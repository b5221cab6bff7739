// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The tokens of a successful answer (RFC 6749 §5.1), which never appear in descriptions.
package struct IssuedTokens: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The access token (RFC 6750).
  package let accessToken: String
  /// The refresh token; nil if the server issued none.
  package let refreshToken: String?
  /// The lifetime of the access token from the time of the answer, in seconds; nil if not stated.
  package let lifetime: Int64?
  /// The lifetime of the refresh token in seconds, which only some servers state.
  package let refreshLifetime: Int64?
  /// The granted scopes; nil if they are those of the request (RFC 6749 §5.1).
  package let scopes: [String]?

  /// Always `[redacted]`.
  package var description: String { "[redacted]" }

  /// A mirror without the tokens.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The members of a token endpoint's response, of success or of an error.
struct TokenResponse: Decodable {
  private enum Key: String, CodingKey {
    case accessToken = "access_token"
    case tokenType = "token_type"
    case refreshToken = "refresh_token"
    case expiresIn = "expires_in"
    case refreshExpiresIn = "refresh_token_expires_in"
    case scope, error, suberror
    case description = "error_description"
  }

  let accessToken: String?
  let tokenType: String?
  let refreshToken: String?
  let lifetime: Int64?
  let refreshLifetime: Int64?
  let scope: String?
  let reply: AuthorizationError.Reply?

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    func text(_ key: Key) -> String? { try? members.decodeIfPresent(String.self, forKey: key) }
    // Some servers write the number of seconds as a string.
    func seconds(_ key: Key) -> Int64? {
      if let number = try? members.decodeIfPresent(Double.self, forKey: key) {
        return Int64(exactly: number.rounded(.down)).flatMap { $0 > 0 ? $0 : nil }
      }
      return text(key).flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    (accessToken, tokenType) = (text(.accessToken), text(.tokenType))
    (refreshToken, scope) = (text(.refreshToken), text(.scope))
    (lifetime, refreshLifetime) = (seconds(.expiresIn), seconds(.refreshExpiresIn))
    reply = text(.error).map {
      AuthorizationError.Reply(
        error: $0, description: text(.description), detail: text(.suberror))
    }
  }

  /// The tokens; nil if the response has none of the type that requests use.
  var tokens: IssuedTokens? {
    guard let accessToken, !accessToken.isEmpty, tokenType?.lowercased() == "bearer" else {
      return nil
    }
    return IssuedTokens(
      accessToken: accessToken, refreshToken: refreshToken.flatMap { $0.isEmpty ? nil : $0 },
      lifetime: lifetime, refreshLifetime: refreshLifetime,
      scopes: scope.map { $0.split(separator: " ").map(String.init) })
  }

  /// Parses a response; nil if it is not an object of JSON.
  static func parse(_ body: [UInt8]) -> TokenResponse? {
    try? JSONDecoder().decode(TokenResponse.self, from: Data(body))
  }
}

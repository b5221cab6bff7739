// SPDX-License-Identifier: Apache-2.0

/// The challenge of a server that requires a bearer token (RFC 6750 §3, RFC 9728 §5.1).
package struct BearerChallenge: Hashable, Sendable {
  /// The address of the resource's metadata; nil if the challenge has none.
  package let metadata: String?
  /// The scopes that the resource requires; empty if the challenge has none.
  package let scopes: [String]

  /// Reads the challenge of a response; nil if the response has none of the scheme Bearer.
  package init?(_ headers: HTTPHeaders) {
    let text = headers.values(of: "WWW-Authenticate").joined(separator: ", ")
    guard let parameters = Self.parameters(ofBearerIn: text) else { return nil }
    metadata = parameters["resource_metadata"]
    scopes = (parameters["scope"] ?? "").split(separator: " ").map(String.init)
  }

  /// The parameters of the first Bearer challenge in a header field (RFC 9110 §11.6.1).
  private static func parameters(ofBearerIn text: String) -> [String: String]? {
    var found: [String: String]?
    for part in parts(of: text) {
      var rest = part[...]
      // A part that begins with a word and a space is the begin of a challenge.
      let word = rest.prefix { $0 != " " && $0 != "=" }
      let behind = rest.dropFirst(word.count)
      if behind.isEmpty || behind.first == " ", !behind.drop(while: { $0 == " " }).hasPrefix("=") {
        if found != nil { return found }
        guard word.lowercased() == "bearer" else { continue }
        found = [:]
        rest = behind
      }
      guard found != nil else { continue }
      let pair = rest.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      let name = ServerText.collapsed(String(pair[0])).lowercased()
      found?[name] = unquoted(ServerText.collapsed(String(pair[1])))
    }
    return found
  }

  /// The text at its commas outside of quotes.
  private static func parts(of text: String) -> [String] {
    var (parts, isQuoted, isEscaped) = ([""], false, false)
    for character in text {
      if isEscaped {
        isEscaped = false
      } else if character == "\\", isQuoted {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        parts.append("")
        continue
      }
      parts[parts.count - 1].append(character)
    }
    return parts.map { String($0.drop(while: \.isWhitespace)) }
  }

  /// The text of a quoted string, or of a token (RFC 9110 §5.6.4).
  private static func unquoted(_ text: String) -> String {
    guard text.count > 1, text.first == "\"", text.last == "\"" else { return text }
    var (result, isEscaped) = ("", false)
    for character in text.dropFirst().dropLast() {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return result
  }
}

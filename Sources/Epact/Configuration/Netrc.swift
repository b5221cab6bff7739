// SPDX-License-Identifier: Apache-2.0

/// The entries of a netrc file: hosts, users and passwords.
///
/// ```
/// machine dav.example.org login ada password s3cret
/// default login anonymous password ada@example.org
/// ```
///
/// Words are separated by white space. Quotes (`"`) around a word keep white space in it, and `\`
/// escapes the next character. A `#` at the start of a word starts a comment. `macdef` starts a
/// macro, which ends with an empty line and is skipped.
package struct Netrc: Sendable {
  private struct Entry {
    /// The host, or nil for the default entry.
    let host: String?
    var login: String?
    var password: Secret?
  }

  private var entries: [Entry] = []

  /// Parses a file; unknown words are skipped, as other programs do.
  package init(parsing text: String) {
    var words = Words(text)
    while let word = words.next() {
      switch word {
      case "machine": entries.append(Entry(host: words.next()?.lowercased()))
      case "default": entries.append(Entry(host: nil))
      case "login": set { $0.login = words.next() }
      case "password": set { $0.password = words.next().map(Secret.init) }
      case "account": _ = words.next()
      case "macdef": words.skipMacro()
      default: break
      }
    }
  }

  /// The password of the first entry that matches the host and the user, or has no user.
  package func password(host: String, login: String) -> Secret? {
    entries.first { entry in
      (entry.host == nil || entry.host == host.lowercased())
        && (entry.login == nil || entry.login == login) && entry.password != nil
    }?.password
  }

  private mutating func set(_ change: (inout Entry) -> Void) {
    guard !entries.isEmpty else { return }
    change(&entries[entries.count - 1])
  }
}

/// Splits a netrc file into words.
private struct Words {
  private var rest: Substring

  init(_ text: String) {
    rest = text[...]
  }

  mutating func next() -> String? {
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard let first = rest.first else { return nil }
      guard first == "#" else { return word(isQuoted: first == "\"") }
      rest = rest.drop { !$0.isNewline }
    }
  }

  private mutating func word(isQuoted: Bool) -> String {
    var word = ""
    if isQuoted { rest.removeFirst() }
    while let character = rest.popFirst() {
      if isQuoted ? character == "\"" : character.isWhitespace { break }
      word.append(character == "\\" ? rest.popFirst() ?? character : character)
    }
    return word
  }

  /// Skips the name and the lines of a macro, through the following empty line.
  mutating func skipMacro() {
    rest = rest.drop { !$0.isNewline }.dropFirst()
    while !rest.isEmpty {
      let line = rest.prefix { !$0.isNewline }
      rest = rest[line.endIndex...].dropFirst()
      if line.isEmpty { return }
    }
  }
}

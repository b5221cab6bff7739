// SPDX-License-Identifier: Apache-2.0

/// The entries of a netrc file: who logs in where, with which password.
///
/// ```
/// machine dav.example.org login ada password s3cret
/// default login anonymous password ada@example.org
/// ```
///
/// The words stand apart by white space; `"` around a word keeps white space in it, and `\` takes the
/// next character as it stands. A `#` at the beginning of a word begins a comment. `macdef` begins a
/// macro, which ends with an empty line and is passed over.
package struct Netrc: Sendable {
  private struct Entry {
    /// The host, or nil for the entry that is good for all.
    let host: String?
    var login: String?
    var password: Secret?
  }

  private var entries: [Entry] = []

  /// Reads a file; words that mean nothing are passed over, as all programs do.
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

  /// The password of a user on a host: the first entry that fits, which may leave the user open.
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

/// The words of a netrc file.
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

  /// Passes over the name and the lines of a macro, up to the empty line after it.
  mutating func skipMacro() {
    rest = rest.drop { !$0.isNewline }.dropFirst()
    while !rest.isEmpty {
      let line = rest.prefix { !$0.isNewline }
      rest = rest[line.endIndex...].dropFirst()
      if line.isEmpty { return }
    }
  }
}

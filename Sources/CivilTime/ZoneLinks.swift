// SPDX-License-Identifier: Apache-2.0

/// The links of a time zone database: alternative names and their target zones.
///
/// They are the `L` lines of `tzdata.zi`. Parsing only these takes a small part of the time that an
/// index of all names takes.
struct ZoneLinks: Sendable {
  /// The target zones by alternative name.
  private var targets: [String: String] = [:]

  /// Creates an empty set of links.
  init() {}

  /// Parses the text of `tzdata.zi`.
  ///
  /// - Parameters:
  ///   - text: The bytes of the file.
  ///   - limit: The maximum number of names.
  init(text: [UInt8], limit: Int) {
    let bytes = text.span
    var start = 0
    while start < bytes.count, targets.count < limit {
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      if bytes[start] == UInt8(ascii: "L") {
        let words = text[start..<end].split(separator: UInt8(ascii: " ")).map {
          String(decoding: $0, as: UTF8.self)
        }
        if words.count == 3, words[0] == "L" { add(words[2], for: words[1]) }
      }
      start = end + 1
    }
  }

  /// Adds a link to another zone.
  mutating func add(_ name: String, for target: String) {
    targets[name] = target
  }

  /// The target of a link, or the name itself if it is not a link.
  func canonicalName(of name: String) -> String {
    var name = name
    // A link may lead to another link; a longer chain is a cycle.
    for _ in 0..<8 {
      guard let target = targets[name] else { break }
      name = target
    }
    return name
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The names of a time zone database that stand for another zone of it.
///
/// They are in the lines of `tzdata.zi` that begin with `L`; to read these alone takes a small part of the
/// time that an index of all names does.
struct ZoneLinks: Sendable {
  /// The zone that another name stands for.
  private var targets: [String: String] = [:]

  /// No names.
  init() {}

  /// Reads the text of a `tzdata.zi`.
  ///
  /// - Parameters:
  ///   - text: The bytes of the file.
  ///   - limit: The greatest number of names.
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

  /// Takes a name that stands for another zone.
  mutating func add(_ name: String, for target: String) {
    targets[name] = target
  }

  /// The zone that a name stands for, itself unless it is a link.
  func canonicalName(of name: String) -> String {
    var name = name
    // A link may lead to a link; more than a few in a row is a circle.
    for _ in 0..<8 {
      guard let target = targets[name] else { break }
      name = target
    }
    return name
  }
}

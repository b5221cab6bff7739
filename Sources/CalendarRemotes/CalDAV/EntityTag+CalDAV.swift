// SPDX-License-Identifier: Apache-2.0

import CalendarSync

extension EntityTag {
  /// The tag of a listing or an answer; nil for no text.
  ///
  /// Lenient: a tag without the quotes that RFC 9110 §8.8.3 requires is kept as it was received, because
  /// some servers compare conditions with just these bytes.
  init?(received text: String) {
    // Of its bytes in place, because a listing has thousands.
    let bytes = text.utf8.span
    var isPlain = true
    for place in bytes.indices where bytes[place] <= 0x20 || bytes[place] >= 0x7F {
      isPlain = false
    }
    let tag =
      isPlain ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !tag.isEmpty else { return nil }
    self.init(tag)
  }

  /// The tag in the header of an answer.
  ///
  /// Lenient: Apache's `mod_deflate` puts a suffix on the tag of what it has compressed, and does not
  /// know the result again in a condition.
  init?(answer: HTTPResponse) {
    guard var text = answer.headers["ETag"] else { return nil }
    for suffix in ["-gzip\"", ";gzip\"", "--gzip\""] where text.hasSuffix(suffix) {
      text = String(text.dropLast(suffix.count)) + "\""
      break
    }
    self.init(received: text)
  }

  /// Whether two tags name the same version, be one of them weak (RFC 9110 §8.8.3.2).
  func names(_ other: EntityTag) -> Bool {
    strong == other.strong
  }

  private var strong: Substring { isWeak ? quoted.dropFirst(2) : quoted[...] }
}

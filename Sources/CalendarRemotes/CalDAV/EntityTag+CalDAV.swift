// SPDX-License-Identifier: Apache-2.0

import CalendarSync

extension EntityTag {
  /// Creates an ETag from a listing or a response; nil for an empty text.
  ///
  /// Lenient: an ETag without the quotes that RFC 9110 §8.8.3 requires is kept as received, because
  /// some servers compare conditions with exactly these bytes.
  init?(received text: String) {
    // The bytes are examined in place, because a listing has thousands of ETags.
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

  /// Creates an ETag from the header of a response.
  ///
  /// Lenient: Apache's `mod_deflate` adds a suffix to the ETag of a compressed response, but does
  /// not recognize the result in a condition.
  init?(answer: HTTPResponse) {
    guard var text = answer.headers["ETag"] else { return nil }
    for suffix in ["-gzip\"", ";gzip\"", "--gzip\""] where text.hasSuffix(suffix) {
      text = String(text.dropLast(suffix.count)) + "\""
      break
    }
    self.init(received: text)
  }

  /// Whether two ETags identify the same version, by weak comparison (RFC 9110 §8.8.3.2).
  func names(_ other: EntityTag) -> Bool {
    strong == other.strong
  }

  private var strong: Substring { isWeak ? quoted.dropFirst(2) : quoted[...] }
}

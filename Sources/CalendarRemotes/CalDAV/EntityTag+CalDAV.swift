// SPDX-License-Identifier: Apache-2.0

import CalendarSync

extension EntityTag {
  /// The tag of a listing or an answer; nil for no text.
  ///
  /// Lenient: some servers leave the quotes out in one place and not in another (RFC 9110 §8.8.3
  /// requires them), and without them a tag would never equal itself.
  init?(received text: String) {
    let tag = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !tag.isEmpty else { return nil }
    self.init(tag.hasPrefix("\"") || tag.hasPrefix("W/\"") ? tag : "\"\(tag)\"")
  }

  /// The tag that the answer to a write gives for what was sent.
  init?(answer: HTTPResponse) {
    guard let text = answer.headers["ETag"] else { return nil }
    self.init(received: text)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The code of a REQUEST-STATUS (RFC 5545 §3.8.8.3), such as `2.11`.
struct StatusCode: Equatable {
  /// The code as it is spelled.
  let code: String
  /// The first number: 2 for success, 3 for an error of who asked, 4 for a conflict of times, 5 for an
  /// error of who answers (RFC 5546 §3.6).
  let level: Substring

  /// Reads `1*DIGIT 1*2("." 1*DIGIT)`; nil if it is anything else.
  init?(_ code: String) {
    let numbers = code.split(separator: ".", omittingEmptySubsequences: false)
    guard 2...3 ~= numbers.count,
      numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
    else { return nil }
    self.code = code
    level = numbers[0]
  }
}

extension Property {
  /// The code of a REQUEST-STATUS; nil if it has none, or no description after it.
  var statusCode: StatusCode? {
    let parts = rawValue.utf8.split(
      separator: ASCII.semicolon, maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? StatusCode(String(Substring(parts[0]))) : nil
  }
}

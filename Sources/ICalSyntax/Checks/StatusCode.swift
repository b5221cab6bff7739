// SPDX-License-Identifier: Apache-2.0

/// The code of a REQUEST-STATUS (RFC 5545 §3.8.8.3), such as `2.11`.
struct StatusCode: Equatable {
  /// The source text of the code.
  let code: String
  /// The first number of the code (RFC 5546 §3.6).
  ///
  /// 2 is success, 3 is a client error, 4 is a scheduling conflict, and 5 is a service error.
  let level: Substring

  /// Parses `1*DIGIT 1*2("." 1*DIGIT)`, or returns nil for other texts.
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
  /// The REQUEST-STATUS code, or nil if the code or the description is missing.
  var statusCode: StatusCode? {
    let parts = rawValue.utf8.split(
      separator: ASCII.semicolon, maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? StatusCode(String(Substring(parts[0]))) : nil
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A statement of the ledger in PostgreSQL's spelling.
enum PostgreSQLText {
  /// The column with which all keys begin.
  static let tenant = "tenant"

  /// Replaces the placeholders `?` and `?1` with `$1`, and adds the tenant to the keys of `ON
  /// CONFLICT`.
  ///
  /// Literals and quoted names stay as they are.
  static func of(_ sql: String) -> String {
    var result: [UInt8] = []
    var rest = Array(sql.utf8)[...]
    var count = 0
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        // A doubled quote is the end of one part and the beginning of the next one.
        let body = rest.prefix { $0 != byte }
        rest = rest.dropFirst(body.count)
        result += [byte] + body + (rest.popFirst().map { [$0] } ?? [])
      case UInt8(ascii: "?"):
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        count += 1
        result += digits.isEmpty ? Array("$\(count)".utf8) : [UInt8(ascii: "$")] + digits
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
      .split(separator: "ON CONFLICT (", omittingEmptySubsequences: false)
      .joined(separator: "ON CONFLICT (\(tenant), ")
  }
}

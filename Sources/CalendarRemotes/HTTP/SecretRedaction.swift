// SPDX-License-Identifier: Apache-2.0

/// Removes a secret from a response, because some servers quote the request that they reject.
struct SecretRedaction {
  /// The maximum size of a searched response, in bytes; a larger one is truncated.
  private static let sizeLimit = 1 << 20
  private static let placeholder = Array("[redacted]".utf8)

  /// The encodings of the secret, longest first.
  private let spellings: [[UInt8]]

  init(_ proof: CurlTransfer.Proof) {
    let texts =
      switch proof {
      case .basic(let user, let password), .digest(let user, let password):
        [Self.base64("\(user):\(password)"), Self.base64(password), password]
      case .token(let token): [Self.base64(token), token]
      }
    let all =
      texts + texts.map(PercentEncoding.escapingAll) + texts.map { Self.markup($0, quotes: false) }
      + texts.map { Self.markup($0, quotes: true) }
    spellings = Set(all.filter { !$0.isEmpty }.map { Array($0.utf8) }).sorted {
      $0.count > $1.count
    }
  }

  /// Returns the bytes with every encoding of the secret replaced by a placeholder.
  func redacted(_ bytes: [UInt8]) -> [UInt8] {
    spellings.reduce(Array(bytes.prefix(Self.sizeLimit))) { text, secret in
      text.firstRange(of: secret) == nil ? text : text.replacing(secret, with: Self.placeholder)
    }
  }

  /// The text in XML and HTML, with or without the escapes that only some programs use.
  private static func markup(_ text: String, quotes: Bool) -> String {
    let plain = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    guard quotes else { return plain }
    return plain.replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
      .replacing("'", with: "&apos;")
  }

  private static func base64(_ text: String) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        result.append(
          place <= group.count ? digits[number >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 digest of the public key in a server's certificate (RFC 7469 §2.4).
///
/// It pins the key instead of the certificate, so that renewing a certificate with the same key has
/// no effect.
public struct PublicKeyPin: Hashable, Sendable, CustomStringConvertible {
  /// The digest in Base64, which has 44 characters.
  private let digest: String

  /// The length of 32 bytes in Base64, including one `=` at the end.
  private static let length = 44

  /// Parses a pin of `sha256//` and 44 characters of Base64, or returns nil.
  public init?(_ text: String) {
    let prefix = "sha256//"
    guard text.hasPrefix(prefix) else { return nil }
    let digest = text.dropFirst(prefix.count)
    guard digest.utf8.count == Self.length, digest.hasSuffix("="),
      digest.utf8.dropLast().allSatisfy({
        PercentEncoding.isAlphanumeric($0) || "+/".utf8.contains($0)
      })
    else { return nil }
    self.digest = String(digest)
  }

  /// `sha256//` and the digest.
  public var description: String { "sha256//\(digest)" }
}

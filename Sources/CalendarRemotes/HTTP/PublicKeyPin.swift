// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 digest of the public key of a server's certificate (RFC 7469 §2.4).
///
/// It is the key and not the certificate that is pinned, so that a renewal with the same key changes
/// nothing.
public struct PublicKeyPin: Hashable, Sendable, CustomStringConvertible {
  /// The digest in base64, which is 44 characters.
  private let digest: String

  /// How many characters 32 bytes are in base64, with one `=` at the end.
  private static let length = 44

  /// Reads a pin as `sha256//` and 44 characters of base64; nil for anything else.
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

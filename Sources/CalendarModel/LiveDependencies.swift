// SPDX-License-Identifier: Apache-2.0

extension UID {
  /// Creates a random identifier, a UUID of version 4 (RFC 7986 §5.3, RFC 9562 §5.4).
  ///
  /// - Returns: The identifier, in lower case.
  public static func random() -> UID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }
}

// SPDX-License-Identifier: Apache-2.0

extension UID {
  /// A UID for a component that has none or may not keep its own: the same one for the same content,
  /// so that importing a file again finds what it added before.
  static func derived(from digest: SHA256.Digest) -> UID {
    UID("epact-" + digest.description.prefix(40))
  }
}

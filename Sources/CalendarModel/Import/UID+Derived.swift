// SPDX-License-Identifier: Apache-2.0

extension UID {
  /// A UID for a component that has none or may not keep its own.
  ///
  /// Equal content results in the same UID, so that a repeated import finds the items of the first
  /// one.
  static func derived(from digest: SHA256.Digest) -> UID {
    UID("epact-" + digest.description.prefix(40))
  }
}

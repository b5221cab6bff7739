// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The lazily computed fingerprint of an item.
///
/// It is a class, so that all copies of an item share the result.
final class ItemMeaning: Sendable {
  private let known: Mutex<Fingerprint?>

  /// Creates a cache with a known fingerprint, or an empty one.
  init(_ fingerprint: Fingerprint?) {
    known = Mutex(fingerprint)
  }

  /// Whether the fingerprint is known.
  var isKnown: Bool { known.withLock { $0 != nil } }

  /// Returns the fingerprint and computes it on first use.
  func fingerprint(_ make: () -> Fingerprint) -> Fingerprint {
    known.withLock { known in
      if let known { return known }
      let made = make()
      known = made
      return made
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The fingerprint of an item, once somebody has asked for it.
///
/// It is a class, so that all copies of an item have it as soon as one of them has.
final class ItemMeaning: Sendable {
  private let known: Mutex<Fingerprint?>

  /// Begins with a fingerprint, or with none.
  init(_ fingerprint: Fingerprint?) {
    known = Mutex(fingerprint)
  }

  /// Whether it was worked out.
  var isKnown: Bool { known.withLock { $0 != nil } }

  /// The fingerprint, which is made if it is not there.
  func fingerprint(_ make: () -> Fingerprint) -> Fingerprint {
    known.withLock { known in
      if let known { return known }
      let made = make()
      known = made
      return made
    }
  }
}

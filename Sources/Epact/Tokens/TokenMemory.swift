// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The latest record of a process whose store is only read.
final class TokenMemory: Sendable {
  private let state = Mutex(TokenRecord?.none)

  /// The record; nil before the first renewal.
  var record: TokenRecord? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A block of a file's bytes that properties and components point into, never changed once made.
///
/// A class, because thousands of properties share one block and copying it would cost more than the
/// parsing; immutable, so that sharing it is safe.
final class SourceBuffer: Sendable {
  /// The bytes of the block.
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

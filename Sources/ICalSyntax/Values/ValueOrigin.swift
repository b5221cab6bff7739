// SPDX-License-Identifier: Apache-2.0

/// The position of a property's value in a file.
struct ValueOrigin {
  let block: RecordBlock
  /// The offset of the first byte, in the arena or the bytes of the block.
  let start: Int
  let isInArena: Bool
}

// SPDX-License-Identifier: Apache-2.0

/// The arrays of a block, retained once for a traversal of all elements.
struct RecordArrays {
  let block: RecordBlock
  let bytes: [UInt8]
  let arena: [UInt8]
  let lines: [LineRecord]
  let components: [ComponentRecord]
  let children: [UInt32]

  init(_ block: RecordBlock) {
    self.block = block
    bytes = block.bytes
    arena = block.arena
    lines = block.lines
    components = block.components
    children = block.children
  }
}

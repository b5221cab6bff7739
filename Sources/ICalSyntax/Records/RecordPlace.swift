// SPDX-License-Identifier: Apache-2.0

/// Where the first of several elements stands in the records of a block.
public struct RecordPlace: Sendable {
  let block: RecordBlock
  let first: UInt32
}

extension Property: RecordElement {
  /// Makes the property of the line that is `index` lines after the place.
  public init(at place: RecordPlace, index: Int) {
    self.init(place.block, line: Int(place.first) + index)
  }
}

extension Component: RecordElement {
  /// Makes the component that is `index` entries after the place in the list of nested components.
  public init(at place: RecordPlace, index: Int) {
    self.init(place.block, record: Int(place.block.children[Int(place.first) + index]))
  }
}

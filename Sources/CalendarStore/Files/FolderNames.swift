// SPDX-License-Identifier: Apache-2.0

/// The names of the entries in a folder, as bytes, which need not be UTF-8.
///
/// All names are in one buffer, because a folder may have a million entries, and a separate object
/// for each takes several times the memory and time.
struct FolderNames {
  /// The names, each followed by a NUL byte.
  private(set) var bytes: [UInt8] = []
  private var places: [Range<Int>] = []

  /// Adds a name.
  mutating func append(_ name: some Collection<UInt8>) {
    let start = bytes.count
    bytes += name
    places.append(start..<bytes.count)
    bytes.append(0)
  }

  /// Sorts the names by their bytes.
  mutating func sort() {
    let bytes = bytes
    places.sort { bytes[$0].isOrdered(before: bytes[$1]) }
  }

  var indices: Range<Int> { places.indices }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[places[index]] }

  /// The offset of a name in `bytes`.
  func start(of index: Int) -> Int { places[index].lowerBound }
}

extension ArraySlice<UInt8> {
  /// Whether these bytes come before others in the order of their values.
  ///
  /// The generic comparison of sequences takes several times longer.
  func isOrdered(before other: ArraySlice<UInt8>) -> Bool {
    let distance = other.startIndex - startIndex
    for index in startIndex..<Swift.min(endIndex, other.endIndex - distance) {
      let (mine, theirs) = (self[index], other[index + distance])
      if mine != theirs { return mine < theirs }
    }
    return count < other.count
  }
}

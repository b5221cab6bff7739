// SPDX-License-Identifier: Apache-2.0

/// The names of the entries in a folder, as bytes, which need not be UTF-8.
///
/// All names are in one buffer, because a folder may have a million entries, and a separate object
/// for each takes several times the memory and time.
package struct FolderNames {
  /// The names, each followed by a NUL byte.
  package private(set) var bytes: [UInt8] = []
  private var places: [Range<Int>] = []

  /// A name with its first bytes after the common prefix of all names, as a number.
  private struct Keyed {
    let key: UInt64
    let place: Range<Int>
  }

  /// Creates an empty list.
  package init() {}

  /// Adds a name.
  package mutating func append(_ name: some Collection<UInt8>) {
    let start = bytes.count
    bytes += name
    places.append(start..<bytes.count)
    bytes.append(0)
  }

  /// Sorts the names by their bytes.
  ///
  /// Nearly all comparisons are of two numbers: names often begin alike, and differ soon after
  /// that.
  package mutating func sort() {
    let bytes = bytes
    let prefix = commonPrefixCount
    var keyed = places.map { place in
      Keyed(key: Self.key(bytes[(place.lowerBound + prefix)..<place.upperBound]), place: place)
    }
    keyed.sort { left, right in
      guard left.key == right.key else { return left.key < right.key }
      return bytes[left.place].isOrdered(before: bytes[right.place])
    }
    places = keyed.map(\.place)
  }

  /// The number of bytes with which all names begin.
  private var commonPrefixCount: Int {
    guard let first = places.first else { return 0 }
    var count = first.count
    for place in places {
      count = min(count, place.count)
      var index = 0
      while index < count, bytes[first.lowerBound + index] == bytes[place.lowerBound + index] {
        index += 1
      }
      count = index
    }
    return count
  }

  /// The first eight bytes, which are ordered like the numbers; zeros follow a shorter name.
  private static func key(_ name: ArraySlice<UInt8>) -> UInt64 {
    var key: UInt64 = 0
    for byte in name.prefix(8) { key = key << 8 | UInt64(byte) }
    return key << UInt64(8 * max(0, 8 - name.count))
  }

  /// The indices of the names.
  package var indices: Range<Int> { places.indices }

  /// A name.
  package subscript(index: Int) -> ArraySlice<UInt8> { bytes[places[index]] }

  /// The offset of a name in `bytes`.
  package func start(of index: Int) -> Int { places[index].lowerBound }
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

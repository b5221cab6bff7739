// SPDX-License-Identifier: Apache-2.0

/// The canonical order of properties: by name, represented as integer ranks.
///
/// ```
/// known names, sorted     ACKNOWLEDGED   ACTION   ATTACH   …   VERSION
/// their ranks                        1        3        5   …       131
/// ranks of other names          0         2        4     …               132
/// ```
///
/// The usual properties of a file are therefore sorted without reading their names. Names are
/// compared only for other properties between the same two known names, such as all `X-`
/// properties.
struct CanonicalOrder {
  /// The rank of a malformed line, which comes last.
  static var malformed: UInt32 { .max }

  /// A property to write: the rank of its name, and its index.
  struct Entry: BitwiseCopyable {
    private let number: UInt64

    init(rank: UInt32, index: Int) {
      number = UInt64(rank) << 32 | UInt64(truncatingIfNeeded: index)
    }

    /// The index of the property in its component.
    var index: Int { Int(truncatingIfNeeded: number & 0xFFFF_FFFF) }

    private var rank: UInt32 { UInt32(truncatingIfNeeded: number >> 32) }

    /// Whether the ranks are equal and the names must be compared.
    @inline(__always)
    private func isUndecided(_ other: Entry) -> Bool {
      rank == other.rank && rank & 1 == 0
    }

    /// Whether it precedes another one: by name, then by index.
    @inline(__always)
    func precedes(_ other: Entry, _ compareNames: (Int, Int) -> Int) -> Bool {
      guard isUndecided(other) else { return number < other.number }
      let order = compareNames(index, other.index)
      return order != 0 ? order < 0 : number < other.number
    }

    /// Whether both have the same name; malformed lines have none.
    @inline(__always)
    func hasSameName(as other: Entry, _ compareNames: (Int, Int) -> Int) -> Bool {
      guard rank == other.rank, rank != CanonicalOrder.malformed else { return false }
      return rank & 1 != 0 || compareNames(index, other.index) == 0
    }
  }

  /// The ranks of the known names, indexed as in `PropertyTable`.
  private let ranks: [UInt32]
  /// The known names, sorted, and their keys.
  private let names: [String]
  private let keys: [CanonicalKey]

  /// The canonical order.
  static let all = CanonicalOrder()

  private init() {
    names = PropertyTable.rows.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    keys = names.map { CanonicalKey($0.utf8.span, at: 0, count: $0.utf8.count) }
    var ranks = [UInt32](repeating: 0, count: names.count)
    for (place, name) in names.enumerated() {
      if let index = PropertyVocabulary.table.index(of: name.utf8.span) {
        ranks[index] = UInt32(2 * place + 1)
      }
    }
    self.ranks = ranks
  }

  /// Fills in the ranks and indices of the properties that records describe.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - file: The bytes that contain the text of most lines.
  ///   - arena: The bytes that contain the text of folded lines.
  ///   - entries: The output, filled from the first entry on.
  func rank(
    _ records: Span<LineRecord>, _ file: Span<UInt8>, _ arena: Span<UInt8>,
    into entries: inout [Entry]
  ) {
    var filled = entries.mutableSpan
    for index in records.indices {
      let record = records[index]
      let rank = rank(of: record, in: record.isFolded ? arena : file)
      filled[index] = Entry(rank: rank, index: index)
    }
  }

  /// The rank of the name of a line.
  @inline(__always)
  private func rank(of record: LineRecord, in text: Span<UInt8>) -> UInt32 {
    if let name = record.nameIndex { return ranks[name] }
    guard record.nameLength > 0 else { return Self.malformed }
    return rank(in: text, from: Int(record.textStart), count: Int(record.nameLength))
  }

  private func rank(in text: Span<UInt8>, from start: Int, count: Int) -> UInt32 {
    let key = CanonicalKey(text, at: start, count: count)
    // Most of these names start with `X-`, which sorts after all known names.
    guard let last = keys.last, !(last < key) else { return UInt32(2 * keys.count) }
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    while low < keys.count, keys[low] == key {
      let name = names[low].utf8.span
      guard CanonicalKey.compare(name, name.indices, text, start..<(start + count)) < 0 else {
        break
      }
      low += 1
    }
    return UInt32(2 * low)
  }
}

/// The first eight letters of a name in upper case, as an integer with the order of names.
///
/// Most names differ in these letters, so sorting mostly compares integers.
struct CanonicalKey: Equatable, BitwiseCopyable, Sendable {
  /// The key of the empty name, which precedes all others.
  static var empty: CanonicalKey { CanonicalKey(0) }
  /// The key of the VALUE parameter.
  static var value: CanonicalKey { CanonicalKey(0x56_41_4C_55_45 << 24) }

  private let number: UInt64

  private init(_ number: UInt64) {
    self.number = number
  }

  /// Creates the key of a name from its first letters, which must be uppercase.
  @inline(__always)
  init(capitals word: UInt64) {
    number = word.byteSwapped
  }

  /// Creates the key of a name at an offset in a line.
  @inline(__always)
  init(_ text: Span<UInt8>, at start: Int, count: Int) {
    number = ByteWord.uppercased(ByteWord.prefix(text.word(at: start), count)).byteSwapped
  }

  /// Whether the left key precedes the right one.
  @inline(__always)
  static func < (left: CanonicalKey, right: CanonicalKey) -> Bool { left.number < right.number }

  /// Compares two names, ignoring case: negative if the left one comes first, 0 if they are equal.
  static func compare(
    _ left: Span<UInt8>, _ leftRange: Range<Int>, _ right: Span<UInt8>, _ rightRange: Range<Int>
  ) -> Int {
    let count = min(leftRange.count, rightRange.count)
    var offset = 0
    while offset < count {
      let leftKey = CanonicalKey(
        left, at: leftRange.lowerBound &+ offset, count: count &- offset)
      let rightKey = CanonicalKey(
        right, at: rightRange.lowerBound &+ offset, count: count &- offset)
      guard leftKey == rightKey else { return leftKey < rightKey ? -1 : 1 }
      offset &+= 8
    }
    return leftRange.count &- rightRange.count
  }
}

extension Array {
  /// The maximum number of elements for insertion sort.
  private static var insertionLimit: Int { 40 }

  /// Sorts by an order in which no two elements are equal; fast for few elements.
  @inline(__always)
  mutating func sortQuickly(by precedes: (Element, Element) -> Bool)
  where Element: BitwiseCopyable {
    guard count <= Self.insertionLimit else {
      sort(by: precedes)
      return
    }
    var elements = mutableSpan
    for index in 0..<elements.count {
      let element = elements[index]
      var place = index
      while place > 0, precedes(element, elements[place &- 1]) {
        elements[place] = elements[place &- 1]
        place &-= 1
      }
      elements[place] = element
    }
  }
}

/// The name of a component as the first sort key of nested components.
struct ComponentSortKey: BitwiseCopyable, Sendable {
  private static let timeZone = ComponentName.timeZone.index

  /// The first letters of the name; empty for a time zone, which comes first.
  let key: CanonicalKey
  /// The bytes of the BEGIN line to compare, up to the end of the name; 0 for a time zone.
  let length: Int

  /// Whether the key contains all compared bytes.
  static func isWhole(_ length: Int) -> Bool {
    length <= "BEGIN:".utf8.count &+ MemoryLayout<CanonicalKey>.size
  }

  init(_ name: ComponentName) {
    let letters = name.canonicalName.utf8.span
    let isTimeZone = name.index == Self.timeZone
    length = isTimeZone ? 0 : "BEGIN:".utf8.count &+ letters.count
    key = isTimeZone ? .empty : CanonicalKey(letters, at: 0, count: letters.count)
  }
}
